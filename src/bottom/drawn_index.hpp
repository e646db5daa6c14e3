// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bottom/draws.hpp"

namespace mbn {

/// The draws of a layer seen from the other side: which clusterings drew a kept row, and as which
/// code. Also the drawn features as masks. Memory: 4 bytes for each drawn row of each clustering.
class DrawnIndex {
 public:
  /// With 0 `input_features` there are no masks of features.
  DrawnIndex(const Draws& draws, std::size_t kept_rows, std::size_t input_features);

  std::size_t clusterings() const { return clusterings_; }
  /// 64-bit words of a mask over clusterings.
  std::size_t words() const { return words_; }
  /// The clusterings that drew kept row `row`, as bits.
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
