// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <mbn/options.hpp>

#include "store/decimal.hpp"

namespace mbn {

template <class Value>
inline constexpr bool kIsOptional = false;
template <class Value>
inline constexpr bool kIsOptional<std::optional<Value>> = true;

/// The value of an option in a file: choices and what is not a number by name ("cosine", "auto",
/// "unknown"), 64-bit numbers as decimal text.
template <class Value>
nlohmann::json option_to_json(const Value& value) {
  if constexpr (kIsOptional<Value>) {
    return value ? option_to_json(*value) : nlohmann::json("auto");
  } else if constexpr (WordOrCount<Value>) {
    return value.is_number() ? nlohmann::json(value.count_or(0)) : nlohmann::json(value.text());
  } else if constexpr (std::is_enum_v<Value>) {
    return name_of(value);
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    return std::to_string(value);
  } else {
    return value;
  }
}

/// False when the JSON value is not one of this option's. In files of earlier versions 0 stands for
/// what is not given.
template <class Value>
bool option_from_json(const nlohmann::json& json, Value& value) {
  const auto word = json.is_string() ? json.get<std::string>() : std::string();
  if constexpr (kIsOptional<Value>) {
    value = std::nullopt;
    if (word == "auto" || (json.is_number() && json == 0)) return true;
    return option_from_json(json, value.emplace());
  } else if constexpr (WordOrCount<Value>) {
    std::uint32_t count = 0;
    const bool is_count = option_from_json(json, count);
    value = is_count && count != 0 ? Value(count) : Value::named(word).value_or(Value());
    return is_count || Value::named(word).has_value();
  } else if constexpr (std::is_enum_v<Value>) {
    const auto found = json.is_string() ? value_named<Value>(word) : std::nullopt;
    value = found.value_or(value);
    return found.has_value();
  } else if constexpr (std::is_floating_point_v<Value>) {
    if (!json.is_number()) return false;
    value = json.get<Value>();
    return true;
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    const auto number = json.is_string() ? parse_decimal(word) : std::nullopt;
    value = number.value_or(0);
    return number.has_value();
  } else if constexpr (std::is_same_v<Value, std::vector<std::uint32_t>>) {
    if (!json.is_array()) return false;
    for (const nlohmann::json& element : json) {
      if (!option_from_json(element, value.emplace_back())) return false;
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

}  // namespace mbn
