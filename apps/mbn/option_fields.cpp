// SPDX-License-Identifier: Apache-2.0
#include "option_fields.hpp"

#include <charconv>
#include <optional>

namespace mbn::tool {

namespace {

bool is_count(const std::string& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string wrong_count(const std::string& text) {
  std::uint64_t number = 0;
  if (is_count(text, number)) return {};
  return fmt::format("'{}' is not a whole number from 0 to {}", text, ~std::uint64_t{0});
}

std::string wrong_clusters(const std::string& text) {
  std::uint64_t number = 0;
  if (Clusters::named(text)) return {};
  if (is_count(text, number) && number >= 1 && number <= ~std::uint32_t{0}) return {};
  if (text == "auto") {
    return "'auto' is called 'find' now (the number is looked for), or 'unknown' (no labels)";
  }
  return fmt::format("'{}' is neither 'find', nor 'unknown', nor a whole number from 1", text);
}

Clusters clusters_of(const std::string& text) {
  std::uint64_t number = 0;
  is_count(text, number);
  return Clusters::named(text).value_or(Clusters(static_cast<std::uint32_t>(number)));
}

CLI::Option* add_number(CLI::App& verb, const Field& field, const std::string& help,
                        Clusters& clusters) {
  return verb
      .add_option_function<std::string>(
          option_name(field.name),
          [&clusters](const std::string& text) { clusters = clusters_of(text); }, help)
      ->type_name("find|unknown|UINT")
      ->check([](const std::string& text) { return wrong_clusters(text); });
}

/// What a number may be written as, besides "auto".
template <class Number>
CLI::Validator number_check(const Field& field) {
  if (field.name == "memory_limit") return CLI::AsSizeValue(true);
  if constexpr (std::is_integral_v<Number>) return {wrong_count, ""};
  return {[](const std::string& text) { return text.empty() ? "no number" : std::string(); }, ""};
}

/// CLI11 makes std::nullopt of an empty text.
template <class Number>
CLI::Option* add_number(CLI::App& verb, const Field& field, const std::string& help,
                        std::optional<Number>& value) {
  const CLI::Validator check = number_check<Number>(field);
  const auto number_or_nothing = [check](std::string& text) {
    if (text != "auto") return check(text);
    text.clear();
    return std::string();
  };
  return verb.add_option(option_name(field.name), value, help)
      ->transform(CLI::Validator(number_or_nothing, check.get_description()));
}

template <class Number>
requires std::is_arithmetic_v<Number> CLI::Option* add_number(CLI::App& verb, const Field& field,
                                                              const std::string& help,
                                                              Number& value) {
  CLI::Option* option = verb.add_option(option_name(field.name), value, help);
  return std::is_integral_v<Number> ? check_count(option) : option;
}

template <class Value>
CLI::Option* add_field(CLI::App& verb, const Field& field, Value& value) {
  std::string help(field.help);
  if constexpr (std::is_enum_v<Value>) {
    return add_enum(verb, option_name(field.name), value, help);
  } else if constexpr (requires { value.begin(); }) {
    CLI::Option* option = verb.add_option(option_name(field.name), value, help)->delimiter(',');
    return check_count(option)->default_str(default_text(field, value));
  } else {
    const std::string automatic = automatic_text(field, value);
    if (!automatic.empty()) help += fmt::format(" ({})", automatic);
    return add_number(verb, field, help, value)->default_str(default_text(field, value));
  }
}

template <class Options>
void add_all(CLI::App& verb, Options& options, const std::string& group) {
  visit_fields(options, [&](const Field& field, auto& value) {
    add_field(verb, field, value)->group(group);
  });
}

}  // namespace

CLI::Option* check_count(CLI::Option* option) {
  return option->check(wrong_count);
}

void add_fields(CLI::App& verb, FitOptions& options, const std::string& group) {
  add_all(verb, options, group);
  verb.parse_complete_callback([&verb, &options] {
    if (verb.count("--most-clusters") > 0 && options.clusters == Clusters::unknown) {
      throw CLI::ValidationError("--most-clusters",
                                 "only limits what --clusters find looks for; add that");
    }
  });
}

void add_fields(CLI::App& verb, RunOptions& options, const std::string& group) {
  add_all(verb, options, group);
}

void add_fields(CLI::App& verb, TextOptions& options, const std::string& group) {
  add_all(verb, options, group);
}

void add_fields(CLI::App& verb, LsaOptions& options, const std::string& group) {
  add_all(verb, options, group);
}

void add_fields(CLI::App& verb, CompressOptions& options, const std::string& group) {
  add_all(verb, options, group);
}

}  // namespace mbn::tool
