// SPDX-License-Identifier: Apache-2.0
#include "network/votes.hpp"

#include <algorithm>
#include <vector>

#include <mbn/assignment.hpp>

namespace mbn {

namespace {
constexpr std::size_t kRowsPerTask = 256;
}

Matrix count_votes(const CodeMatrix& codes, std::span<const std::int32_t> labels,
                   std::uint32_t clusters) {
  const std::size_t centroids = codes.centroids();
  Matrix votes(codes.clusterings() * centroids, clusters);
  codes.visit([&](const auto* cells) {
    for (std::size_t i = 0; i < codes.rows(); ++i) {
      for (std::size_t v = 0; v < codes.clusterings(); ++v) {
        const std::size_t cell = v * centroids + cells[i * codes.clusterings() + v];
        votes.mutable_row<float>(cell)[labels[i]] += 1;  // exact up to 2^24 rows per code
      }
    }
  });
  for (std::size_t cell = 0; cell < votes.rows(); ++cell) {
    float* row = votes.mutable_row<float>(cell);
    double all = 0;
    for (std::uint32_t c = 0; c < clusters; ++c) all += static_cast<double>(row[c]);
    for (std::uint32_t c = 0; c < clusters; ++c) {
      row[c] = static_cast<float>(all > 0 ? static_cast<double>(row[c]) / all : 1.0 / clusters);
    }
  }
  return votes;
}

Matrix vote(const Matrix& votes, const CodeMatrix& codes, Job& job) {
  const std::size_t clusters = votes.columns();
  Matrix probabilities(codes.rows(), clusters);
  job.parallel(blocks(codes.rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
    std::vector<double> sums(clusters);
    const std::size_t last = std::min(codes.rows(), (task + 1) * kRowsPerTask);
    codes.visit([&](const auto* cells) {
      for (std::size_t i = task * kRowsPerTask; i < last; ++i) {
        std::ranges::fill(sums, 0.0);
        for (std::size_t v = 0; v < codes.clusterings(); ++v) {
          const float* said =
              votes.row<float>(v * codes.centroids() + cells[i * codes.clusterings() + v]);
          for (std::size_t c = 0; c < clusters; ++c) sums[c] += static_cast<double>(said[c]);
        }
        float* out = probabilities.mutable_row<float>(i);
        for (std::size_t c = 0; c < clusters; ++c) {
          out[c] = static_cast<float>(sums[c] / static_cast<double>(codes.clusterings()));
        }
      }
    });
  });
  return probabilities;
}

std::vector<float> confidence_of(MatrixView probabilities, std::span<const std::int32_t> labels) {
  std::vector<float> confidence(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float* row = probabilities.row<float>(i);
    const auto own = static_cast<std::size_t>(labels[i]);
    float next = 0;
    for (std::size_t c = 0; c < probabilities.columns(); ++c) {
      if (c != own) next = std::max(next, row[c]);
    }
    confidence[i] = row[own] > 0 ? row[own] / (row[own] + next) : 0;
  }
  return confidence;
}

}  // namespace mbn
