// SPDX-License-Identifier: Apache-2.0
//
// Both directions walk the one list of options in options.hpp, so an option that is added there is
// stored and read without a change here. An old file lacks the new option and gets its default; an
// old library meets an unknown name and refuses, because it cannot know what the option decides.
#include "store/options_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include <mbn/error.hpp>

#include "store/guarded_json.hpp"
#include "store/option_value_json.hpp"
#include "store/tensor_header.hpp"

namespace mbn {

namespace {

using Json = nlohmann::json;

/// Far more than the options can take; a longer text is refused.
constexpr std::size_t kMaxTextBytes = 65536;

/// One object, and nothing nested but lists of plain values; null when the text is not that.
Json parse_flat_object(std::string_view text) {
  const auto json = parse_guarded_json(text, {.bytes = kMaxTextBytes, .depth = 2});
  if (!json || !json->is_object()) return {};
  const bool flat =
      std::ranges::none_of(*json, [](const Json& value) { return value.is_object(); });
  return flat ? *json : Json();
}

template <class Options>
std::string fields_to_json(const Options& options) {
  nlohmann::ordered_json json;
  visit_fields(options, [&](const Field& field, const auto& value) {
    json[std::string(field.name)] = option_to_json(value);
  });
  return json.dump();
}

/// Earlier versions wrote `find` as 0 clusters with a limit, and no limit as 0.
void update_clusters(Json& json) {
  const auto most = json.find("most_clusters");
  if (most == json.end()) return;
  if (*most == 0) {
    json.erase(most);
  } else if (const auto clusters = json.find("clusters");
             clusters == json.end() || *clusters == 0) {
    json["clusters"] = Clusters::find.text();
  }
}

/// What an option that a file lacks stood for when the file was written.
void set_former_defaults(FitOptions& options) {
  options.clusterings = 400;
  options.feature_fraction = 0.5;
  options.decay = 0.5;
  options.scale = Scale::none;
  options.directions = DirectionCount::none;
}

template <class Options>
Options fields_from_json(std::string_view text, std::string_view file) {
  Json json = parse_flat_object(text);
  if (!json.is_object()) {
    throw FormatError(
        ErrorCode::damaged,
        fmt::format("{}: options is {}, not one flat JSON object", file, in_quotes(text)),
        {.path = file});
  }
  if constexpr (std::is_same_v<Options, FitOptions>) update_clusters(json);
  Options options;
  if constexpr (std::is_same_v<Options, FitOptions>) set_former_defaults(options);
  visit_fields(options, [&](const Field& field, auto& value) {
    auto found = json.find(field.name);
    if (found == json.end() && !field.former_name.empty()) found = json.find(field.former_name);
    if (found == json.end()) return;
    if (!option_from_json(*found, value)) {
      throw FormatError(ErrorCode::too_new,
                        fmt::format("{}: the option {} has the value {}, which this version does "
                                    "not know; read the file with a newer version of mbn",
                                    file, field.name, in_quotes(found->dump())),
                        {.option = std::string(field.name), .path = file});
    }
    json.erase(found);
  });
  if (!json.empty()) {
    throw FormatError(ErrorCode::too_new,
                      fmt::format("{}: this version does not know the option {}; read the file "
                                  "with a newer version of mbn",
                                  file, in_quotes(json.begin().key())),
                      {.path = file});
  }
  try {
    validate(options);
  } catch (const InvalidArgument& error) {
    throw FormatError(ErrorCode::damaged,
                      fmt::format("{}: the stored option {}", file, error.what()),
                      {.option = error.option(), .value = error.value(), .path = file});
  }
  return options;
}

}  // namespace

std::string options_to_json(const FitOptions& options) {
  return fields_to_json(options);
}

std::string compress_options_to_json(const CompressOptions& options) {
  return fields_to_json(options);
}

FitOptions options_from_json(std::string_view text, std::string_view file) {
  return fields_from_json<FitOptions>(text, file);
}

CompressOptions compress_options_from_json(std::string_view text, std::string_view file) {
  return fields_from_json<CompressOptions>(text, file);
}

}  // namespace mbn
