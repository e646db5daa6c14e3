// SPDX-License-Identifier: Apache-2.0
//
// Exact search at the bottom for few drawn features: a k-d tree over the drawn rows of each
// clustering, on the features that it drew. A query looks at some tens of points instead of all.
// The codes are those of product_bottom.cpp: the tree's distances are the doubles that decide
// there, and ties go to the lower code. Of drawn rows that are equal on the drawn features only the
// one with the lowest code can win, so the others are left out: tables of whole numbers have many.
//
// Clusterings are independent: each is one task, which makes its tree and forgets it.
#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "bottom/exact_engines.hpp"
#include "neighbours/kd_tree.hpp"
#include "rows/gather.hpp"

namespace mbn {

namespace {

constexpr std::size_t kRowsBetweenChecks = 4096;

class TreeBottom final : public BottomEngine {
 public:
  TreeBottom(MatrixView kept, const Draws& draws) : kept_(kept), draws_(draws) {}

  void encode(RowsView given, CodeMatrix& codes, Job& job) const override {
    const MatrixView rows = given.dense();
    job.parallel(draws_.clusterings, [&](std::size_t clustering, unsigned) {
      const Drawn drawn = gather_drawn(clustering);
      const auto columns = draws_.columns_of(clustering);
      std::vector<float> x(columns.size());
      codes.visit([&]<class Code>(Code* cells) {
        for (std::size_t i = 0; i < rows.rows(); ++i) {
          if (i % kRowsBetweenChecks == 0) job.check();
          gather_features(rows, i, columns, x.data());
          cells[i * draws_.clusterings + clustering] =
              static_cast<Code>(drawn.codes[drawn.tree.nearest(x.data()).number]);
        }
      });
    });
  }

 private:
  // A tree of different points; `codes` are theirs, ascending.
  struct Drawn {
    KdTree tree;
    std::vector<std::uint32_t> codes;
  };

  Drawn gather_drawn(std::size_t clustering) const {
    const auto columns = draws_.columns_of(clustering);
    const auto drawn = draws_.rows_of(clustering);
    const std::size_t width = columns.size();
    std::vector<float> cells(drawn.size() * width);
    for (std::size_t code = 0; code < drawn.size(); ++code) {
      gather_features(kept_, drawn[code], columns, cells.data() + code * width);
    }
    const std::vector<std::uint32_t> codes = first_of_equal_points(cells, width);
    std::vector<float> points(codes.size() * width);
    for (std::size_t n = 0; n < codes.size(); ++n) {
      std::copy_n(cells.data() + codes[n] * width, width, points.data() + n * width);
    }
    return {KdTree(std::move(points), width), codes};
  }

  static std::vector<std::uint32_t> first_of_equal_points(const std::vector<float>& cells,
                                                          std::size_t width) {
    std::vector<std::uint32_t> order(cells.size() / width);
    std::iota(order.begin(), order.end(), 0U);
    const auto point = [&](std::uint32_t n) { return std::span(cells).subspan(n * width, width); };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(point(a), point(b));
    });
    const auto equal = [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::equal(point(a), point(b));
    };
    order.erase(std::unique(order.begin(), order.end(), equal), order.end());
    std::sort(order.begin(), order.end());
    return order;
  }

  MatrixView kept_;
  const Draws& draws_;
};

}  // namespace

std::unique_ptr<BottomEngine> make_tree_bottom(MatrixView kept, const Draws& draws) {
  return std::make_unique<TreeBottom>(kept, draws);
}

std::uint64_t tree_bottom_bytes(std::uint64_t centroids, std::uint64_t features) {
  return KdTree::bytes(centroids, features) +
         centroids * (features * sizeof(float) + 2 * sizeof(std::uint32_t));
}

}  // namespace mbn
