// SPDX-License-Identifier: Apache-2.0
#include "base/logarithm.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mbn {
namespace {

TEST(NaturalLog, IsTheLogarithmToTheLastDigits) {
  for (const double x : {1e-300, 0.001, 0.5, 0.70710678, 0.7071068, 0.999999, 1.0, 1.000001, 1.5,
                         2.0, 2.718281828459045, 3.0, 10.0, 123456.0, 1e300}) {
    EXPECT_NEAR(natural_log(x), std::log(x), 4e-16 * std::max(1.0, std::abs(std::log(x)))) << x;
  }
  EXPECT_EQ(natural_log(1), 0);
}

}  // namespace
}  // namespace mbn
