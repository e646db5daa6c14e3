// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <mbn/matrix.hpp>

#include "base/job.hpp"
#include "neighbours/neighbour_lists.hpp"

namespace mbn {

/// Rows of the joint space, each once, that can be found again and searched for neighbours.
class JointIndex {
 public:
  JointIndex(const Matrix& joint, Job& job);

  /// The different rows, in the order of their first appearance.
  const Matrix& rows() const { return rows_; }
  /// For every row that was given, which of the different ones it is.
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }

  /// The row with the same bytes.
  std::optional<std::uint32_t> find(const float* row) const;
  /// The `length` nearest rows (all when there are fewer) of others, nearest first.
  std::vector<std::vector<std::uint32_t>> nearest(MatrixView others, std::size_t length,
                                                  Job& job) const;
  /// The same for the rows themselves, each of which is its own first neighbour.
  NeighbourLists own_neighbours(std::size_t length, Job& job) const;

 private:
  std::string_view bytes_of(const float* row) const {
    return {reinterpret_cast<const char*>(row), rows_.columns() * sizeof(float)};
  }
  std::vector<std::uint32_t> nearest_by_scan(const float* row, std::size_t length) const;

  Matrix rows_;
  std::vector<std::uint32_t> numbers_;
  std::unordered_map<std::string_view, std::uint32_t> known_;  // by the bytes of `rows_`
  RankingDirections no_directions_;
  std::unique_ptr<NeighbourFinder> finder_;
};

/// Bytes that an index of so many rows takes, with the lists of its own neighbours.
std::uint64_t joint_index_bytes(Shape joint, std::uint64_t length, unsigned threads);

}  // namespace mbn
