// SPDX-License-Identifier: Apache-2.0
//
// Compares the codes of one row with those of many, a vector of codes at a time. The many lie in
// order in memory, so this goes as fast as memory is read.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/equal_codes-inl.h"
#include <hwy/foreach_target.h>
// The target that every machine has comes last.
#include <type_traits>

#include "kernels/equal_codes-inl.h"
#include "kernels/equal_codes.hpp"
#include "kernels/targets.hpp"

namespace mbn {

namespace {
HWY_EXPORT(count_equal_u8);
HWY_EXPORT(count_equal_u16);
HWY_EXPORT(count_equal_u32);
}  // namespace

template <class Code>
void count_equal(const Code* row, const Code* rows, std::size_t count, std::size_t features,
                 std::uint16_t* equal) {
  if constexpr (std::is_same_v<Code, std::uint8_t>) {
    MBN_DISPATCH(count_equal_u8)(row, rows, count, features, equal);
  } else if constexpr (std::is_same_v<Code, std::uint16_t>) {
    MBN_DISPATCH(count_equal_u16)(row, rows, count, features, equal);
  } else {
    MBN_DISPATCH(count_equal_u32)(row, rows, count, features, equal);
  }
}

namespace reference {

template <class Code>
void count_equal(const Code* row, const Code* rows, std::size_t count, std::size_t features,
                 std::uint16_t* equal) {
  for (std::size_t i = 0; i < count; ++i) {
    equal[i] = 0;
    for (std::size_t f = 0; f < features; ++f) {
      if (row[f] == rows[i * features + f]) ++equal[i];
    }
  }
}

template void count_equal(const std::uint8_t*, const std::uint8_t*, std::size_t, std::size_t,
                          std::uint16_t*);
template void count_equal(const std::uint16_t*, const std::uint16_t*, std::size_t, std::size_t,
                          std::uint16_t*);
template void count_equal(const std::uint32_t*, const std::uint32_t*, std::size_t, std::size_t,
                          std::uint16_t*);

}  // namespace reference

template void count_equal(const std::uint8_t*, const std::uint8_t*, std::size_t, std::size_t,
                          std::uint16_t*);
template void count_equal(const std::uint16_t*, const std::uint16_t*, std::size_t, std::size_t,
                          std::uint16_t*);
template void count_equal(const std::uint32_t*, const std::uint32_t*, std::size_t, std::size_t,
                          std::uint16_t*);

}  // namespace mbn
