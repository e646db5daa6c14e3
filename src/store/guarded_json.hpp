// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace mbn {

/// Limits of a JSON text. Containers within containers count: [[1]] has depth 2.
struct JsonLimits {
  std::size_t bytes = std::size_t{1} << 20;
  int depth = 2;
};

/// The one way to parse JSON from an untrusted file. Nothing when the text is longer or deeper than
/// its limits, is not JSON, or has an object with the same name twice. Never throws because of the
/// text.
template <class Json = nlohmann::json>
std::optional<Json> parse_guarded_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) return std::nullopt;
  bool sound = true;
  std::vector<std::set<std::string>> names;  // one for each open object
  const auto watch = [&](int depth, typename Json::parse_event_t event, Json& parsed) {
    using Event = typename Json::parse_event_t;
    if (!sound) return false;
    if (event == Event::object_start || event == Event::array_start) sound = depth < limits.depth;
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::object_end) names.pop_back();
    if (event == Event::key) {
      sound = names.back().insert(parsed.template get<std::string>()).second;
    }
    return sound;
  };
  Json json = Json::parse(text, watch, false);
  if (!sound || json.is_discarded()) return std::nullopt;
  return json;
}

}  // namespace mbn
