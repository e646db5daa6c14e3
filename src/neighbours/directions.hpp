// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mbn/matrix.hpp>

#include "base/job.hpp"
#include "neighbours/quantiser.hpp"

namespace mbn {

/// A few orthogonal directions along which kept rows spreads most, in integers, so that every
/// machine projects alike. None: `count` is 0.
struct Directions {
  static constexpr std::uint32_t kUsual = 64;

  std::uint32_t count = 0;
  std::vector<std::int16_t>
      centre;  ///< the mean of the quantised kept rows, a cell for each feature
  std::vector<std::int16_t> cells;  ///< count x features; a direction has length 2^14

  bool operator==(const Directions&) const = default;

  /// Whether the directions are orthogonal, of their length, and the centre not too far off: then
  /// no sum of products leaves the range of int32.
  bool sound() const;
};

/// Finds them on a sample of the kept rows, in a fixed order.
Directions find_directions(MatrixView kept, const Quantiser& quantiser, std::uint32_t count);

/// What ranks neighbours by their projections: |x - w|^2 / 4 without what all w share,
///
///     norm(w) - 2 <z(x), z(w)>,
///
/// where the products of what the directions do not see are taken as zero.
class Projector {
 public:
  Projector(const Directions& directions, const Quantiser& quantiser);

  std::size_t count() const { return directions_.count; }
  /// Writes to `out` the `count()` cells of each row from `first` on, and to `norms` their norms;
  /// rows that the quantiser finds too long get zeros and the norm -1.
  void project(MatrixView rows, std::size_t first, std::size_t rows_count, std::int16_t* out,
               std::int32_t* norms) const;

 private:
  const Directions& directions_;
  const Quantiser& quantiser_;
  std::vector<std::int16_t> padded_;   // directions with the quantiser's stride
  std::vector<std::int32_t> offsets_;  // of the centre along each direction
};

}  // namespace mbn
