// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for every instruction set by equal_codes.cpp, which explains it.
#if defined(MBN_KERNELS_EQUAL_CODES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MBN_KERNELS_EQUAL_CODES_INL_H_
#undef MBN_KERNELS_EQUAL_CODES_INL_H_
#else
#define MBN_KERNELS_EQUAL_CODES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mbn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Code>
HWY_INLINE void count_equal_codes(const Code* HWY_RESTRICT row, const Code* HWY_RESTRICT rows,
                                  std::size_t count, std::size_t features,
                                  std::uint16_t* HWY_RESTRICT equal) {
  const hn::ScalableTag<Code> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < count; ++i) {
    const Code* HWY_RESTRICT other = rows + i * features;
    std::size_t sum = 0;
    std::size_t f = 0;
    for (; f + lanes <= features; f += lanes) {
      sum += hn::CountTrue(d, hn::Eq(hn::LoadU(d, row + f), hn::LoadU(d, other + f)));
    }
    for (; f < features; ++f) sum += row[f] == other[f];
    equal[i] = static_cast<std::uint16_t>(sum);
  }
}

inline void count_equal_u8(const std::uint8_t* row, const std::uint8_t* rows, std::size_t count,
                           std::size_t features, std::uint16_t* equal) {
  count_equal_codes(row, rows, count, features, equal);
}
inline void count_equal_u16(const std::uint16_t* row, const std::uint16_t* rows, std::size_t count,
                            std::size_t features, std::uint16_t* equal) {
  count_equal_codes(row, rows, count, features, equal);
}
inline void count_equal_u32(const std::uint32_t* row, const std::uint32_t* rows, std::size_t count,
                            std::size_t features, std::uint16_t* equal) {
  count_equal_codes(row, rows, count, features, equal);
}

}  // namespace HWY_NAMESPACE
}  // namespace mbn
HWY_AFTER_NAMESPACE();

#endif
