// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/agreement_walk.hpp"

namespace mbn {

/// One bit for each of 512 rows that are searched together.
struct alignas(64) RowSlice {
  static constexpr std::size_t kWords = 8;
  static constexpr std::size_t kRows = 64 * kWords;
  std::uint64_t words[kWords];
};

/// A block of up to 512 rows, prepared for the search. Plain pointers, because kernels are compiled
/// for several instruction sets.
struct RowBlock {
  /// Slice 0 is empty. Then follow, feature by feature, the slices of the codes that occur in the
  /// block: which rows have the code.
  const RowSlice* slices = nullptr;
  const std::uint32_t* first_slice = nullptr;  ///< [feature]
  /// [feature][code] the number of the code among the slices of that feature; undefined for codes
  /// that do not occur.
  const std::uint16_t* local = nullptr;
  /// [place][feature word] features in which the place's code occurs in the block.
  const std::uint64_t* shared = nullptr;
  const std::uint16_t* shared_count = nullptr;  ///< [place] how many features those are
  const std::uint32_t* order = nullptr;         ///< places that share any, roughly by that count
  std::size_t order_size = 0;
  RowSlice unused{};  ///< bits without a row, in a block of fewer than 512
};

/// The work space of one thread.
struct BlockSpace {
  static constexpr std::size_t kSlicesAtOnce = 8;
  /// Bit planes of a count of up to `drawn` features: the number of bits of `drawn`.
  static std::size_t count_planes(std::size_t drawn);
  static std::size_t code_planes(std::size_t centroids);

  std::uint32_t* selected = nullptr;  ///< [features + kSlicesAtOnce]
  RowSlice* counts = nullptr;         ///< [count planes + 3]
  RowSlice* best = nullptr;           ///< [clustering][count planes] agreement
  RowSlice* answer = nullptr;         ///< [clustering][code planes] the code with that agreement
  std::uint16_t* least = nullptr;     ///< [clustering] lowest best of any row
};

/// Finds, for every row of the block and every clustering, the drawn row that agrees with it on the
/// most drawn features; ties go to the lower code, and the answer is code 0 when no drawn row
/// agrees in any feature. `kept` are the codes of all places. The answers are left in
/// `space.answer`, as bit planes.
template <class Code>
void search_block(const WalkIndex& index, const RowBlock& block, const Code* kept,
                  std::size_t centroids, const BlockSpace& space);

/// Reads the codes of 512 rows from their bit planes; those of unused bits are undefined.
void read_answers(const RowSlice* planes, std::size_t count, std::uint32_t* answers);

/// Transposes a 64 x 64 matrix of bits: bit j of word i becomes bit i of word j. `counts` are
/// the bits that are then set in each word.
void transpose_bits(std::uint64_t* words, std::uint16_t* counts);

}  // namespace mbn
