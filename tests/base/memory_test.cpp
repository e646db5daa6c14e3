// SPDX-License-Identifier: Apache-2.0
#include "base/memory.hpp"

#include <gtest/gtest.h>

namespace mbn {
namespace {

TEST(Memory, AvailableMemoryIsAboveAMegabyte) {
  EXPECT_GT(available_memory(), 1'000'000U);
}

TEST(Memory, BytesAreReadable) {
  EXPECT_EQ(readable_bytes(0), "0 bytes");
  EXPECT_EQ(readable_bytes(999), "999 bytes");
  EXPECT_EQ(readable_bytes(1500), "1.5 kB");
  EXPECT_EQ(readable_bytes(2'000'000'000), "2 GB");
}

}  // namespace
}  // namespace mbn
