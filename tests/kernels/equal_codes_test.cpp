// SPDX-License-Identifier: Apache-2.0
#include "kernels/equal_codes.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "kernels/every_target.hpp"

namespace mbn {
namespace {

template <class Code>
void expect_counts() {
  Random random(5, Purpose::generate);
  for (const std::size_t features : {1U, 7U, 16U, 64U, 131U, 700U}) {
    for (const std::size_t count : {0U, 1U, 9U}) {
      std::vector<Code> row(features), rows(count * features);
      for (Code& code : row) code = static_cast<Code>(random.below(3));
      for (Code& code : rows) code = static_cast<Code>(random.below(3));
      std::vector<std::uint16_t> expected(count), found(count);
      reference::count_equal(row.data(), rows.data(), count, features, expected.data());
      on_every_target([&] {
        count_equal(row.data(), rows.data(), count, features, found.data());
        EXPECT_EQ(found, expected) << features << " features";
      });
    }
  }
}

TEST(EqualCodes, Of8Bits) {
  expect_counts<std::uint8_t>();
}
TEST(EqualCodes, Of16Bits) {
  expect_counts<std::uint16_t>();
}
TEST(EqualCodes, Of32Bits) {
  expect_counts<std::uint32_t>();
}

}  // namespace
}  // namespace mbn
