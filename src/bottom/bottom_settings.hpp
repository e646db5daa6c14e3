// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "neighbours/ranking_directions.hpp"

namespace mbn {

enum class BottomKind : std::uint8_t { exact, walk };

/// How the nearest drawn rows are found at the bottom layer. `calibrate_bottom` decides it once,
/// when a model is fitted, and the model keeps it: a row gets the same code from the same settings,
/// always. The walk's fields are ignored by exact search.
struct BottomSettings {
  BottomKind kind = BottomKind::exact;
  /// Nearest kept rows of a row that the walk visits. A longer list is slower and has a higher
  /// recall.
  std::uint32_t list_length = 0;
  /// A clustering closes (looks at no further neighbour) when tau times the expected distance of
  /// the next neighbour exceeds its smallest distance so far. 0: never closes early. Smaller is
  /// slower and has a higher recall.
  double tau = 0;
  /// A clustering skips a neighbour whose expected distance lies more than this many standard
  /// deviations above its smallest distance so far. 0: skips none. Larger is slower and has a
  /// higher recall. Euclidean only.
  double margin = 0;
  /// Measured on a sample: the share of codes that are those of exact search, over (row,
  /// clustering) pairs in which the clustering did not draw the row itself. 1 for exact search.
  double recall = 1;
  /// Measured on the same pairs: how much farther the drawn row that the walk finds is than the
  /// nearest one, relative to its distance, on average. 0 for exact search.
  double excess = 0;
  /// Rows may have missing cells (NaN): bottom/partial_bottom.hpp. The engine above is then for
  /// rows without, where no kept row has any.
  bool partial = false;
  /// Neighbours are ranked along these directions first; none: on all features.
  RankingDirections directions = {};

  bool operator==(const BottomSettings&) const = default;
};

}  // namespace mbn
