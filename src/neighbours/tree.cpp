// SPDX-License-Identifier: Apache-2.0
//
// Lists from a k-d tree, for rows of few columns, where it looks at a small part of the kept rows.
#include <algorithm>
#include <vector>

#include "neighbours/kd_tree.hpp"
#include "neighbours/neighbour_lists.hpp"
#include "rows/gather.hpp"

namespace mbn {

namespace {

constexpr std::size_t kMostColumns = 10;
// With fewer kept rows all pairs are quick.
constexpr std::size_t kFewRows = 2000;
constexpr std::size_t kRowsPerTask = 64;

class TreeFinder final : public NeighbourFinder {
 public:
  explicit TreeFinder(MatrixView kept)
      : NeighbourFinder(kept, Metric::euclidean), tree_(cells_of(kept), kept.columns()) {}

  NeighbourLists find(MatrixView rows, std::size_t length, Job& job) const override {
    NeighbourLists lists(rows.rows(), std::min(length, kept().rows()));
    if (lists.length() == 0) return lists;
    job.parallel(blocks(rows.rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
      std::vector<float> x(rows.columns());
      const std::size_t last = std::min(rows.rows(), (task + 1) * kRowsPerTask);
      for (std::size_t row = task * kRowsPerTask; row < last; ++row) {
        copy_row(rows, row, x.data());
        const std::vector<TreeNeighbour> found = tree_.nearest(x.data(), lists.length());
        for (std::size_t n = 0; n < found.size(); ++n) {
          lists.mutable_numbers(row)[n] = found[n].number;
          lists.mutable_distances(row)[n] = static_cast<float>(found[n].distance);
        }
      }
    });
    return lists;
  }

 private:
  static std::vector<float> cells_of(MatrixView kept) {
    std::vector<float> cells(kept.rows() * kept.columns());
    for (std::size_t i = 0; i < kept.rows(); ++i) {
      copy_row(kept, i, cells.data() + i * kept.columns());
    }
    return cells;
  }

  KdTree tree_;
};

}  // namespace

bool tree_pays(Shape kept, Metric metric) {
  return metric == Metric::euclidean && kept.columns <= kMostColumns && kept.rows >= kFewRows;
}

std::unique_ptr<NeighbourFinder> make_tree(MatrixView kept) {
  return std::make_unique<TreeFinder>(kept);
}

std::unique_ptr<NeighbourFinder> make_neighbour_finder(MatrixView kept, Metric metric,
                                                       const RankingDirections& directions,
                                                       Job& job) {
  if (tree_pays(kept.shape(), metric)) return make_tree(kept);
  return make_brute_force(kept, metric, directions.count != 0 ? &directions : nullptr, job);
}

std::uint64_t tree_bytes(Shape kept, std::uint64_t rows, std::uint64_t length) {
  return KdTree::bytes(kept.rows, kept.columns) +
         rows * (length * (sizeof(std::uint32_t) + sizeof(float)) + 1);
}

std::uint64_t neighbour_finder_bytes(Shape kept, std::uint64_t rows, std::uint64_t length,
                                     Metric metric, unsigned threads) {
  return tree_pays(kept, metric) ? tree_bytes(kept, rows, length)
                                 : brute_force_bytes(kept, rows, length, metric, threads);
}

}  // namespace mbn
