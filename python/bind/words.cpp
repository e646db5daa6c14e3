// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace mbn::python {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;
constexpr std::array<Pair, 8> kKeywords = {
    Pair{"directions", "n_directions"}, Pair{"clusterings", "n_clusterings"},
    Pair{"centroids", "n_centroids"},   Pair{"clusters", "n_clusters"},
    Pair{"components", "n_components"}, Pair{"seed", "random_state"},
    Pair{"threads", "n_jobs"},          Pair{"neighbours", "n_neighbors"}};

// 0.5, NaN, True, None for no scaling, N for any number, and names in quotes.
std::string literal(std::string_view value) {
  double number = 0;
  const char* const end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end) {
    return std::isnan(number) ? "NaN" : std::string(value);
  }
  if (value == "true") return "True";
  if (value == "none") return "None";
  if (value == "N") return "N";
  return "'" + std::string(value) + "'";
}

std::string word(std::string_view name, std::string_view value) {
  if (name.empty()) return value == "auto" ? "None" : literal(value);
  return keyword(name) + (value.empty() ? "" : "=" + literal(value));
}

}  // namespace

std::string keyword(std::string_view option) {
  for (const auto& [ours, theirs] : kKeywords) {
    if (option == ours) return std::string(theirs);
  }
  return std::string(option);
}

std::string in_python_words(const Message& message) {
  return message.text(word);
}

}  // namespace mbn::python
