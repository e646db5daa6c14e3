// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>

#include "base/job.hpp"
#include "neighbours/ranking_directions.hpp"

namespace mbn {

/// For every row of a matrix its nearest kept rows on all features, nearest first, ties by their
/// number. The list of a row depends on that row and the kept rows only.
class NeighbourLists {
 public:
  NeighbourLists(std::size_t rows, std::size_t length)
      : length_(length), numbers_(rows * length), distances_(rows * length), found_(rows, 1) {}

  std::size_t rows() const { return found_.size(); }
  std::size_t length() const { return length_; }

  /// Whether row `row` has a list. A row that lies far from all kept rows may have none.
  bool found(std::size_t row) const { return found_[row] != 0; }
  std::span<const std::uint32_t> numbers(std::size_t row) const {
    return std::span(numbers_).subspan(row * length_, length_);
  }
  /// The distances of rows/metric.hpp, rounded to float32.
  std::span<const float> distances(std::size_t row) const {
    return std::span(distances_).subspan(row * length_, length_);
  }

  std::span<std::uint32_t> mutable_numbers(std::size_t row) {
    return std::span(numbers_).subspan(row * length_, length_);
  }
  std::span<float> mutable_distances(std::size_t row) {
    return std::span(distances_).subspan(row * length_, length_);
  }
  void mark_not_found(std::size_t row) { found_[row] = 0; }

 private:
  std::size_t length_;
  std::vector<std::uint32_t> numbers_;
  std::vector<float> distances_;
  std::vector<std::uint8_t> found_;
};

/// Finds the nearest kept rows of any rows. The kept rows must outlive it. A finder is ready when
/// it is made; `find` changes nothing in it and may be called from many threads, each with a Job of
/// its own.
class NeighbourFinder {
 public:
  NeighbourFinder(MatrixView kept, Metric metric) : kept_(kept), metric_(metric) {}
  virtual ~NeighbourFinder() = default;
  NeighbourFinder(const NeighbourFinder&) = delete;
  NeighbourFinder& operator=(const NeighbourFinder&) = delete;

  MatrixView kept() const { return kept_; }
  Metric metric() const { return metric_; }

  /// The `length` nearest kept rows (all of them when there are fewer) of every row.
  virtual NeighbourLists find(MatrixView rows, std::size_t length, Job& job) const = 0;

 private:
  MatrixView kept_;
  Metric metric_;
};

/// Whether two matrices hold the same rows, byte for byte.
bool same_rows(MatrixView a, MatrixView b);

/// Computes all pairs: in integers, or in float32 for the metrics without inner products
/// (panel_force.cpp), which takes two to eight times as long. Time: rows x kept rows x features
/// multiply-adds, and half of that when `rows` are the kept rows themselves. With `directions`
/// (Euclidean only; null: none) the number of directions takes the place of the number of features,
/// but a list may miss a few of the nearest rows. Memory: about 20 bytes x rows x length (24 for
/// floats, 60 with directions), and some MB for each thread. `directions` must outlive the finder.
std::unique_ptr<NeighbourFinder> make_brute_force(MatrixView kept, Metric metric,
                                                  const RankingDirections* directions, Job& job);

/// That of the metrics without inner products, behind `make_brute_force`.
std::unique_ptr<NeighbourFinder> make_panel_force(MatrixView kept, Metric metric);

/// A k-d tree, for Euclidean distance on few columns. Gives the same lists as all pairs.
std::unique_ptr<NeighbourFinder> make_tree(MatrixView kept);

/// Whether a k-d tree is faster than all pairs.
bool tree_pays(Shape kept, Metric metric);

/// The finder that should be fastest for these kept rows. The choice depends on their shape and the
/// metric only. `directions` must outlive the finder.
std::unique_ptr<NeighbourFinder> make_neighbour_finder(MatrixView kept, Metric metric,
                                                       const RankingDirections& directions,
                                                       Job& job);

/// Whether it is faster to rank on a few directions first, when `rows` rows are to be searched.
bool directions_pay(Shape kept, std::uint64_t rows, Metric metric);

/// Bytes that a finder takes, and `find` with its result: of each kind, and of the one that
/// `make_neighbour_finder` makes.
std::uint64_t brute_force_bytes(Shape kept, std::uint64_t rows, std::uint64_t length, Metric metric,
                                unsigned threads);
std::uint64_t panel_force_bytes(Shape kept, std::uint64_t rows, std::uint64_t length,
                                unsigned threads);
std::uint64_t tree_bytes(Shape kept, std::uint64_t rows, std::uint64_t length);
std::uint64_t neighbour_finder_bytes(Shape kept, std::uint64_t rows, std::uint64_t length,
                                     Metric metric, unsigned threads);

}  // namespace mbn
