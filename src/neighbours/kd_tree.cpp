// SPDX-License-Identifier: Apache-2.0
//
// nanoflann leaves out branches by sums of squares in its own order, which may differ from the
// distances that decide in the last bits. So a result set asks for a little more room than its
// worst distance, and an equally far point of a lower number is never missed.
#include "neighbours/kd_tree.hpp"

#include <algorithm>
#include <cmath>
#include <nanoflann.hpp>
#include <utility>

#include "rows/metric.hpp"

namespace mbn {

namespace {

constexpr std::size_t kLeafPoints = 16;
constexpr double kMost = std::numeric_limits<double>::max();

// A little more than `distance`: the tree looks at what is nearer than this.
double with_room(double distance) {
  constexpr double kRoom = 1 + 1e-9;
  return std::nextafter(distance * kRoom, kMost);
}

// The points as nanoflann wants them.
struct Points {
  std::vector<float> cells;
  std::size_t columns = 0;

  std::size_t kdtree_get_point_count() const { return cells.size() / columns; }
  float kdtree_get_pt(std::size_t point, std::size_t column) const {
    return cells[point * columns + column];
  }
  const float* point(std::size_t number) const { return cells.data() + number * columns; }
  template <class Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

// The distance that decides, and its part along one column for the bounds.
struct Distance {
  using ElementType = float;
  using DistanceType = double;

  explicit Distance(const Points& all) : points(all) {}
  double evalMetric(const float* x, std::uint32_t number, std::size_t columns) const {
    return distance(Metric::euclidean, x, points.point(number), columns);
  }
  template <class A, class B>
  double accum_dist(A a, B b, std::size_t /*column*/) const {
    const double difference = static_cast<double>(a) - static_cast<double>(b);
    return difference * difference;
  }

  const Points& points;
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<Distance, Points, -1, std::uint32_t>;

// The nearest so far.
class Nearest {
 public:
  using DistanceType = double;

  std::size_t size() const { return best.distance == kMost ? 0 : 1; }
  bool full() const { return size() == 1; }
  double worstDist() const { return full() ? with_room(best.distance) : kMost; }
  bool addPoint(double distance, std::uint32_t number) {
    best = std::min(best, TreeNeighbour{distance, number});
    return true;
  }

  TreeNeighbour best{kMost, std::numeric_limits<std::uint32_t>::max()};
};

// Several, the farthest of them on top of a heap.
class NearestSeveral {
 public:
  using DistanceType = double;
  explicit NearestSeveral(std::size_t length) : length_(length) { heap_.reserve(length); }

  std::size_t size() const { return heap_.size(); }
  bool full() const { return heap_.size() == length_; }
  double worstDist() const { return full() ? with_room(heap_.front().distance) : kMost; }
  bool addPoint(double distance, std::uint32_t number) {
    const TreeNeighbour one{distance, number};
    if (full()) {
      if (heap_.front() < one) return true;
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.pop_back();
    }
    heap_.push_back(one);
    std::push_heap(heap_.begin(), heap_.end());
    return true;
  }
  std::vector<TreeNeighbour> sorted() && {
    std::sort_heap(heap_.begin(), heap_.end());
    return std::move(heap_);
  }

 private:
  std::size_t length_;
  std::vector<TreeNeighbour> heap_;
};

}  // namespace

struct KdTree::State {
  State(std::vector<float> cells, std::size_t columns)
      : points{std::move(cells), columns},
        tree(static_cast<int>(columns), points,
             nanoflann::KDTreeSingleIndexAdaptorParams(kLeafPoints)) {}

  Points points;
  Tree tree;
};

KdTree::KdTree(std::vector<float> cells, std::size_t columns)
    : state_(std::make_unique<State>(std::move(cells), columns)) {}
KdTree::~KdTree() = default;
KdTree::KdTree(KdTree&&) noexcept = default;
KdTree& KdTree::operator=(KdTree&&) noexcept = default;

TreeNeighbour KdTree::nearest(const float* x) const {
  Nearest result;
  state_->tree.findNeighbors(result, x, nanoflann::SearchParams());
  return result.best;
}

std::vector<TreeNeighbour> KdTree::nearest(const float* x, std::size_t length) const {
  NearestSeveral result(length);
  if (length > 0) state_->tree.findNeighbors(result, x, nanoflann::SearchParams());
  return std::move(result).sorted();
}

std::uint64_t KdTree::bytes(std::uint64_t points, std::uint64_t columns) {
  // Cells, the order of the points, and two nodes for each leaf.
  constexpr std::uint64_t kNodeBytes = 64;
  return points * (columns * sizeof(float) + sizeof(std::uint32_t)) +
         2 * kNodeBytes * (points / kLeafPoints + 1);
}

}  // namespace mbn
