// SPDX-License-Identifier: Apache-2.0
//
// A text is read from its front: numbers, separators, names of months. Only years of four digits
// are years, since 01/02/03 may be anything. Times without an offset are taken as UTC.
#include "input/parse_date.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

namespace mbn {

namespace {

struct Number {
  int value = 0;
  std::size_t digits = 0;
};

class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  std::optional<DateCell> read(DateOrder order) {
    std::optional<DateCell> cell = date(order);
    if (!cell) return std::nullopt;
    if (rest_.empty()) return cell;
    const bool separated = take('T') || take('t') || take(' ');
    const std::optional<double> time = separated ? day_time() : std::nullopt;
    if (!time || !rest_.empty()) return std::nullopt;
    cell->days += *time;
    return cell;
  }

 private:
  std::optional<DateCell> date(DateOrder order) {
    const Number first = number();
    if (first.digits == 4) return year_first(first.value);
    if (first.digits == 0) return month_name_first();
    if (first.digits > 2) return std::nullopt;
    if (take('/')) return two_orders(first.value, order);
    if (take('.')) {
      const Number month = number();
      return month.digits == 0 || !take('.') ? std::nullopt : with_year(first.value, month.value);
    }
    // 4 Mar 2024, 4-Mar-2024
    const char separator = rest_.empty() ? ' ' : rest_.front();
    if (separator != ' ' && separator != '-') return std::nullopt;
    rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
    const int month = month_name();
    if (month == 0) return std::nullopt;
    take('.');
    return take(separator) ? with_year(first.value, month) : std::nullopt;
  }

  std::optional<DateCell> year_first(int year) {
    const char separator = rest_.empty() ? ' ' : rest_.front();
    if (separator != '-' && separator != '/') return std::nullopt;
    rest_.remove_prefix(1);
    const Number month = number();
    if (month.digits == 0 || month.digits > 2) return std::nullopt;
    if (rest_.empty() && separator == '-' && month.digits == 2) return on(year, month.value, 1);
    if (!take(separator)) return std::nullopt;
    const Number day = number();
    return day.digits == 0 || day.digits > 2 ? std::nullopt : on(year, month.value, day.value);
  }

  // March 4, 2024
  std::optional<DateCell> month_name_first() {
    const int month = month_name();
    if (month == 0) return std::nullopt;
    take('.');
    if (!take(' ')) return std::nullopt;
    const Number day = number();
    if (day.digits == 0 || day.digits > 2) return std::nullopt;
    take(',');
    return take(' ') ? with_year(day.value, month) : std::nullopt;
  }

  std::optional<DateCell> two_orders(int first, DateOrder order) {
    const Number second = number();
    if (second.digits == 0 || second.digits > 2 || !take('/')) return std::nullopt;
    const Number year = number();
    if (year.digits != 4) return std::nullopt;
    const bool day_first = second.value <= 12 && first > 12;
    const bool month_first = first <= 12 && second.value > 12;
    const bool either = first <= 12 && second.value <= 12;
    // Both readings of 04/04/2024 are the same.
    const bool ambiguous = either && first != second.value;
    if (either && order == DateOrder::month_first) {
      return decided(on(year.value, first, second.value), DateOrder::unknown, ambiguous);
    }
    if (either) return decided(on(year.value, second.value, first), DateOrder::unknown, ambiguous);
    if (day_first) {
      return decided(on(year.value, second.value, first), DateOrder::day_first, false);
    }
    if (!month_first) return std::nullopt;
    return decided(on(year.value, first, second.value), DateOrder::month_first, false);
  }

  static std::optional<DateCell> decided(std::optional<DateCell> cell, DateOrder order,
                                         bool ambiguous) {
    if (!cell) return cell;
    cell->order = order;
    cell->ambiguous = ambiguous;
    return cell;
  }

  std::optional<DateCell> with_year(int day, int month) {
    const Number year = number();
    return year.digits == 4 ? on(year.value, month, day) : std::nullopt;
  }

  static std::optional<DateCell> on(int year, int month, int day) {
    using namespace std::chrono;
    const year_month_day date{std::chrono::year(year),
                              std::chrono::month(static_cast<unsigned>(month)),
                              std::chrono::day(static_cast<unsigned>(day))};
    if (!date.ok()) return std::nullopt;
    return DateCell{.days = static_cast<double>(sys_days(date).time_since_epoch().count())};
  }

  // 12:30, 12:30:15.25, with Z or +01:00, as a share of a day.
  std::optional<double> day_time() {
    const Number hours = number();
    if (hours.digits != 2 || hours.value > 23 || !take(':')) return std::nullopt;
    const Number minutes = number();
    if (minutes.digits != 2 || minutes.value > 59) return std::nullopt;
    double seconds = 0;
    if (take(':')) {
      const Number whole = number();
      if (whole.digits != 2 || whole.value > 60) return std::nullopt;
      seconds = whole.value;
      if (take('.') || take(',')) seconds += fraction();
    }
    const std::optional<int> offset = offset_minutes();
    if (!offset) return std::nullopt;
    return (hours.value * 3600.0 + (minutes.value - *offset) * 60.0 + seconds) / 86400.0;
  }

  std::optional<int> offset_minutes() {
    if (rest_.empty() || take('Z') || take('z')) return 0;
    const int sign = rest_.front() == '-' ? -1 : 1;
    if (!take('+') && !take('-')) return std::nullopt;
    const Number hours = number();
    if (hours.digits == 4) return sign * (hours.value / 100 * 60 + hours.value % 100);
    if (hours.digits != 2) return std::nullopt;
    if (rest_.empty()) return sign * hours.value * 60;
    if (!take(':')) return std::nullopt;
    const Number minutes = number();
    if (minutes.digits != 2) return std::nullopt;
    return sign * (hours.value * 60 + minutes.value);
  }

  double fraction() {
    double value = 0;
    double place = 0.1;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value += place * (rest_.front() - '0');
      place /= 10;
      rest_.remove_prefix(1);
    }
    return value;
  }

  bool take(char letter) {
    if (rest_.empty() || rest_.front() != letter) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Number number() {
    constexpr std::size_t kMostDigits = 5;  // more than any part has
    Number found;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9' &&
           found.digits < kMostDigits) {
      found.value = 10 * found.value + (rest_.front() - '0');
      ++found.digits;
      rest_.remove_prefix(1);
    }
    return found;
  }

  // From 1; 0 when there is none. Three letters or the whole name.
  int month_name() {
    constexpr std::array<std::string_view, 12> kMonths = {
        "january", "february", "march",     "april",   "may",      "june",
        "july",    "august",   "september", "october", "november", "december"};
    std::string word;
    while (!rest_.empty() && word.size() < 10) {
      const char letter = rest_.front();
      const bool upper = letter >= 'A' && letter <= 'Z';
      if (!upper && !(letter >= 'a' && letter <= 'z')) break;
      word += upper ? static_cast<char>(letter - 'A' + 'a') : letter;
      rest_.remove_prefix(1);
    }
    for (std::size_t i = 0; i < kMonths.size(); ++i) {
      if (word == kMonths[i] || word == kMonths[i].substr(0, 3) || (word == "sept" && i == 8)) {
        return static_cast<int>(i) + 1;
      }
    }
    return 0;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<DateCell> parse_date(std::string_view text, DateOrder order) {
  constexpr std::size_t kLongest = 40;
  if (text.size() < 6 || text.size() > kLongest) return std::nullopt;
  return DateReader(text).read(order);
}

}  // namespace mbn
