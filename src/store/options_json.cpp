// SPDX-License-Identifier: Apache-2.0
//
// Both directions walk the one list of options in options.hpp, so an option that is added there is
// stored and read without a change here. An old file lacks the new option and gets its default; an
// old library meets an unknown name and refuses, because it cannot know what the option decides.
#include "store/options_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include <mbn/error.hpp>

#include "store/decimal.hpp"
#include "store/guarded_json.hpp"
#include "store/tensor_header.hpp"

namespace mbn {

namespace {

using Json = nlohmann::json;

/// Far more than the options can take; a longer text is refused.
constexpr std::size_t kMaxTextBytes = 65536;

template <class Value>
Json to_json(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return name_of(value);
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    return std::to_string(value);
  } else {
    return value;
  }
}

/// False when the JSON value is not one of this option's.
template <class Value>
bool from_json(const Json& json, Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    const auto found =
        json.is_string() ? value_named<Value>(json.get_ref<const std::string&>()) : std::nullopt;
    value = found.value_or(value);
    return found.has_value();
  } else if constexpr (std::is_floating_point_v<Value>) {
    if (!json.is_number()) return false;
    value = json.get<Value>();
    return true;
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    const auto number =
        json.is_string() ? parse_decimal(json.get_ref<const std::string&>()) : std::nullopt;
    value = number.value_or(0);
    return number.has_value();
  } else if constexpr (std::is_same_v<Value, std::vector<std::uint32_t>>) {
    if (!json.is_array()) return false;
    for (const Json& element : json) {
      if (!from_json(element, value.emplace_back())) return false;
    }
    return true;
  } else {
    static_assert(std::is_same_v<Value, std::uint32_t>);
    if (!json.is_number_unsigned()) return false;
    const auto number = json.get<std::uint64_t>();
    value = static_cast<Value>(number);
    return number <= std::numeric_limits<Value>::max();
  }
}

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
    json[std::string(field.name)] = to_json(value);
  });
  return json.dump();
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
  Options options;
  visit_fields(options, [&](const Field& field, auto& value) {
    auto found = json.find(field.name);
    if (found == json.end() && !field.former_name.empty()) found = json.find(field.former_name);
    if (found == json.end()) return;
    if (!from_json(*found, value)) {
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
