// SPDX-License-Identifier: Apache-2.0
#include "input/parse_date.hpp"

#include <gtest/gtest.h>

namespace mbn {
namespace {

double days(std::string_view text, DateOrder order = DateOrder::unknown) {
  const auto date = parse_date(text, order);
  return date ? date->days : -1e9;
}

TEST(ParseDate, CountsDaysFrom1970) {
  EXPECT_EQ(days("1970-01-01"), 0);
  EXPECT_EQ(days("1969-12-31"), -1);
  EXPECT_EQ(days("2024-02-29"), 19782);
  EXPECT_EQ(days("2024-03"), 19783) << "the first of the month";
  EXPECT_EQ(days("2024/03/01"), 19783);
  EXPECT_EQ(days("2024-3-1"), 19783);
}

TEST(ParseDate, TimesAreSharesOfADayInUtc) {
  EXPECT_EQ(days("2024-03-01T12:00"), 19783.5);
  EXPECT_EQ(days("2024-03-01 18:00:00"), 19783.75);
  EXPECT_EQ(days("2024-03-01T00:00:00.000Z"), 19783);
  EXPECT_EQ(days("2024-03-01T01:00:00+01:00"), 19783);
  EXPECT_EQ(days("2024-02-29T22:00:00-0200"), 19783);
  EXPECT_NEAR(days("2024-03-01 00:00:00.5"), 19783 + 0.5 / 86400, 1e-9);
}

TEST(ParseDate, KnowsNamesOfMonths) {
  for (const char* text : {"1 Mar 2024", "01-Mar-2024", "1 March 2024", "Mar 1, 2024",
                           "March 1 2024", "MARCH 1, 2024", "01.03.2024", "1.3.2024"}) {
    EXPECT_EQ(days(text), 19783) << text;
    EXPECT_FALSE(parse_date(text)->ambiguous) << text;
  }
}

TEST(ParseDate, SlashesAreReadInTheGivenOrder) {
  EXPECT_TRUE(parse_date("03/04/2024")->ambiguous);
  EXPECT_EQ(days("03/04/2024", DateOrder::day_first), days("2024-04-03"));
  EXPECT_EQ(days("03/04/2024", DateOrder::month_first), days("2024-03-04"));
  EXPECT_FALSE(parse_date("04/04/2024")->ambiguous) << "both readings are the same";
  EXPECT_EQ(parse_date("25/12/2024")->order, DateOrder::day_first);
  EXPECT_EQ(parse_date("12/25/2024")->order, DateOrder::month_first);
  EXPECT_EQ(days("12/25/2024"), days("2024-12-25"));
}

TEST(ParseDate, RefusesWhatIsNoDate) {
  for (const char* text : {"",
                           "2024",
                           "20240301",
                           "2024-13-01",
                           "2023-02-29",
                           "31/31/2024",
                           "1/2/24",
                           "01-02-03",
                           "12:30",
                           "2024-03-01T25:00",
                           "2024-03-01T12:00 Uhr",
                           "2024-03-01x",
                           "Mar",
                           "1 Foo 2024",
                           "red",
                           "1.5.3",
                           "192.168.0.1",
                           "2024-03-01T",
                           "99999-01-01",
                           "2024-03-01T12:00+1"}) {
    EXPECT_FALSE(parse_date(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace mbn
