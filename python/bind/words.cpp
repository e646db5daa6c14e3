// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <array>
#include <regex>
#include <utility>

namespace mbn::python {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;
constexpr std::array<Pair, 6> kKeywords = {
    Pair{"clusterings", "n_clusterings"}, Pair{"centroids", "n_centroids"},
    Pair{"clusters", "n_clusters"},       Pair{"components", "n_components"},
    Pair{"seed", "random_state"},         Pair{"threads", "n_jobs"}};

void replace_first(std::string& text, std::string_view what, std::string_view with) {
  const std::size_t place = text.find(what);
  if (place != std::string::npos) text.replace(place, what.size(), with);
}

// "--feature-fraction 1" is feature_fraction=1, "--scale standard" is scale='standard', and a flag
// without a value is only named. A value is a number or one of the words that options take.
void replace_flags(std::string& text) {
  static const std::regex flag(R"(--([a-z]+(?:-[a-z]+)*)(?: ([0-9.]+|standard|minmax|exact)\b)?)");
  std::string out;
  std::smatch match;
  while (std::regex_search(text, match, flag)) {
    std::string name = match[1];
    for (char& letter : name) letter = letter == '-' ? '_' : letter;
    out += match.prefix().str() + (name == "force" ? "overwrite=True" : keyword(name));
    if (match[2].matched) {
      const std::string value = match[2];
      const bool number = value.find_first_not_of("0123456789.") == std::string::npos;
      out += number ? "=" + value : "='" + value + "'";
    }
    text = match.suffix();
  }
  text = out + text;
}

}  // namespace

std::string keyword(std::string_view option) {
  for (const auto& [ours, theirs] : kKeywords) {
    if (option == ours) return std::string(theirs);
  }
  return std::string(option);
}

std::string in_python_words(std::string message) {
  // Messages about an option begin with its name.
  const std::size_t end = message.find(" is ");
  if (end != std::string::npos) message = keyword(message.substr(0, end)) + message.substr(end);
  replace_first(message, " is nan;", " is NaN;");
  replace_first(message, " is -nan;", " is NaN;");
  replace_first(message, ", or 0 for auto (", ", or None (");
  replace_flags(message);
  return message;
}

}  // namespace mbn::python
