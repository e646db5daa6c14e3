// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

#include <mbn/error.hpp>
#include <mbn/options.hpp>
#include <mbn/version.hpp>

namespace mbn {
namespace {

std::string complaint(const FitOptions& options) {
  try {
    validate(options);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Options, DefaultsAreValid) {
  EXPECT_EQ(complaint({}), "");
}

TEST(Options, ValuesOfEnumerationsHaveNames) {
  EXPECT_EQ(name_of(Metric::cosine), "cosine");
  EXPECT_EQ(value_named<Metric>("cosine"), Metric::cosine);
  EXPECT_EQ(value_named<Scale>("auto"), Scale::automatic);
  EXPECT_EQ(value_named<Metric>("Cosine"), std::nullopt);
  EXPECT_EQ(value_named<Metric>(""), std::nullopt);
}

TEST(Clusters, AreUnknownToBeFoundOrANumber) {
  EXPECT_EQ(FitOptions{}.clusters, Clusters::unknown);
  EXPECT_EQ(Clusters(), Clusters::unknown);
  const FitOptions ten{.clusters = 10};
  EXPECT_TRUE(ten.clusters.is_number());
  EXPECT_EQ(ten.clusters.count(), 10U);
  EXPECT_EQ(ten.clusters, 10U);
  EXPECT_NE(ten.clusters, 9U);
  for (const Clusters word : {Clusters::unknown, Clusters::find}) {
    EXPECT_FALSE(word.is_number());
    EXPECT_NE(word, 0U);
    EXPECT_EQ(word.count_or(7), 7U);
    try {
      word.count();
      ADD_FAILURE() << word.text() << " has a count";
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.code(), ErrorCode::no_clusters);
      EXPECT_EQ(error.value(), word.text());
    }
  }
  EXPECT_NE(Clusters::unknown, Clusters::find);
  EXPECT_EQ(ten.clusters.count_or(7), 10U);
}

TEST(Clusters, HaveTwoWords) {
  EXPECT_EQ(Clusters::named("find"), Clusters::find);
  EXPECT_EQ(Clusters::named("unknown"), Clusters::unknown);
  for (const char* word : {"auto", "Find", "10", ""}) {
    EXPECT_EQ(Clusters::named(word), std::nullopt) << word;
  }
  EXPECT_EQ(Clusters::find.text(), "find");
  EXPECT_EQ(Clusters::unknown.text(), "unknown");
  EXPECT_EQ(Clusters(10).text(), "10");
}

TEST(Clusters, ANumberHasARange) {
  EXPECT_EQ(complaint({.clusters = Clusters::find}), "");
  EXPECT_EQ(complaint({.clusters = Clusters::unknown}), "");
  EXPECT_EQ(complaint({.clusters = 1}), "");
  EXPECT_EQ(complaint({.clusters = 0}),
            "clusters is 0; it must be from 1 to 2147483647, or find or unknown");
}

TEST(Options, DecayIsAnOpenRange) {
  EXPECT_EQ(complaint({.decay = 1.5}),
            "decay is 1.5; it must be above 0 and below 1, or auto (chosen from "
            "0.1, 0.2, 0.3, 0.5, 0.7 and 0.9; 0.5 when clusters are unknown)");
  EXPECT_EQ(complaint({.decay = std::nullopt}), "");
  EXPECT_TRUE(
      complaint({.decay = 0}).starts_with("decay is 0; it must be above 0 and below 1, or"));
  EXPECT_NE(complaint({.decay = -0.5}), "");
  EXPECT_NE(complaint({.decay = 1}), "");
  EXPECT_EQ(complaint({.decay = 0.999}), "");
}

TEST(Options, FeatureFractionMayBeOneButNotZero) {
  EXPECT_EQ(complaint({.feature_fraction = 1}), "");
  EXPECT_EQ(
      complaint({.feature_fraction = 0}),
      "feature_fraction is 0; it must be above 0 and at most 1, or auto (0.5; 1 for 3 columns "
      "or fewer)");
  EXPECT_NE(complaint({.feature_fraction = -0.5}), "");
  EXPECT_NE(complaint({.feature_fraction = 1.0001}), "");
}

TEST(Options, NotANumberIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(complaint({.decay = nan}),
            "decay is nan; it must be above 0 and below 1, or auto (chosen from "
            "0.1, 0.2, 0.3, 0.5, 0.7 and 0.9; 0.5 when clusters are unknown)");
  EXPECT_NE(complaint({.feature_fraction = nan}), "");
  EXPECT_NE(complaint({.feature_fraction = infinity}), "");
}

TEST(Options, ZeroIsOutOfRange) {
  EXPECT_EQ(complaint({.centroids = std::nullopt, .components = std::nullopt}), "");
  EXPECT_EQ(complaint({.centroids = 0}),
            "centroids is 0; it must be from 1 to 2147483647, or auto (half of the rows (of the "
            "pool), at least 1.5 x clusters)");
  EXPECT_TRUE(complaint({.components = 0}).starts_with("components is 0; it must be from 1 to"));
  EXPECT_EQ(
      complaint({.pool = 1}),
      "pool is 1; it must be from 2 to 2147483647, or auto (all rows, but 100000 of them at most)");
  EXPECT_EQ(complaint({.most_clusters = 0}), "most_clusters is 0; it must be from 2 to 1000");
  EXPECT_THROW(validate(RunOptions{.threads = 0}), InvalidArgument);
  EXPECT_THROW(validate(RunOptions{.memory_limit = 0}), InvalidArgument);
  EXPECT_NO_THROW(validate(RunOptions{}));
  EXPECT_TRUE(complaint({.clusterings = 0}).starts_with("clusterings is 0; it must be from 1 to"));
  EXPECT_EQ(complaint({.restarts = 0}), "restarts is 0; it must be from 1 to 100000");
}

TEST(Options, CountsHaveUpperLimits) {
  EXPECT_NE(complaint({.clusterings = 65536}), "");
  EXPECT_EQ(complaint({.components = 70000}),
            "components is 70000; it must be from 1 to 65535, or auto (clusters but at least 2, or "
            "2 when "
            "unknown)");
  EXPECT_NE(complaint({.centroids = std::numeric_limits<std::uint32_t>::max()}), "");
}

TEST(Options, TheLimitsOfEveryCountAreValid) {
  FitOptions options;
  visit_fields(options, [&]<class Value>(const Field& field, Value& value) {
    if constexpr (std::is_same_v<Value, std::uint32_t> || std::is_same_v<Value, Clusters> ||
                  std::is_same_v<Value, std::optional<std::uint32_t>>) {
      const Value kept = value;
      for (const double limit : {field.minimum, field.maximum}) {
        value = static_cast<std::uint32_t>(limit);
        EXPECT_EQ(complaint(options), "") << field.name;
      }
      value = static_cast<std::uint32_t>(field.maximum) + 1;
      EXPECT_TRUE(complaint(options).starts_with(field.name)) << field.name;
      value = kept;
    }
  });
}

TEST(Options, AnySeedIsValid) {
  EXPECT_EQ(complaint({.seed = std::numeric_limits<std::uint64_t>::max()}), "");
}

TEST(Options, ChoicesOutsideTheListAreRefused) {
  EXPECT_EQ(
      complaint({.metric = static_cast<Metric>(9)}),
      "metric is choice number 9; it must be one of euclidean, cosine, correlation, manhattan, "
      "chi-squared, hellinger, hamming, jaccard, precomputed");
  EXPECT_NE(complaint({.scale = static_cast<Scale>(4)}), "");
  EXPECT_NE(complaint({.solver = static_cast<Solver>(200)}), "");
}

TEST(Version, IsThreeNumbers) {
  int dots = 0;
  for (const char c : version()) dots += c == '.' ? 1 : 0;
  EXPECT_EQ(dots, 2);
}

}  // namespace
}  // namespace mbn
