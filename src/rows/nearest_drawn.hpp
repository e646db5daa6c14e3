// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"

namespace mbn {

/// Of rows that are distances to the training rows (Metric::precomputed): which of those each
/// clustering drew, as numbers of columns. A row's code in a clustering is the nearest of them, and
/// the codes take the place of its distances: what the network compares is how many are equal.
struct DrawnColumns {
  std::uint32_t clusterings = 0;
  std::uint32_t centroids = 0;              ///< columns that each clustering drew
  std::vector<std::uint32_t> columns = {};  ///< clusterings x centroids, in drawn order

  bool empty() const { return columns.empty(); }
  std::span<const std::uint32_t> of(std::size_t clustering) const {
    return std::span(columns).subspan(clustering * centroids, centroids);
  }
  std::uint64_t bytes() const { return columns.size() * sizeof(std::uint32_t); }
  bool operator==(const DrawnColumns&) const = default;
};

/// Codes of a row: as many as the network has clusterings, but not too few to compare rows by.
constexpr std::uint32_t codes_of_distances(std::uint32_t clusterings) {
  constexpr std::uint32_t kFewest = 100;
  return std::max(clusterings, kFewest);
}

/// More columns than this have numbers that a float32 does not hold exactly.
inline constexpr std::uint64_t kMostDistances = 1 << 24;

/// `centroids` of `columns` for each clustering, without replacement.
DrawnColumns draw_columns(std::uint64_t seed, std::uint32_t columns, std::uint32_t clusterings,
                          std::uint32_t centroids);

/// rows x clusterings: the number of the nearest drawn column; of equally near ones the first in
/// drawn order. In sparse rows a distance that is not stored is not known: where none of the drawn
/// ones is, the code is the number of columns. InvalidArgument that names the first row in which
/// this is so in more than a tenth of the clusterings, with the number of neighbours that would do.
Matrix nearest_drawn(const DrawnColumns& drawn, RowsView distances, Job& job);

/// Bytes that `nearest_drawn` takes beside its result.
std::uint64_t nearest_drawn_bytes(std::uint64_t columns, std::uint64_t clusterings,
                                  std::uint64_t threads);

}  // namespace mbn
