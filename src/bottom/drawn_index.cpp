// SPDX-License-Identifier: Apache-2.0
//
// A table of the codes of all (kept row, clustering) pairs would be large and mostly empty. Instead
// each kept row has a bit mask of the clusterings that drew it, and a packed list of its codes in
// those clusterings only. The code in clustering v stands in that list at
//
//     popcount(bits of the mask below v).
//
// The walk reads the mask of every neighbour anyway, and needs a code only for the nearest drawn
// row.
#include "bottom/drawn_index.hpp"

#include <bit>

#include "kernels/masked_sums.hpp"

namespace mbn {

DrawnIndex::DrawnIndex(const Draws& draws, std::size_t kept_rows, std::size_t input_features)
    : clusterings_(draws.clusterings),
      words_((std::size_t{draws.clusterings} + 63) / 64),
      masks_(kept_rows * words_),
      starts_(kept_rows + 1),
      codes_(draws.rows.size()),
      feature_masks_(clusterings_ * padded_features(input_features)) {
  for (const std::uint32_t row : draws.rows) ++starts_[row + 1];
  for (std::size_t row = 0; row < kept_rows; ++row) starts_[row + 1] += starts_[row];
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t v = 0; v < clusterings_; ++v) {
    const auto rows = draws.rows_of(v);
    for (std::uint32_t code = 0; code < rows.size(); ++code) {
      codes_[next[rows[code]]++] = code;
      masks_[rows[code] * words_ + v / 64] |= std::uint64_t{1} << (v % 64);
    }
    if (input_features == 0) continue;
    std::uint8_t* mask = feature_masks_.data() + v * padded_features(input_features);
    for (const std::uint32_t column : draws.columns_of(v)) mask[plane_place(column)] = 255;
  }
}

std::uint32_t DrawnIndex::code(std::size_t row, std::size_t clustering) const {
  const std::uint64_t* mask = drawn_by(row);
  int below = 0;
  for (std::size_t word = 0; word < clustering / 64; ++word) below += std::popcount(mask[word]);
  const std::uint64_t lower = (std::uint64_t{1} << (clustering % 64)) - 1;
  below += std::popcount(mask[clustering / 64] & lower);
  return codes_[starts_[row] + static_cast<std::size_t>(below)];
}

}  // namespace mbn
