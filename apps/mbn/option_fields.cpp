// SPDX-License-Identifier: Apache-2.0
#include "option_fields.hpp"

#include <fmt/format.h>

#include <charconv>

namespace mbn::tool {

namespace {

template <class Options>
void add_all(CLI::App& verb, Options& options, const std::string& group) {
  visit_fields(options, [&]<class Value>(const Field& field, Value& value) {
    const std::string name = option_name(field.name);
    CLI::Option* option = nullptr;
    if constexpr (std::is_enum_v<Value>) {
      option = add_enum(verb, name, value, std::string(field.help));
    } else if constexpr (requires { value.begin(); }) {
      option = verb.add_option(name, value, std::string(field.help))->delimiter(',');
      option->default_str("auto: " + std::string(field.automatic));
      check_count(option);
    } else {
      option = verb.add_option(name, value, std::string(field.help));
      // CLI11 applies the last transform first.
      if (field.name == "memory_limit") option->transform(CLI::AsSizeValue(true));
      if (!field.automatic.empty()) {
        option->transform([](const std::string& text) { return text == "auto" ? "0" : text; });
        option->default_str("auto: " + std::string(field.automatic));
      } else {
        option->capture_default_str();
      }
      if constexpr (std::is_integral_v<Value>) check_count(option);
    }
    option->group(group);
  });
}

}  // namespace

CLI::Option* check_count(CLI::Option* option) {
  return option->check([](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size()) return {};
    return fmt::format("'{}' is not a whole number from 0 to {}", text, ~std::uint64_t{0});
  });
}

void add_fields(CLI::App& verb, FitOptions& options, const std::string& group) {
  add_all(verb, options, group);
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
