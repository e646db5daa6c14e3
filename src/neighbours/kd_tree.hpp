// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace mbn {

/// A point of a tree, and how far it is from a query: the squared Euclidean distance of
/// rows/metric.hpp, in double.
struct TreeNeighbour {
  double distance = std::numeric_limits<double>::max();
  std::uint32_t number = 0;
  auto operator<=>(const TreeNeighbour&) const = default;
};

/// A k-d tree (nanoflann) over points of few columns. Its answers are those of comparing a query
/// with every point: the distances are the same doubles, and ties go to the lower number. Never
/// changes after it is made; may be asked from many threads.
class KdTree {
 public:
  /// `cells` are points x columns, row-major.
  KdTree(std::vector<float> cells, std::size_t columns);
  ~KdTree();
  KdTree(KdTree&&) noexcept;
  KdTree& operator=(KdTree&&) noexcept;

  /// The nearest point. There must be one.
  TreeNeighbour nearest(const float* x) const;
  /// The `length` nearest points, nearest first; all of them when there are fewer.
  std::vector<TreeNeighbour> nearest(const float* x, std::size_t length) const;

  /// What a tree of so many points takes.
  static std::uint64_t bytes(std::uint64_t points, std::uint64_t columns);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mbn
