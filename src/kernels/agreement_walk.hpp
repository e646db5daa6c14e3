// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mbn {

/// What a walk reads: the kept rows of one upper layer, indexed for all clusterings at once. Plain
/// pointers, because kernels are compiled for several instruction sets. A "place" is the number of
/// a kept row in this index. A mask has one bit for each feature or clustering, in words of 64.
struct WalkIndex {
  /// Places are grouped in blocks of 16. A list of places is a list of entries, one for each block
  /// that holds any of them: the number of the block in the high bits, and below it one bit for
  /// each of its 16 places.
  static constexpr std::size_t kBlockPlaces = 16;
  static constexpr std::size_t kMostPlaces = std::size_t{1} << 20;
  static constexpr std::size_t kMostFeatures = 32767;
  static constexpr std::uint32_t block(std::uint32_t entry) { return entry >> kBlockPlaces; }
  static constexpr std::uint32_t bits(std::uint32_t entry) { return entry & 0xFFFF; }

  std::size_t features = 0;     ///< codes per row below, at most kMostFeatures
  std::size_t drawn = 0;        ///< features that a clustering drew
  std::size_t clusterings = 0;  ///< of this layer
  std::size_t codes_below = 0;
  std::size_t places = 0;
  std::size_t feature_words = 0;
  std::size_t clustering_words = 0;
  std::size_t drawn_by_stride = 0;  ///< words of `drawn_by` for each place

  const std::uint32_t* starts = nullptr;          ///< [feature][code], codes_below + 1 per feature
  const std::uint32_t* const* entries = nullptr;  ///< [feature][starts ..]: places with that code
  const std::uint64_t* drawn_features = nullptr;  ///< [clustering][feature word]
  const std::uint64_t* drawn_by = nullptr;        ///< [place][drawn_by_stride]
  const std::uint64_t* first_code = nullptr;      ///< [place], into `codes`; one more at the end
  const std::uint32_t* codes = nullptr;           ///< a place's codes, by ascending clustering
};

/// Rows to walk, in an order: row i is the codes of row `order[i]`.
template <class Code>
struct WalkRows {
  const Code* codes = nullptr;  ///< of all rows, `features` each
  const std::uint32_t* order = nullptr;
  std::size_t count = 0;
  std::uint32_t* answers = nullptr;  ///< [i][clustering] the codes that the walk finds
};

/// The entries of one list.
struct WalkList {
  const std::uint32_t* begin = nullptr;
  const std::uint32_t* end = nullptr;
};

/// The work space of one thread. Reused from row to row.
class WalkSpace {
 public:
  explicit WalkSpace(const WalkIndex& index);
  static std::uint64_t bytes(std::uint64_t features, std::uint64_t clusterings,
                             std::uint64_t places);

  /// As raw pointers, for the kernel.
  struct View {
    void* counts;                 ///< [place] agreement on all features; zeros between rows
    std::uint8_t* touched_block;  ///< [block] whether any count is above zero; zeros between rows
    std::uint32_t* blocks;
    std::uint32_t* touched;
    std::uint32_t* sorted;
    std::uint32_t* level;
    std::uint32_t* buckets;  ///< [features + 2]
    WalkList* lists;         ///< [2][features]
    std::uint64_t* equal;    ///< [feature word] features in which one place has the same code
    std::uint64_t* open;     ///< [clustering word] clusterings that are not closed
    std::int16_t* best;      ///< [clustering] agreement on drawn features so far
    double* reach;           ///< lowest agreement visited / highest agreement, averaged over rows
  };
  View view();

 private:
  std::vector<std::uint16_t> counts_;
  std::vector<std::uint8_t> touched_block_;
  std::vector<std::uint32_t> blocks_, touched_, sorted_, level_, buckets_;
  std::vector<WalkList> lists_;
  std::vector<std::uint64_t> masks_;
  std::vector<std::int16_t> best_;
  double reach_ = 0.5;
};

/// Finds, for each of the rows and every clustering, the drawn row that agrees with it on the most
/// drawn features; ties go to the lower code, and the answer is code 0 when no drawn row agrees in
/// any feature. `kept` are the codes of all places, `features` for each.
template <class Code>
void walk(const WalkIndex& index, const Code* kept, const WalkRows<Code>& rows, WalkSpace& space);

/// The same by comparing every drawn row, without a bound: the reference in tests.
template <class Code>
void walk_reference(const WalkIndex& index, const Code* kept, const WalkRows<Code>& rows);

}  // namespace mbn
