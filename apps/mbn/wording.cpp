// SPDX-License-Identifier: Apache-2.0
#include "wording.hpp"

#include "option_fields.hpp"

namespace mbn::tool {

namespace {

std::string word(std::string_view name, std::string_view value) {
  // As the shell would take it.
  const bool quoted = value.find(' ') != std::string_view::npos;
  const std::string given = quoted ? "'" + std::string(value) + "'" : std::string(value);
  if (name.empty()) return given;
  if (name == "overwrite") return "--force";
  return option_name(name) + (given.empty() ? "" : " " + given);
}

}  // namespace

std::string in_tool_words(const Message& message) {
  return message.text(word);
}

}  // namespace mbn::tool
