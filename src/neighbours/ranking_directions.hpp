// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mbn/matrix.hpp>

#include "base/job.hpp"
#include "neighbours/quantiser.hpp"

namespace mbn {

/// A few orthogonal directions along which the kept rows have the largest variance, as integers, so
/// that projections are the same on every machine. `count` is 0 when there are none. Part of the
/// model.
struct RankingDirections {
  static constexpr std::uint32_t kUsual = 64;

  std::uint32_t count = 0;
  std::vector<std::int16_t> centre;  ///< [feature] the mean of the quantised kept rows
  std::vector<std::int16_t> cells;   ///< count x features; a direction has norm 2^14

  bool operator==(const RankingDirections&) const = default;

  /// Whether the directions are orthogonal and of norm 2^14, and the norm of the centre is within
  /// its limit: then no sum of products leaves the range of int32. For directions that come from a
  /// file.
  bool sound() const;
};

/// Finds `count` directions (at most as many as features) on a sample of the kept rows. More
/// directions rank better and are slower. The result depends on the arguments only.
RankingDirections find_ranking_directions(MatrixView kept, const Quantiser& quantiser,
                                          std::uint32_t count, Job& job);

/// Projects rows on the directions. With z(x) the projection of a quantised row x without the
/// centre,
///
///     norm(w) - 2 <z(x), z(w)>
///
/// ranks the kept rows w as |x - w|^2 / 4 does, if inner products outside the span of the
/// directions are taken as zero. (|x|^2 / 4 is left out: it is the same for all w.)
class Projector {
 public:
  Projector(const RankingDirections& directions, const Quantiser& quantiser);

  std::size_t count() const { return directions_.count; }
  /// Writes to `out` the `count()` cells of each row from `first` on, and to `norms` their squared
  /// norms / 4 on all features. Rows whose norm is too large for the quantiser get zeros and the
  /// norm -1.
  void project(MatrixView rows, std::size_t first, std::size_t rows_count, std::int16_t* out,
               std::int32_t* norms) const;

 private:
  const RankingDirections& directions_;
  const Quantiser& quantiser_;
  std::vector<std::int16_t> padded_;   // directions with the quantiser's stride
  std::vector<std::int32_t> offsets_;  // of the centre along each direction
};

}  // namespace mbn
