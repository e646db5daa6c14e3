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

std::string wrong_directions(const std::string& text) {
  std::uint64_t number = 0;
  if (DirectionCount::named(text)) return {};
  if (is_count(text, number) && number <= ~std::uint32_t{0}) return {};
  return fmt::format("'{}' is neither 'auto', nor 'none', nor a whole number from 1", text);
}

std::string wrong_word_or_count(const std::string& text, const Clusters&) {
  return wrong_clusters(text);
}
std::string wrong_word_or_count(const std::string& text, const DirectionCount&) {
  return wrong_directions(text);
}

template <WordOrCount Value>
Value value_of(const std::string& text) {
  std::uint64_t number = 0;
  is_count(text, number);
  return Value::named(text).value_or(Value(static_cast<std::uint32_t>(number)));
}

template <WordOrCount Value>
CLI::Option* add_number(CLI::App& verb, const Field& field, const std::string& help, Value& value) {
  return verb
      .add_option_function<std::string>(
          option_name(field.name),
          [&value](const std::string& text) { value = value_of<Value>(text); }, help)
      ->type_name(std::string(Value::words()) + "|UINT")
      ->check([](const std::string& text) { return wrong_word_or_count(text, Value()); });
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

// Gives the options of the paper's setting that were not written on the command line their values.
void fill_in_paper(const CLI::App& verb, FitOptions& options) {
  FitOptions preset = FitOptions::paper();
  std::vector<void*> ours;
  visit_fields(options, [&](const Field&, auto& value) { ours.push_back(&value); });
  std::size_t number = 0;
  visit_fields(preset, [&]<class Value>(const Field& field, Value& value) {
    const CLI::Option* option = verb.get_option_no_throw(option_name(field.name));
    const bool given = option != nullptr && option->count() > 0;
    if (!given && std::ranges::count(kPaperFields, field.name) > 0)
      *static_cast<Value*>(ours[number]) = value;
    ++number;
  });
}

}  // namespace

CLI::Option* check_count(CLI::Option* option) {
  return option->check(wrong_count);
}

void add_fields(CLI::App& verb, FitOptions& options, const std::string& group,
                std::string_view without) {
  visit_fields(options, [&](const Field& field, auto& value) {
    // `--missing` also tells how to read (arguments.hpp).
    if (field.name != without && field.name != "missing")
      add_field(verb, field, value)->group(group);
  });
  verb.add_flag("--paper")
      ->description(
          "The paper's setting where nothing else is said: 400 clusterings on the columns as they "
          "are, decay 0.5, all rows to draw from")
      ->group(group);
  verb.parse_complete_callback([&verb, &options] {
    if (verb.count("--paper") > 0) fill_in_paper(verb, options);
    const CLI::Option* missing = verb.get_option_no_throw("--missing");
    if (missing != nullptr && missing->count() > 0 && missing->as<std::string>() == "partial") {
      options.missing = MissingValues::partial;
    }
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
