// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bottom/draws.hpp"

namespace mbn {

/// The draws of a layer by kept row: which clusterings drew it, and its code in each of them. Also
/// the drawn features as masks. Never changed once made. Memory: 4 bytes for each drawn row of each
/// clustering, one bit for each kept row and clustering, one byte for each feature and clustering.
class DrawnIndex {
 public:
  /// Without masks of features when `input_features` is 0.
  DrawnIndex(const Draws& draws, std::size_t kept_rows, std::size_t input_features);

  std::size_t clusterings() const { return clusterings_; }
  /// 64-bit words of a mask over clusterings.
  std::size_t words() const { return words_; }
  /// A bit mask of the clusterings that drew kept row `row`.
  const std::uint64_t* drawn_by(std::size_t row) const { return masks_.data() + row * words_; }
  /// The code of kept row `row` in a clustering that drew it.
  std::uint32_t code(std::size_t row, std::size_t clustering) const;

  /// One byte per feature in plane order (kernels/masked_sums.hpp), for each clustering.
  const std::uint8_t* feature_masks() const { return feature_masks_.data(); }

 private:
  std::size_t clusterings_;
  std::size_t words_;
  std::vector<std::uint64_t> masks_;  // kept rows x words
  std::vector<std::size_t> starts_;   // kept rows + 1: where a row's codes begin
  std::vector<std::uint32_t> codes_;  // of each row, in order of clusterings
  std::vector<std::uint8_t> feature_masks_;
};

}  // namespace mbn
