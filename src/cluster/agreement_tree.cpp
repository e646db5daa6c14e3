// SPDX-License-Identifier: Apache-2.0
//
// Two rows are as far apart as codes are unequal, over all layers. With c(i) the distance of row i
// to its 4th nearest other row, the tree is that of single linkage over
//
//   m(i, j) = max(c(i), c(j), unequal(i, j))
//
// (mutual reachability, as in HDBSCAN). Distances are counts, so nothing is rounded. They are kept
// in a full matrix, which Prim's algorithm reads row by row: a minimal spanning tree has the same
// groups at every height as all edges together.
#include "cluster/agreement_tree.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "kernels/equal_codes.hpp"

namespace mbn {

namespace {

constexpr std::size_t kCoreNeighbour = 4;
// Rows of a task, and rows that each of them is compared with before the next one is read.
constexpr std::size_t kTaskRows = 32;
constexpr std::size_t kBlockRows = 256;

class Distances {
 public:
  Distances(std::span<const CodeMatrix> layers, Job& job)
      : rows_(layers.front().rows()), cells_(rows_ * rows_), core_(rows_) {
    for (const CodeMatrix& layer : layers)
      codes_ += static_cast<std::uint32_t>(layer.clusterings());
    job.parallel(blocks(rows_, kTaskRows), [&](std::size_t task, unsigned) {
      const std::size_t first = task * kTaskRows;
      const std::size_t last = std::min(first + kTaskRows, rows_);
      std::fill(cells_.begin() + static_cast<std::ptrdiff_t>(first * rows_),
                cells_.begin() + static_cast<std::ptrdiff_t>(last * rows_), codes_);
      for (const CodeMatrix& layer : layers) compare(layer, first, last);
      for (std::size_t row = first; row < last; ++row) core_[row] = core_distance(row);
    });
  }

  std::size_t rows() const { return rows_; }
  /// The largest distance that there could be.
  std::uint32_t codes() const { return codes_; }
  std::uint32_t between(std::size_t i, std::size_t j) const {
    return std::max({core_[i], core_[j], cells_[i * rows_ + j]});
  }

 private:
  void compare(const CodeMatrix& layer, std::size_t first, std::size_t last) {
    const std::size_t features = layer.clusterings();
    std::vector<std::uint16_t> equal(kBlockRows);
    layer.visit([&](const auto* codes) {
      for (std::size_t block = 0; block < rows_; block += kBlockRows) {
        const std::size_t count = std::min(kBlockRows, rows_ - block);
        for (std::size_t row = first; row < last; ++row) {
          count_equal(codes + row * features, codes + block * features, count, features,
                      equal.data());
          std::uint32_t* const cells = cells_.data() + row * rows_ + block;
          for (std::size_t i = 0; i < count; ++i) cells[i] -= equal[i];
        }
      }
    });
  }

  std::uint32_t core_distance(std::size_t row) const {
    const auto begin = cells_.begin() + static_cast<std::ptrdiff_t>(row * rows_);
    std::vector<std::uint32_t> others(begin, begin + static_cast<std::ptrdiff_t>(rows_));
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(row));
    const auto place =
        others.begin() + static_cast<std::ptrdiff_t>(std::min(kCoreNeighbour, others.size()) - 1);
    std::nth_element(others.begin(), place, others.end());
    return *place;
  }

  std::size_t rows_ = 0;
  std::uint32_t codes_ = 0;
  std::vector<std::uint32_t> cells_;
  std::vector<std::uint32_t> core_;
};

struct Edge {
  std::uint32_t distance = 0;
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  bool operator<(const Edge& other) const {
    return std::tie(distance, first, second) < std::tie(other.distance, other.first, other.second);
  }
};

std::vector<Edge> spanning_tree(const Distances& distances, const Job& job) {
  const auto rows = static_cast<std::uint32_t>(distances.rows());
  std::vector<Edge> nearest;  // for each row that is not in the tree, its nearest one that is
  for (std::uint32_t row = 1; row < rows; ++row) nearest.push_back({~std::uint32_t{0}, 0, row});
  std::vector<Edge> tree;
  std::uint32_t newest = 0;
  while (!nearest.empty()) {
    job.check();
    std::size_t best = 0;
    for (std::size_t i = 0; i < nearest.size(); ++i) {
      Edge& edge = nearest[i];
      const std::uint32_t distance = distances.between(newest, edge.second);
      if (distance < edge.distance) edge = {distance, newest, edge.second};
      if (edge.distance < nearest[best].distance) best = i;
    }
    newest = nearest[best].second;
    tree.push_back(nearest[best]);
    nearest[best] = nearest.back();
    nearest.pop_back();
  }
  return tree;
}

}  // namespace

std::vector<Merge> agreement_tree(std::span<const CodeMatrix> layers, Job& job) {
  const Distances distances(layers, job);
  std::vector<Edge> edges = spanning_tree(distances, job);
  std::sort(edges.begin(), edges.end());
  const auto rows = static_cast<std::uint32_t>(distances.rows());
  std::vector<std::uint32_t> above(2 * rows - 1);  // a group that holds this one; itself: none does
  std::iota(above.begin(), above.end(), 0U);
  const auto top = [&](std::uint32_t group) {
    while (above[group] != group) group = above[group] = above[above[group]];
    return group;
  };
  std::vector<Merge> merges;
  for (const Edge& edge : edges) {
    const auto [first, second] = std::minmax({top(edge.first), top(edge.second)});
    const auto size = [&](std::uint32_t group) {
      return group < rows ? 1 : merges[group - rows].rows;
    };
    const double height = static_cast<double>(edge.distance) / distances.codes();
    const std::uint32_t both = size(first) + size(second);
    above[first] = above[second] = rows + static_cast<std::uint32_t>(merges.size());
    merges.push_back({first, second, height, both});
  }
  return merges;
}

std::uint64_t agreement_tree_bytes(std::uint64_t rows) {
  return rows * rows * sizeof(std::uint32_t) + rows * 2 * (sizeof(Edge) + sizeof(Merge));
}

}  // namespace mbn
