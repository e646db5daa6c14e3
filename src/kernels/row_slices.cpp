// SPDX-License-Identifier: Apache-2.0
//
// Searches a block of 512 similar rows against all drawn rows of all clusterings, with one bit for
// each row.
//
// For every feature and code, the block has a slice: a bit for each of its 512 rows that has the
// code there. The agreement of all rows with a drawn row w is the sum
//
//     sum over drawn features f  of  slice(f, code_f(w)),
//
// bit by bit. Because the rows are similar, few codes occur in the block, and most codes of most
// drawn rows have no slice: only a few slices of 512 bits are left to add. Sums, best agreements
// and codes are stored as bit planes (plane p holds bit p of 512 numbers), so one comparison of
// planes serves 512 rows.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_slices.cpp"
#include <hwy/foreach_target.h>

#include "kernels/row_slices-inl.h"
#include "kernels/targets.hpp"

#if HWY_ONCE
#include <algorithm>
#include <bit>
#include <type_traits>

namespace mbn {

HWY_EXPORT(search_block_u8);
HWY_EXPORT(search_block_u16);
HWY_EXPORT(search_block_u32);
HWY_EXPORT(transpose_bits_target);

std::size_t BlockSpace::count_planes(std::size_t drawn) {
  return static_cast<std::size_t>(std::bit_width(drawn));
}

std::size_t BlockSpace::code_planes(std::size_t centroids) {
  return static_cast<std::size_t>(std::bit_width(centroids - 1));
}

template <class Code>
void search_block(const WalkIndex& index, const RowBlock& block, const Code* kept,
                  std::size_t centroids, const BlockSpace& space) {
  if constexpr (std::is_same_v<Code, std::uint8_t>) {
    MBN_DISPATCH(search_block_u8)(index, block, kept, centroids, space);
  } else if constexpr (std::is_same_v<Code, std::uint16_t>) {
    MBN_DISPATCH(search_block_u16)(index, block, kept, centroids, space);
  } else {
    MBN_DISPATCH(search_block_u32)(index, block, kept, centroids, space);
  }
}

void transpose_bits(std::uint64_t* words, std::uint16_t* counts) {
  MBN_DISPATCH(transpose_bits_target)(words, counts);
}

namespace {

// Transposes a matrix of 8 x 8 bits.
std::uint64_t turn(std::uint64_t x) {
  const auto swap = [&x](int shift, std::uint64_t mask) {
    const std::uint64_t moved = (x ^ x >> shift) & mask;
    x ^= moved ^ moved << shift;
  };
  swap(7, 0x00AA00AA00AA00AAU);
  swap(14, 0x0000CCCC0000CCCCU);
  swap(28, 0x00000000F0F0F0F0U);
  return x;
}

}  // namespace

// Eight rows at a time: a byte of each of eight planes makes a matrix of 8 x 8 bits. Transposed, it
// holds a byte of each row's code.
void read_answers(const RowSlice* planes, std::size_t count, std::uint32_t* answers) {
  for (std::size_t r = 0; r < RowSlice::kRows; ++r) answers[r] = 0;
  for (std::size_t first = 0; first < count; first += 8) {
    const std::size_t some = std::min<std::size_t>(8, count - first);
    for (std::size_t group = 0; group < RowSlice::kRows / 8; ++group) {
      std::uint64_t matrix = 0;
      for (std::size_t p = 0; p < some; ++p) {
        const std::uint64_t word = planes[first + p].words[group / 8];
        matrix |= (word >> group % 8 * 8 & 255) << 8 * p;
      }
      matrix = turn(matrix);
      for (std::size_t r = 0; r < 8; ++r) {
        answers[8 * group + r] |= static_cast<std::uint32_t>(matrix >> 8 * r & 255) << first;
      }
    }
  }
}

template void search_block(const WalkIndex&, const RowBlock&, const std::uint8_t*, std::size_t,
                           const BlockSpace&);
template void search_block(const WalkIndex&, const RowBlock&, const std::uint16_t*, std::size_t,
                           const BlockSpace&);
template void search_block(const WalkIndex&, const RowBlock&, const std::uint32_t*, std::size_t,
                           const BlockSpace&);

}  // namespace mbn
#endif
