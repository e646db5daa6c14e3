// SPDX-License-Identifier: Apache-2.0
//
// A word is looked up in this order: a number that counts a column, a name as it stands, a pattern
// when it has a star, a range. So a column called "2-5" is chosen by its name, and so is one called
// "2019" among fewer columns than that.
#include "input/column_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include <mbn/error.hpp>

#include "input/printable.hpp"
#include "rows/columns.hpp"

namespace mbn {

namespace {

bool fits_pattern(std::string_view text, std::string_view pattern) {
  // Where to go on after a star that took too little.
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  std::size_t t = 0;
  std::size_t p = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  return pattern.substr(p).find_first_not_of('*') == std::string_view::npos;
}

class Chooser {
 public:
  Chooser(const ColumnList& columns, const char* option)
      : columns_(columns), option_(option), chosen_(columns.count) {}

  void choose(const std::string& word) {
    if (in_range(word) || by_name(word) || by_pattern(word) || by_range(word)) return;
    if (!columns_.by_number(option_, word))
      columns_.by_name(option_, word);  // both tell what is wrong
  }

  std::vector<bool> take() { return std::move(chosen_); }

 private:
  // A number that counts one of the columns.
  bool in_range(std::string_view word) {
    long long number = 0;
    const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
    const auto all = static_cast<long long>(columns_.count);
    if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) return false;
    if (number == 0 || number > all || number < -all) return false;
    chosen_[static_cast<std::size_t>(number > 0 ? number - 1 : all + number)] = true;
    return true;
  }

  // All columns of that name: nothing is ambiguous about them.
  bool by_name(std::string_view word) {
    bool found = false;
    for (std::size_t i = 0; i < columns_.names.size(); ++i) {
      if (columns_.names[i] == word) found = chosen_[i] = true;
    }
    return found;
  }

  bool by_pattern(std::string_view word) {
    if (word.find('*') == std::string_view::npos) return false;
    bool found = false;
    for (std::size_t i = 0; i < columns_.names.size(); ++i) {
      if (fits_pattern(columns_.names[i], word)) found = chosen_[i] = true;
    }
    return found;
  }

  // The one column that a word means, or nothing.
  std::optional<std::size_t> end_of_range(const std::string& word) const {
    const auto found = std::ranges::find(columns_.names, word);
    if (found != columns_.names.end()) {
      return static_cast<std::size_t>(found - columns_.names.begin());
    }
    const bool digits = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
    return digits ? columns_.by_number(option_, word) : std::nullopt;
  }

  bool by_range(const std::string& word) {
    for (const char separator : {':', '-'}) {
      for (std::size_t at = word.find(separator, 1); at != std::string::npos;
           at = word.find(separator, at + 1)) {
        const auto first = end_of_range(word.substr(0, at));
        const auto last = end_of_range(word.substr(at + 1));
        if (!first || !last || *first > *last) continue;
        std::fill(chosen_.begin() + static_cast<std::ptrdiff_t>(*first),
                  chosen_.begin() + static_cast<std::ptrdiff_t>(*last) + 1, true);
        return true;
      }
    }
    return false;
  }

  const ColumnList& columns_;
  const char* option_;
  std::vector<bool> chosen_;
};

}  // namespace

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 30;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    if (i > 0) text += ", ";
    text += printable(names[i]);
  }
  return names.size() > kMostNames ? text + ", ..." : text;
}

std::optional<std::size_t> ColumnList::by_number(const char* option,
                                                 const std::string& word) const {
  long long number = 0;
  const char* end = word.data() + word.size();
  const auto parsed = std::from_chars(word.data(), end, number);
  if (parsed.ptr != end || parsed.ec == std::errc::invalid_argument) return std::nullopt;
  const auto all = static_cast<long long>(count);
  if (parsed.ec != std::errc() || number == 0 || number > all || number < -all) {
    throw InvalidArgument(
        ErrorCode::not_found,
        {mbn::option(option, printable(word)),
         fmt::format(": {} has {} columns; give a number from 1 to {} or -1 to -{}", file, count,
                     count, count)},
        {.option = option, .value = word, .path = file});
  }
  return static_cast<std::size_t>(number > 0 ? number - 1 : all + number);
}

std::size_t ColumnList::by_name(const char* option, const std::string& word) const {
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) {
    throw InvalidArgument(
        ErrorCode::not_found,
        {mbn::option(option, printable(word)),
         names.empty() ? fmt::format(": {} has no names; give a number from 1 to {}", file, count)
                       : fmt::format(": the first line of {} has no such name; it has: {}", file,
                                     list_of(names))},
        {.option = option, .value = word, .path = file});
  }
  if (std::find(found + 1, names.end(), word) != names.end()) {
    throw InvalidArgument(
        ErrorCode::not_found,
        {mbn::option(option, printable(word)),
         fmt::format(": several columns of {} have that name; give the number of one", file)},
        {.option = option, .value = word, .path = file});
  }
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<bool> chosen_columns(const ColumnList& columns, const char* option,
                                 const std::vector<std::string>& words) {
  Chooser chooser(columns, option);
  for (const std::string& word : words) chooser.choose(word);
  return chooser.take();
}

Table choose_columns(Table table, const ReadOptions& options, const std::string& file) {
  if (options.columns.empty() && options.drop.empty()) return table;
  const ColumnList columns{file, table.rows.columns(), table.columns};
  std::vector<bool> taken(columns.count, true);
  if (!options.columns.empty()) taken = chosen_columns(columns, "columns", options.columns);
  const std::vector<bool> dropped = chosen_columns(columns, "drop", options.drop);
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < columns.count; ++i) {
    if (!taken[i] || dropped[i]) continue;
    numbers.push_back(static_cast<std::uint32_t>(i));
    if (!table.columns.empty()) names.push_back(table.columns[i]);
  }
  if (numbers.empty()) {
    throw InvalidArgument(ErrorCode::too_small,
                          {option("columns"), " and ", option("drop"),
                           fmt::format(" leave no column of {}; leave one at least", file)},
                          {.option = "drop", .path = file});
  }
  table.rows = gather_columns(table.rows, numbers);
  table.columns = std::move(names);
  return table;
}

}  // namespace mbn
