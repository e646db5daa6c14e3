// SPDX-License-Identifier: Apache-2.0
//
// Prints docs/options.md from the same lists that make the command line and the model's header.
#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "option_fields.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

template <class Value>
std::string range_text(const Field& field) {
  if constexpr (std::is_enum_v<Value>) {
    std::string text;
    for (const std::string_view name : enum_names<Value>()) {
      text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
    }
    return text;
  } else if constexpr (std::is_same_v<Value, Clusters>) {
    return fmt::format("`unknown`, `find` (the default of `mbn cluster`) or a number from {}",
                       field.minimum);
  } else if constexpr (std::is_same_v<Value, DirectionCount>) {
    return fmt::format("`auto`, `none` or a number from {} to {}", field.minimum, field.maximum);
  } else if constexpr (requires { typename Value::value_type; }) {
    return range_text<typename Value::value_type>(field);
  } else if (field.maximum >= static_cast<double>(std::numeric_limits<std::int32_t>::max())) {
    return fmt::format("from {}", field.minimum);
  } else if (field.open) {
    return fmt::format("{} {}, below {}", field.with_minimum ? "from" : "above", field.minimum,
                       field.maximum);
  } else if (std::is_floating_point_v<Value>) {
    return fmt::format("{} {}, up to {}", field.with_minimum ? "from" : "above", field.minimum,
                       field.maximum);
  } else {
    return fmt::format("{} to {}", field.minimum, field.maximum);
  }
}

template <class Options>
void print_table() {
  const Options defaults;
  fmt::print("| option | default | range | effect |\n|---|---|---|---|\n");
  visit_fields(defaults, [&]<class Value>(const Field& field, const Value& value) {
    const std::string automatic = automatic_text(field, value);
    fmt::print("| `{}` | {} | {}{}{} | {} |\n", option_name(field.name), default_text(field, value),
               range_text<Value>(field), automatic.empty() ? "" : "; ", automatic, field.help);
  });
}

void run_options() {
  fmt::print(
      "# Options\n\n<!-- Written by `mbn options`; a test keeps it up to date. -->\n\n"
      "The names are the same everywhere: `--feature-fraction` on the command line is\n"
      "`feature_fraction` in C++ and in the model's header.\n\n"
      "## What decides the answer (`FitOptions`)\n\n"
      "Stored in the model. The same data and the same options give the same bytes.\n\n");
  print_table<FitOptions>();
  fmt::print(
      "\n## How texts become counts (`TextOptions`)\n\n"
      "Stored with the vocabulary that `mbn vectorize` and `mbn index` write.\n\n");
  print_table<TextOptions>();
  fmt::print("\n## Latent semantic analysis (`LsaOptions`)\n\nStored in the file.\n\n");
  print_table<LsaOptions>();
  fmt::print("\n## What decides a student (`CompressOptions`)\n\nStored in the student.\n\n");
  print_table<CompressOptions>();
  fmt::print("\n## How the work is done (`RunOptions`)\n\nNone of these changes a result.\n\n");
  print_table<RunOptions>();
}

}  // namespace

void add_options(CLI::App& app, Session& session) {
  CLI::App& verb =
      *app.add_subcommand("options", "Print the reference of all network options (Markdown)");
  verb.callback([&session] { session.action = [] { run_options(); }; });
}

}  // namespace mbn::tool
