// SPDX-License-Identifier: Apache-2.0
//
// All pairs of rows and kept rows under a metric without inner products, ranked by estimates in
// float32 (rows/pair_estimates.hpp), which are the same on every processor. Estimates are not
// negative, and the bits of such floats, read as integers, are in the order of the floats: so the
// same keeper as for integers serves (neighbours/nearest_keeper.hpp). It keeps a quarter more pairs
// than asked for, and the distance in double decides among them.
//
// Rows and kept rows are cut into blocks, and a task takes one pair of blocks. When the rows are
// the kept rows themselves, an estimate serves both of its rows, and half of the pairs of blocks
// are enough; locks and the order of tasks are those of brute_force.cpp.
#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <numeric>
#include <vector>

#include "kernels/dense_product.hpp"
#include "neighbours/block_pairs.hpp"
#include "neighbours/nearest_keeper.hpp"
#include "neighbours/neighbour_lists.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"
#include "rows/pair_estimates.hpp"

namespace mbn {

namespace {

constexpr std::size_t kBlock = 256;
constexpr std::size_t kFinishBlock = 64;

std::size_t list_and_more(std::size_t length) {
  return length + length / 4 + 16;
}

struct Workspace {
  PlainRows left;
  PackedKept right;
  LargeArray<float> estimates;  // kBlock x kBlock
};

// One call of `find`.
class Search {
 public:
  Search(MatrixView kept, Metric metric, MatrixView rows, std::size_t length, Job& job)
      : kept_(kept),
        metric_(metric),
        rows_(rows),
        same_(same_rows(rows, kept)),
        job_(job),
        estimates_(metric),
        columns_(kept.columns()),
        keep_(std::clamp<std::size_t>(list_and_more(length), 1, kept.rows())),
        keeper_(rows.rows(), keep_),
        locks_(blocks(rows.rows(), kBlock)),
        spaces_(job.threads()),
        lists_(rows.rows(), length) {
    std::iota(columns_.begin(), columns_.end(), 0U);
  }

  NeighbourLists run() {
    const std::size_t row_blocks = blocks(rows_.rows(), kBlock);
    const std::size_t kept_blocks = blocks(kept_.rows(), kBlock);
    for_block_pairs(row_blocks, kept_blocks, same_, job_,
                    [&](std::size_t left, std::size_t right, unsigned worker) {
                      meet(left, right, spaces_[worker]);
                    });
    job_.parallel(blocks(rows_.rows(), kFinishBlock), [&](std::size_t task, unsigned) {
      const std::size_t first = task * kFinishBlock;
      finish(first, std::min(rows_.rows(), first + kFinishBlock));
    });
    return std::move(lists_);
  }

 private:
  void meet(std::size_t left, std::size_t right, Workspace& space) {
    const std::size_t first_left = left * kBlock;
    const std::size_t first_right = right * kBlock;
    const std::size_t count = std::min(kBlock, rows_.rows() - first_left);
    std::vector<std::uint32_t> numbers(std::min(kBlock, kept_.rows() - first_right));
    std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(first_right));
    estimates_.gather(rows_.slice(first_left, count), columns_, space.left);
    estimates_.gather(kept_, numbers, columns_, space.right);
    space.estimates.resize(kBlock * kBlock);
    estimates_.estimate(space.left, space.right, columns_.size(), space.estimates.data(), kBlock);
    {
      const std::lock_guard lock(locks_[left]);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < numbers.size(); ++j) {
          offer(first_left + i, space.estimates[i * kBlock + j], first_right + j);
        }
      }
    }
    if (!same_ || left == right) return;
    const std::lock_guard lock(locks_[right]);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < numbers.size(); ++j) {
        offer(first_right + j, space.estimates[i * kBlock + j], first_left + i);
      }
    }
  }

  void offer(std::size_t row, float estimate, std::size_t number) {
    const auto bits = std::bit_cast<std::int32_t>(estimate);
    if (bits >= keeper_.limits()[row]) return;
    keeper_.offer(row, bits, static_cast<std::uint32_t>(number));
  }

  struct Neighbour {
    double distance;
    std::uint32_t number;
  };

  void finish(std::size_t first, std::size_t last) {
    std::vector<std::uint32_t> numbers(keep_);
    std::vector<std::int32_t> bits(keep_);
    std::vector<Neighbour> found(keep_);
    std::vector<float> x(columns_.size());
    std::vector<float> w(columns_.size());
    for (std::size_t row = first; row < last; ++row) {
      const std::size_t count = keeper_.sorted(row, numbers, bits);
      copy_row(rows_, row, x.data());
      for (std::size_t n = 0; n < count; ++n) {
        copy_row(kept_, numbers[n], w.data());
        found[n] = {distance(metric_, x.data(), w.data(), x.size()), numbers[n]};
      }
      std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                [](Neighbour a, Neighbour b) {
                  return a.distance != b.distance ? a.distance < b.distance : a.number < b.number;
                });
      for (std::size_t n = 0; n < lists_.length(); ++n) {
        lists_.mutable_numbers(row)[n] = found[n].number;
        lists_.mutable_distances(row)[n] = static_cast<float>(found[n].distance);
      }
    }
  }

  MatrixView kept_;
  Metric metric_;
  MatrixView rows_;
  bool same_;
  Job& job_;
  PairEstimates estimates_;
  std::vector<std::uint32_t> columns_;  // all of them
  std::size_t keep_;
  NearestKeeper keeper_;
  std::vector<std::mutex> locks_;
  std::vector<Workspace> spaces_;
  NeighbourLists lists_;
};

class PanelForce final : public NeighbourFinder {
 public:
  using NeighbourFinder::NeighbourFinder;

  NeighbourLists find(MatrixView rows, std::size_t length, Job& job) const override {
    return Search(kept(), metric(), rows, std::min(length, kept().rows()), job).run();
  }
};

}  // namespace

std::unique_ptr<NeighbourFinder> make_panel_force(MatrixView kept, Metric metric) {
  return std::make_unique<PanelForce>(kept, metric);
}

std::uint64_t panel_force_bytes(Shape kept, std::uint64_t rows, std::uint64_t length,
                                unsigned threads) {
  const std::uint64_t keep = list_and_more(static_cast<std::size_t>(length));
  return rows * (NearestKeeper::capacity(keep) * sizeof(std::uint64_t) + length * 8 + 16) +
         threads * sizeof(float) * kBlock * (2 * kept.columns + kBlock);
}

}  // namespace mbn
