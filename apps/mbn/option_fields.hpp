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
  if constexpr (std::is_enum_v<Value>) {
    return std::string(name_of(value));
  } else if constexpr (requires { value.begin(); }) {
    return value.empty() ? fmt::format("auto: {}", field.automatic)
                         : fmt::format("{}", fmt::join(value, ","));
  } else {
    if (field.automatic.empty() || value != Value{0}) return fmt::format("{}", value);
    // These two have words of their own (see `add_fields`).
    if (field.name == "clusters") return std::string(field.automatic);
    if (field.name == "most_clusters") return std::to_string(kMostClusters);
    return fmt::format("auto: {}", field.automatic);
  }
}

/// "auto: " and the rule, where "auto" can be asked for and is not the default; else empty.
template <class Value>
std::string automatic_text(const Field& field, const Value& value) {
  if (field.automatic.empty() || default_text(field, value).starts_with("auto: ")) return {};
  if (field.name == "clusters" || field.name == "most_clusters") return {};
  return fmt::format("auto: {}", field.automatic);
}

/// What `--clusters` is in a verb when it is not given. On the command line it is one of these
/// words or a number.
enum class Clusters : std::uint8_t { unknown, find };

/// Makes one command-line option of every field in the library's list. 0 can be written as "auto"
/// where the field has a rule of its own, and bytes as 500M or 2G. The number of clusters is
/// `unknown` (no labels), `find` (looked for, up to --most-clusters) or given; this sets
/// `FitOptions::clusters` and `most_clusters`.
void add_fields(CLI::App& verb, FitOptions& options, const std::string& group,
                Clusters clusters = Clusters::unknown);
void add_fields(CLI::App& verb, RunOptions& options, const std::string& group);
void add_fields(CLI::App& verb, TextOptions& options, const std::string& group);
void add_fields(CLI::App& verb, LsaOptions& options, const std::string& group);
void add_fields(CLI::App& verb, CompressOptions& options, const std::string& group);

}  // namespace mbn::tool
