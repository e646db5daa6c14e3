// SPDX-License-Identifier: Apache-2.0
#include "map/joint_index.hpp"

#include <algorithm>
#include <numeric>

#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

// The first row of each kind, and for every row its kind.
std::vector<std::uint32_t> first_of_each(const Matrix& joint, std::vector<std::uint32_t>& numbers) {
  std::unordered_map<std::string_view, std::uint32_t> seen;
  std::vector<std::uint32_t> first;
  numbers.reserve(joint.rows());
  for (std::uint32_t i = 0; i < joint.rows(); ++i) {
    const std::string_view bytes(reinterpret_cast<const char*>(joint.view().row<float>(i)),
                                 joint.columns() * sizeof(float));
    const auto [place, is_new] = seen.emplace(bytes, static_cast<std::uint32_t>(first.size()));
    if (is_new) first.push_back(i);
    numbers.push_back(place->second);
  }
  return first;
}

}  // namespace

JointIndex::JointIndex(const Matrix& joint, Job& job) {
  rows_ = gather_rows(joint, first_of_each(joint, numbers_));
  known_.reserve(rows_.rows());
  for (std::uint32_t i = 0; i < rows_.rows(); ++i) {
    known_.emplace(bytes_of(rows_.view().row<float>(i)), i);
  }
  finder_ = make_neighbour_finder(rows_, Metric::euclidean, no_directions_, job);
}

std::optional<std::uint32_t> JointIndex::find(const float* row) const {
  const auto found = known_.find(bytes_of(row));
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

NeighbourLists JointIndex::own_neighbours(std::size_t length, Job& job) const {
  return finder_->find(rows_, length, job);
}

std::vector<std::vector<std::uint32_t>> JointIndex::nearest(MatrixView others, std::size_t length,
                                                            Job& job) const {
  const NeighbourLists lists = finder_->find(others, length, job);
  std::vector<std::vector<std::uint32_t>> nearest(others.rows());
  job.parallel(others.rows(), [&](std::size_t row, unsigned) {
    if (lists.found(row)) {
      nearest[row].assign(lists.numbers(row).begin(), lists.numbers(row).end());
    } else {
      nearest[row] = nearest_by_scan(others.row<float>(row), length);
    }
  });
  return nearest;
}

std::vector<std::uint32_t> JointIndex::nearest_by_scan(const float* row, std::size_t length) const {
  std::vector<double> distances(rows_.rows());
  for (std::size_t i = 0; i < distances.size(); ++i) {
    distances[i] = distance(Metric::euclidean, row, rows_.view().row<float>(i), rows_.columns());
  }
  std::vector<std::uint32_t> order(rows_.rows());
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t count = std::min(length, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
                    });
  order.resize(count);
  return order;
}

std::uint64_t joint_index_bytes(Shape joint, std::uint64_t length, unsigned threads) {
  constexpr std::uint64_t kLookup = 64;  // bytes of a hash table's entry
  return 2 * joint.bytes() + joint.rows * kLookup +
         neighbour_finder_bytes(joint, joint.rows, length, Metric::euclidean, threads);
}

}  // namespace mbn
