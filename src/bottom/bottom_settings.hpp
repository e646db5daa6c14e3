// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "neighbours/directions.hpp"

namespace mbn {

enum class BottomKind : std::uint8_t { exact, walk };

/// How the nearest drawn rows are found at the bottom layer. Calibrated once, at fit, and kept with
/// the model: a row gets the same code from the same settings, always.
struct BottomSettings {
  BottomKind kind = BottomKind::exact;
  /// Neighbours that the walk looks at. More are slower and nearer to exact.
  std::uint32_t list_length = 0;
  /// A clustering's search ends when tau times the expected distance of the next neighbour exceeds
  /// its best. 0 never ends early; smaller is slower and nearer to exact.
  double tau = 0;
  /// A clustering does not look at a neighbour whose expected distance lies more than this many
  /// standard deviations above its best. 0 looks at all; larger is slower and nearer to exact.
  double margin = 0;
  /// Share of sampled (row, clustering) pairs, of clusterings that did not draw the row, in which
  /// the engine found what exact search finds.
  double recall = 1;
  /// On which neighbours are ranked first; none: on all features.
  Directions directions = {};

  bool operator==(const BottomSettings&) const = default;
};

}  // namespace mbn
