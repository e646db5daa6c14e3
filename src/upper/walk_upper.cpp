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
#include <span>
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
    const std::size_t threads = std::min<std::size_t>(job.threads(), order.size());
    std::vector<WalkSpace> spaces(threads, WalkSpace(index));
    std::vector<std::uint32_t> answers(threads * kRowsPerTask * index.clusterings);
    job.parallel(blocks(order.size(), kRowsPerTask), [&](std::size_t task, unsigned worker) {
      const std::size_t first = task * kRowsPerTask;
      encode_some(
          rows, std::span(order).subspan(first, std::min(kRowsPerTask, order.size() - first)),
          codes, spaces[worker], answers.data() + worker * kRowsPerTask * index.clusterings);
    });
  }

 private:
  void encode_some(const CodeMatrix& rows, std::span<const std::uint32_t> order, CodeMatrix& codes,
                   WalkSpace& space, std::uint32_t* answers) const {
    const WalkIndex& index = index_->get();
    rows.visit([&]<class Code>(const Code* input) {
      index_->visit([&]<class Other>(const Other* kept) {
        // Both are codes of the same layer, so the types are equal.
        if constexpr (std::is_same_v<Code, Other>) {
          walk(index, kept, WalkRows<Code>{input, order.data(), order.size(), answers}, space);
        }
      });
    });
    codes.visit([&]<class Code>(Code* output) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t* answer = answers + i * index.clusterings;
        std::transform(answer, answer + index.clusterings, output + order[i] * index.clusterings,
                       [](std::uint32_t code) { return static_cast<Code>(code); });
      }
    });
  }

  std::shared_ptr<const UpperIndex> index_;
};

}  // namespace

std::unique_ptr<UpperEngine> make_walk_upper(std::shared_ptr<const UpperIndex> index) {
  return std::make_unique<WalkUpper>(std::move(index));
}

std::uint64_t walk_upper_bytes(const UpperSizes& sizes) {
  return WalkSpace::bytes(sizes.inputs, sizes.clusterings, sizes.kept_rows) +
         kRowsPerTask * sizes.clusterings * sizeof(std::uint32_t);
}

}  // namespace mbn
