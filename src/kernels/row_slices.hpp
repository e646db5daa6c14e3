// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/agreement_walk.hpp"

namespace mbn {

/// One bit for each of 256 rows that are searched together.
struct alignas(32) RowSlice {
  static constexpr std::size_t kWords = 4;
  static constexpr std::size_t kRows = 64 * kWords;
  std::uint64_t words[kWords];
};

/// A block of up to 256 rows, prepared for the search. Plain pointers, because kernels are compiled
/// for several instruction sets.
struct RowBlock {
  /// Slice 0 is empty. Then, feature by feature, one for each code that a row of the block has:
  /// which rows have it.
  const RowSlice* slices = nullptr;
  const std::uint32_t* first_slice = nullptr;  ///< [feature]
  /// [feature][code] number among the slices of that feature; only for codes that a row has.
  const std::uint8_t* local = nullptr;
  /// [place][feature word]: features in which the place's code is one that a row has.
  const std::uint64_t* shared = nullptr;
  const std::uint16_t* shared_count = nullptr;  ///< [place] how many features those are
  const std::uint32_t* order = nullptr;         ///< places that share any, roughly most first
  std::size_t order_size = 0;
  RowSlice unused{};  ///< bits that stand for no row
};

/// What one thread writes while it searches a block.
struct BlockSpace {
  static constexpr std::size_t kSlicesAtOnce = 8;
  /// Planes of a count of up to `drawn` features: as many as the number `drawn` has bits.
  static std::size_t count_planes(std::size_t drawn);
  static std::size_t code_planes(std::size_t centroids);

  std::uint32_t* selected = nullptr;  ///< [features + kSlicesAtOnce]
  RowSlice* counts = nullptr;         ///< [count planes + 3]
  RowSlice* best = nullptr;           ///< [clustering][count planes] agreement
  RowSlice* answer = nullptr;         ///< [clustering][code planes] who agrees so much
  std::uint16_t* least = nullptr;     ///< [clustering] lowest best of any row
};

/// For every row of the block and every clustering, the drawn row that agrees with it on the most
/// drawn features; equals go to the lower code, and code 0 is the answer when nobody agrees. `kept`
/// are the codes of all places. The answers are left in the space, as planes of bits.
template <class Code>
void search_block(const WalkIndex& index, const RowBlock& block, const Code* kept,
                  std::size_t centroids, const BlockSpace& space);

/// Codes of 256 rows from their planes; those of unused bits mean nothing.
void read_answers(const RowSlice* planes, std::size_t count, std::uint32_t* answers);

/// Turns a 64 x 64 matrix of bits on its side: bit j of word i becomes bit i of word j.
void transpose_bits(std::uint64_t* words);

}  // namespace mbn
