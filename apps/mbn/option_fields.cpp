// SPDX-License-Identifier: Apache-2.0
#include "option_fields.hpp"

#include <charconv>
#include <memory>

namespace mbn::tool {

namespace {

template <class Value>
CLI::Option* add_field(CLI::App& verb, const Field& field, Value& value) {
  const std::string name = option_name(field.name);
  std::string help(field.help);
  if constexpr (std::is_enum_v<Value>) {
    return add_enum(verb, name, value, help);
  } else if constexpr (requires { value.begin(); }) {
    CLI::Option* option = verb.add_option(name, value, help)->delimiter(',');
    return check_count(option)->default_str(default_text(field, value));
  } else {
    const std::string automatic = automatic_text(field, value);
    if (!automatic.empty()) help += fmt::format(" ({})", automatic);
    CLI::Option* option = verb.add_option(name, value, help);
    // CLI11 applies the last transform first.
    if (field.name == "memory_limit") option->transform(CLI::AsSizeValue(true));
    if (!field.automatic.empty()) {
      option->transform([](const std::string& text) { return text == "auto" ? "0" : text; });
    }
    if constexpr (std::is_integral_v<Value>) check_count(option);
    return option->default_str(default_text(field, value));
  }
}

template <class Options>
void add_all(CLI::App& verb, Options& options, const std::string& group) {
  visit_fields(options, [&](const Field& field, auto& value) {
    add_field(verb, field, value)->group(group);
  });
}

bool is_count(const std::string& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string wrong_clusters(const std::string& text) {
  std::uint64_t number = 0;
  if (text == "find" || text == "unknown") return {};
  if (is_count(text, number) && number >= 1 && number <= ~std::uint32_t{0}) return {};
  if (text == "auto") {
    return "'auto' is called 'find' now (the number is looked for), or 'unknown' (no labels)";
  }
  return fmt::format("'{}' is neither 'find', nor 'unknown', nor a whole number from 1", text);
}

/// `--clusters find`, `--clusters unknown` or `--clusters 10`. What it means for the options is
/// known when all arguments are read: `find` needs a limit.
CLI::Option* add_clusters(CLI::App& verb, const Field& field, FitOptions& options,
                          Clusters unless_given) {
  const bool find = unless_given == Clusters::find;
  const auto word = std::make_shared<std::string>(find ? "find" : "unknown");
  verb.parse_complete_callback([&options, word] {
    std::uint64_t number = 0;
    const bool given = is_count(*word, number);
    options.clusters = given ? static_cast<std::uint32_t>(number) : 0;
    if (*word == "find" && options.most_clusters == 0) options.most_clusters = kMostClusters;
    if (*word == "unknown" && options.most_clusters != 0) {
      throw CLI::ValidationError("--most-clusters",
                                 "only limits what --clusters find looks for; add that");
    }
  });
  CLI::Option* option = verb.add_option_function<std::string>(
      option_name(field.name), [word](const std::string& text) { *word = text; },
      fmt::format("{} unknown: no labels; find: the number with the best stability, up to "
                  "--most-clusters.",
                  field.help));
  return option->type_name("find|unknown|UINT")
      ->check([](const std::string& text) { return wrong_clusters(text); })
      ->default_str(find ? "find" : default_text(field, options.clusters));
}

}  // namespace

CLI::Option* check_count(CLI::Option* option) {
  return option->check([](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    if (is_count(text, number)) return {};
    return fmt::format("'{}' is not a whole number from 0 to {}", text, ~std::uint64_t{0});
  });
}

void add_fields(CLI::App& verb, FitOptions& options, const std::string& group, Clusters clusters) {
  visit_fields(options, [&](const Field& field, auto& value) {
    CLI::Option* option = field.name == "clusters" ? add_clusters(verb, field, options, clusters)
                                                   : add_field(verb, field, value);
    option->group(group);
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
