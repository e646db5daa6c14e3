// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "bottom/bottom_engine.hpp"

namespace mbn {

/// The exact engines for dense rows, behind `make_exact_bottom`. They give the same codes.

/// Inner products with all drawn rows, by matrix products: for many features.
std::unique_ptr<BottomEngine> make_product_bottom(MatrixView kept, const Draws& draws,
                                                  Metric metric, std::size_t batch_rows);
/// A k-d tree for each clustering: for Euclidean distance on few drawn features.
std::unique_ptr<BottomEngine> make_tree_bottom(MatrixView kept, const Draws& draws);

/// Estimates in float32 by blocks: for the metrics without inner products. It takes no more than
/// the engine of matrix products.
std::unique_ptr<BottomEngine> make_panel_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                                std::size_t batch_rows);

/// Bytes of workspace that one thread takes.
std::uint64_t product_bottom_bytes(std::uint64_t centroids, std::uint64_t features,
                                   std::uint64_t batch_rows);
std::uint64_t tree_bottom_bytes(std::uint64_t centroids, std::uint64_t features);

}  // namespace mbn
