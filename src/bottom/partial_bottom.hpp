// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "bottom/bottom_engine.hpp"

namespace mbn {

/// Exact search for the Euclidean metric where cells may be missing (NaN), in kept rows and in
/// others: the nearest drawn row by `partial_distance` on the drawn features, or on all columns for
/// a row that has none of those. `complete` encodes rows without missing cells; it is for kept rows
/// without missing cells only, and null otherwise. `kept` and `draws` must outlive the engine.
std::unique_ptr<BottomEngine> make_partial_bottom(MatrixView kept, const Draws& draws,
                                                  std::size_t batch_rows,
                                                  std::unique_ptr<BottomEngine> complete);

/// Bytes of work space that one thread takes.
std::uint64_t partial_bottom_bytes(std::uint64_t centroids, std::uint64_t features,
                                   std::uint64_t batch_rows);
/// Estimated seconds on one core.
double partial_bottom_seconds(std::uint64_t rows, std::uint64_t clusterings,
                              std::uint64_t centroids, std::uint64_t features);

}  // namespace mbn
