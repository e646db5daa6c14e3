// SPDX-License-Identifier: Apache-2.0
//
// A k-d tree (nanoflann) for rows of few columns, where it visits a small part of the kept rows.
// The lists are those of all pairs: distances are the same doubles, and ties go by the number of
// the row. The tree leaves out a branch when its bound exceeds the farthest distance in the list.
// That bound is a sum in another order, which may differ in the last bits, so the comparison is
// widened by a factor of 1 + 1e-9.
#include <algorithm>
#include <cmath>
#include <limits>
#include <nanoflann.hpp>
#include <vector>

#include "neighbours/neighbour_lists.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

constexpr std::size_t kMostColumns = 10;
// With fewer kept rows all pairs are quick.
constexpr std::size_t kFewRows = 2000;
constexpr std::size_t kRowsPerTask = 64;
constexpr std::size_t kLeafRows = 16;

struct Neighbour {
  double distance = std::numeric_limits<double>::max();
  std::uint32_t number = 0;
  auto operator<=>(const Neighbour&) const = default;
};

// The kept rows, with the functions that nanoflann asks for.
struct Points {
  std::vector<float> cells;
  std::size_t columns = 0;

  std::size_t kdtree_get_point_count() const { return cells.size() / columns; }
  float kdtree_get_pt(std::size_t row, std::size_t column) const {
    return cells[row * columns + column];
  }
  const float* row(std::size_t number) const { return cells.data() + number * columns; }
  template <class Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

// The distance of rows/metric.hpp, and its part along one column for the bounds.
struct Distance {
  using ElementType = float;
  using DistanceType = double;

  explicit Distance(const Points& all) : points(all) {}
  double evalMetric(const float* x, std::uint32_t number, std::size_t columns) const {
    return distance(Metric::euclidean, x, points.row(number), columns);
  }
  template <class A, class B>
  double accum_dist(A a, B b, std::size_t /*column*/) const {
    const double difference = static_cast<double>(a) - static_cast<double>(b);
    return difference * difference;
  }

  const Points& points;
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<Distance, Points, -1, std::uint32_t>;

// The nearest rows so far, a heap with the farthest of them on top.
class Nearest {
 public:
  using DistanceType = double;
  explicit Nearest(std::size_t length) : length_(length) { heap_.reserve(length); }

  std::size_t size() const { return heap_.size(); }
  bool full() const { return heap_.size() == length_; }
  double worstDist() const {
    constexpr double kMost = std::numeric_limits<double>::max();
    constexpr double kRoom = 1 + 1e-9;
    // The tree takes what is nearer than this. Widened, because a tie may win by its number.
    return full() ? std::nextafter(heap_.front().distance * kRoom, kMost) : kMost;
  }
  bool addPoint(double distance, std::uint32_t number) {
    const Neighbour one{distance, number};
    if (full()) {
      if (heap_.front() < one) return true;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(one);
    std::push_heap(heap_.begin(), heap_.end());
    return true;
  }
  const std::vector<Neighbour>& sorted() {
    std::sort_heap(heap_.begin(), heap_.end());
    return heap_;
  }

 private:
  std::size_t length_;
  std::vector<Neighbour> heap_;
};

class TreeFinder final : public NeighbourFinder {
 public:
  explicit TreeFinder(MatrixView kept)
      : NeighbourFinder(kept, Metric::euclidean),
        points_{std::vector<float>(kept.rows() * kept.columns()), kept.columns()} {
    for (std::size_t i = 0; i < kept.rows(); ++i) {
      copy_row(kept, i, points_.cells.data() + i * kept.columns());
    }
    tree_ = std::make_unique<Tree>(static_cast<int>(kept.columns()), points_,
                                   nanoflann::KDTreeSingleIndexAdaptorParams(kLeafRows));
  }

  NeighbourLists find(MatrixView rows, std::size_t length, Job& job) const override {
    NeighbourLists lists(rows.rows(), std::min(length, kept().rows()));
    if (lists.length() == 0) return lists;
    job.parallel(blocks(rows.rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
      std::vector<float> x(rows.columns());
      const std::size_t last = std::min(rows.rows(), (task + 1) * kRowsPerTask);
      for (std::size_t row = task * kRowsPerTask; row < last; ++row) {
        copy_row(rows, row, x.data());
        Nearest nearest(lists.length());
        tree_->findNeighbors(nearest, x.data(), nanoflann::SearchParams());
        const auto& found = nearest.sorted();
        for (std::size_t n = 0; n < found.size(); ++n) {
          lists.mutable_numbers(row)[n] = found[n].number;
          lists.mutable_distances(row)[n] = static_cast<float>(found[n].distance);
        }
      }
    });
    return lists;
  }

 private:
  Points points_;
  std::unique_ptr<Tree> tree_;
};

}  // namespace

bool tree_pays(Shape kept, Metric metric) {
  return metric == Metric::euclidean && kept.columns <= kMostColumns && kept.rows >= kFewRows;
}

std::unique_ptr<NeighbourFinder> make_tree(MatrixView kept) {
  return std::make_unique<TreeFinder>(kept);
}

std::unique_ptr<NeighbourFinder> make_neighbour_finder(MatrixView kept, Metric metric,
                                                       const Directions& directions, Job& job) {
  if (tree_pays(kept.shape(), metric)) return make_tree(kept);
  return make_brute_force(kept, metric, directions.count != 0 ? &directions : nullptr, job);
}

}  // namespace mbn
