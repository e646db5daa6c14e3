// SPDX-License-Identifier: Apache-2.0
//
// The walk at an upper layer, with rows in the outer loop. All clusterings draw from the same kept
// rows, so a row's agreement with the kept rows on all features is counted once for all
// clusterings. The search of one row, and the upper bound that makes it exact, are in
// kernels/agreement_walk.cpp.
//
// The time of a row grows with its agreements with the kept rows, plus a few comparisons for each
// clustering. There are more agreements in narrow layers, where it is faster to search blocks of
// rows together (blocked_upper.cpp).
#include <algorithm>
#include <vector>

#include "kernels/agreement_walk.hpp"
#include "upper/similar_order.hpp"
#include "upper/upper_engine.hpp"
#include "upper/upper_engines.hpp"
#include "upper/upper_index.hpp"

namespace mbn {

namespace {

constexpr std::size_t kRowsPerTask = 128;

class WalkUpper final : public UpperEngine {
 public:
  explicit WalkUpper(std::shared_ptr<const UpperIndex> index) : index_(std::move(index)) {}

  void encode(const CodeMatrix& rows, CodeMatrix& codes, Job& job) const override {
    const WalkIndex& index = index_->get();
    const std::vector<std::uint32_t> order = similar_order(rows);
    std::vector<WalkSpace> spaces(std::min<std::size_t>(job.threads(), order.size()),
                                  WalkSpace(index));
    job.parallel(blocks(order.size(), kRowsPerTask), [&](std::size_t task, unsigned worker) {
      const std::size_t first = task * kRowsPerTask;
      const std::size_t last = std::min(first + kRowsPerTask, order.size());
      for (std::size_t i = first; i < last; ++i) {
        encode_row(index, rows, order[i], order[std::min(i + 1, last - 1)], codes, spaces[worker]);
      }
    });
  }

 private:
  void encode_row(const WalkIndex& index, const CodeMatrix& rows, std::size_t row, std::size_t next,
                  CodeMatrix& codes, WalkSpace& space) const {
    rows.visit([&]<class Code>(const Code* input) {
      index_->visit([&]<class Other>(const Other* kept) {
        // Both are codes of the same layer, so the types are equal.
        if constexpr (std::is_same_v<Code, Other>) {
          walk(index, kept, input + row * index.features, input + next * index.features, space);
        }
      });
    });
    codes.visit([&]<class Code>(Code* output) {
      std::transform(space.answer(), space.answer() + index.clusterings,
                     output + row * index.clusterings,
                     [](std::uint32_t code) { return static_cast<Code>(code); });
    });
  }

  std::shared_ptr<const UpperIndex> index_;
};

}  // namespace

std::unique_ptr<UpperEngine> make_walk_upper(std::shared_ptr<const UpperIndex> index) {
  return std::make_unique<WalkUpper>(std::move(index));
}

std::uint64_t walk_upper_bytes(const UpperSizes& sizes) {
  return WalkSpace::bytes(sizes.inputs, sizes.clusterings, sizes.kept_rows);
}

}  // namespace mbn
