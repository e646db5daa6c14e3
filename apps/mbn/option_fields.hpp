// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/lsa.hpp>
#include <mbn/options.hpp>
#include <mbn/text.hpp>

namespace mbn::tool {

/// "feature_fraction" -> "--feature-fraction"
inline std::string option_name(std::string_view field) {
  std::string name = "--" + std::string(field);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// Refuses what is not a whole number that fits: signs, fractions, too many digits.
CLI::Option* check_count(CLI::Option* option);

template <class Enum>
std::vector<std::string> names_of() {
  const auto names = enum_names<Enum>();
  return {names.begin(), names.end()};
}

/// An option that takes the name of an enumeration's value.
template <class Enum>
CLI::Option* add_enum(CLI::App& verb, const std::string& name, Enum& value,
                      const std::string& help) {
  return verb
      .add_option_function<std::string>(
          name,
          [&value](const std::string& text) { value = value_named<Enum>(text).value_or(value); },
          help)
      ->check(CLI::IsMember(names_of<Enum>()))
      ->default_str(std::string(name_of(value)));
}

/// The default of an option: the value, or the rule that replaces it. Help and
/// docs/options.md print this.
template <class Value>
std::string default_text(const Field& field, const Value& value) {
  const std::string automatic = fmt::format("auto: {}", field.automatic);
  if constexpr (std::is_enum_v<Value>) {
    return std::string(name_of(value));
  } else if constexpr (std::is_same_v<Value, Clusters>) {
    return value == Clusters::unknown ? fmt::format("unknown: {}", field.automatic) : value.text();
  } else if constexpr (std::is_same_v<Value, DirectionCount>) {
    return value == DirectionCount::automatic ? automatic : value.text();
  } else if constexpr (requires { value.begin(); }) {
    return value.empty() ? automatic : fmt::format("{}", fmt::join(value, ","));
  } else if constexpr (requires { value.has_value(); }) {
    return value ? fmt::format("{}", *value) : automatic;
  } else {
    return fmt::format("{}", value);
  }
}

/// "auto: " and the rule, where "auto" can be asked for and is not the default; else empty.
template <class Value>
std::string automatic_text(const Field& field, const Value& value) {
  if constexpr (requires { value.has_value(); }) {
    return value ? fmt::format("auto: {}", field.automatic) : std::string();
  } else {
    return {};
  }
}

/// Makes one command-line option of every field in the library's list. What may be left to the
/// library can be written as "auto", and bytes as 500M or 2G. The number of clusters is `unknown`,
/// `find` or given. The field `without` is left out; `--missing partial` is that of the data.
void add_fields(CLI::App& verb, FitOptions& options, const std::string& group,
                std::string_view without = {});
void add_fields(CLI::App& verb, RunOptions& options, const std::string& group);
void add_fields(CLI::App& verb, TextOptions& options, const std::string& group);
void add_fields(CLI::App& verb, LsaOptions& options, const std::string& group);
void add_fields(CLI::App& verb, CompressOptions& options, const std::string& group);

}  // namespace mbn::tool
