// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>

namespace mbn {

/// Parses JSON from a file that nobody vouches for. No text of ours is deep: brackets beyond a few
/// are refused before they are parsed. Throws std::exception for that and for what is not JSON.
inline nlohmann::ordered_json parse_shallow_json(std::string_view text) {
  using Json = nlohmann::ordered_json;
  return Json::parse(text, [](int depth, Json::parse_event_t, Json&) {
    if (depth > 4) throw std::out_of_range("depth");
    return true;
  });
}

}  // namespace mbn
