// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <mbn/hit.hpp>
#include <mbn/matrix.hpp>

#include "base/job.hpp"

namespace mbn {

/// A float32 copy with rows of norm 1; rows of zeros stay zero. InvalidArgument, naming
/// `what`, when a cell is not finite.
Matrix unit_rows(MatrixView rows, const char* what);

/// The inner products of one query with each row: their cosines when all have norm 1. The same
/// bytes as in `for_each_best`.
void cosines(const float* query, MatrixView rows, float* out);

/// Keeps the best `top` of what it is offered: larger scores first, ties by row number.
class BestHits {
 public:
  explicit BestHits(std::size_t top) : top_(top) {}

  void offer(Hit hit) {
    if (hits_.size() < top_) {
      hits_.push_back(hit);
      if (hits_.size() == top_) make_heap();
    } else if (top_ > 0 && is_better(hit, hits_.front())) {
      replace_worst(hit);
    }
  }
  /// Best first; empties it.
  std::vector<Hit> take();

  static bool is_better(const Hit& a, const Hit& b) {
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  }

 private:
  void make_heap();
  void replace_worst(Hit hit);

  std::size_t top_;
  std::vector<Hit> hits_;  // a heap with the worst in front, once it is full
};

/// For every query the `top` best rows for which `accept(query, row)` is true, given to
/// `body(query, hits)` from any thread. Both matrices have rows of unit norm. A query's result does
/// not depend on the other queries nor on the number of threads.
void for_each_best(const Matrix& queries, MatrixView rows, std::size_t top,
                   const std::function<bool(std::size_t, std::uint32_t)>& accept,
                   const std::function<void(std::size_t, std::vector<Hit>)>& body, Job& job);

}  // namespace mbn
