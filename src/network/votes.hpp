// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include <mbn/codes.hpp>
#include <mbn/matrix.hpp>

#include "base/job.hpp"

namespace mbn {

/// For every code of every clustering of the top layer: the shares of the clusters among the
/// training rows that have this code. (clusterings * centroids) x clusters. A code that no training
/// row has gets equal shares.
Matrix count_votes(const CodeMatrix& codes, std::span<const std::int32_t> labels,
                   std::uint32_t clusters);

/// Bytes of that table.
constexpr std::uint64_t votes_bytes(std::uint64_t clusterings, std::uint64_t centroids,
                                    std::uint64_t clusters) {
  return clusterings * centroids * clusters * sizeof(float);
}

/// Probabilities of the clusters: the mean of these shares over a row's codes. rows x clusters;
/// each row sums to 1 but for rounding. Summed in double, clusterings in order, rounded once.
Matrix vote(const Matrix& votes, const CodeMatrix& codes, Job& job);

}  // namespace mbn
