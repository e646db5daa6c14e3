// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Makes one command-line option of every field in the library's list. 0 can be written as "auto"
/// where the field has a rule of its own, and bytes as 500M or 2G.
void add_fields(CLI::App& verb, FitOptions& options, const std::string& group);
void add_fields(CLI::App& verb, RunOptions& options, const std::string& group);
void add_fields(CLI::App& verb, TextOptions& options, const std::string& group);
void add_fields(CLI::App& verb, LsaOptions& options, const std::string& group);
void add_fields(CLI::App& verb, CompressOptions& options, const std::string& group);

}  // namespace mbn::tool
