// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/options.hpp>

namespace mbn {

/// Clusters that the stopping rule assumes when their number is unknown.
inline constexpr std::uint32_t kAssumedClusters = 10;

/// The decay that is taken unless another one has a better stability.
inline constexpr double kUsualDecay = 0.5;
/// The largest decay that `choose` tries.
inline constexpr double kDeepestDecay = 0.9;

/// Rows that clusterings draw from: all of them, or the pool when it is smaller.
std::uint64_t drawable_rows(std::uint64_t rows, const FitOptions& options);

/// Drawn rows per clustering for each layer, bottom first: floor(k1 decay^l), down to the last that
/// is at least 1.5 x clusters. There is always a bottom layer, however narrow.
/// InvalidArgument when clusters exceed the rows, or centroids the rows to draw from.
std::vector<std::uint32_t> schedule(std::uint64_t rows, const FitOptions& options);

/// Columns of the embedding: as asked, else clusters, else 2.
std::uint32_t embedding_components(const FitOptions& options);

/// Components that the map looks at: clusters, else as many as are assumed.
std::uint32_t map_components(const FitOptions& options);

}  // namespace mbn
