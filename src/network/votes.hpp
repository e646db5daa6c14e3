// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/codes.hpp>
#include <mbn/matrix.hpp>

#include "base/job.hpp"

namespace mbn {

/// How the clusterings of the top layer vote. A clustering cuts the rows into cells, one for each
/// row it drew; the share of each cluster among the training rows of a cell is what that cell says
/// about any row in it. (clusterings * centroids) x clusters; a cell without training rows says
/// that all clusters are equally likely.
Matrix count_votes(const CodeMatrix& codes, std::span<const std::int32_t> labels,
                   std::uint32_t clusters);

/// Bytes of that table.
constexpr std::uint64_t votes_bytes(std::uint64_t clusterings, std::uint64_t centroids,
                                    std::uint64_t clusters) {
  return clusterings * centroids * clusters * sizeof(float);
}

/// The mean of what a row's cells say: rows x clusters, each row sums to 1 but for rounding. In
/// double, clusterings in order, rounded once.
Matrix vote(const Matrix& votes, const CodeMatrix& codes, Job& job);

}  // namespace mbn
