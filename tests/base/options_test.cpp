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

TEST(Options, HelpOfMostClustersHasTheNumberThatIsTaken) {
  const FitOptions options;
  visit_fields(options, [](const Field& field, const auto&) {
    if (field.name == "most_clusters") {
      EXPECT_TRUE(field.automatic.ends_with(" " + std::to_string(kMostClusters)));
    }
  });
}

TEST(Options, DecayIsAnOpenRange) {
  EXPECT_EQ(complaint({.decay = 1.5}),
            "decay is 1.5; it must be above 0 and below 1, or 0 for auto (chosen from "
            "0.1, 0.2, 0.3, 0.5, 0.7 and 0.9)");
  EXPECT_EQ(complaint({.decay = 0}), "");
  EXPECT_NE(complaint({.decay = -0.5}), "");
  EXPECT_NE(complaint({.decay = 1}), "");
  EXPECT_EQ(complaint({.decay = 0.999}), "");
}

TEST(Options, FeatureFractionMayBeOneButNotZero) {
  EXPECT_EQ(complaint({.feature_fraction = 1}), "");
  EXPECT_EQ(complaint({.feature_fraction = 0}),
            "feature_fraction is 0; it must be above 0 and at most 1");
  EXPECT_NE(complaint({.feature_fraction = -0.5}), "");
  EXPECT_NE(complaint({.feature_fraction = 1.0001}), "");
}

TEST(Options, NotANumberIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(complaint({.decay = nan}),
            "decay is nan; it must be above 0 and below 1, or 0 for auto (chosen from "
            "0.1, 0.2, 0.3, 0.5, 0.7 and 0.9)");
  EXPECT_NE(complaint({.feature_fraction = nan}), "");
  EXPECT_NE(complaint({.feature_fraction = infinity}), "");
}

TEST(Options, ZeroIsAutomaticOnlyWhereThereIsARule) {
  EXPECT_EQ(complaint({.centroids = 0, .clusters = 0, .components = 0}), "");
  EXPECT_TRUE(complaint({.clusterings = 0}).starts_with("clusterings is 0; it must be from 1 to"));
  EXPECT_EQ(complaint({.restarts = 0}), "restarts is 0; it must be from 1 to 100000");
}

TEST(Options, CountsHaveUpperLimits) {
  EXPECT_NE(complaint({.clusterings = 65536}), "");
  EXPECT_EQ(complaint({.components = 70000}),
            "components is 70000; it must be from 1 to 65535, or 0 for auto (clusters, or 2 when "
            "unknown)");
  EXPECT_NE(complaint({.centroids = std::numeric_limits<std::uint32_t>::max()}), "");
}

TEST(Options, TheLimitsOfEveryCountAreValid) {
  FitOptions options;
  visit_fields(options, [&](const Field& field, auto& value) {
    if constexpr (std::is_same_v<decltype(value), std::uint32_t&>) {
      const std::uint32_t kept = value;
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
  EXPECT_EQ(complaint({.metric = static_cast<Metric>(9)}),
            "metric is choice number 9; it must be one of euclidean, cosine");
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
