// SPDX-License-Identifier: Apache-2.0
//
// All pairs of rows and pool rows, ranked by integers (neighbours/quantiser.hpp):
//
//     |x - w|^2 = |x|^2 + (|w|^2 - 2 <x, w>)          cosine: only the -2 <x, w>
//
// Rows and pool rows are cut into blocks. A task takes one pair of blocks: it quantises both (which
// is cheap beside what follows, and saves a second copy of the data), multiplies them, and offers
// what lies below a row's limit to the keeper of that row's nearest. When the rows are the pool
// itself, a product serves both of its rows, and half of the pairs of blocks are enough.
//
// Several tasks may offer to the same rows, one at a time by a lock per block. The kept set is the
// same in any order, because integers have no rounding. Tasks are handed out along diagonals, so
// that those running at the same time seldom share a block.
//
// Integers of bytes are exact, and the kept rows are the answer. Otherwise some more are kept than
// asked for, and the distance in double, in its fixed order, decides among them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <span>

#include "kernels/integer_dot.hpp"
#include "layer/metric.hpp"
#include "neighbours/nearest_keeper.hpp"
#include "neighbours/neighbour_lists.hpp"
#include "neighbours/quantiser.hpp"

namespace mbn {

namespace {

constexpr std::size_t kBlock = 1024;
constexpr std::size_t kFinishBlock = 64;

// More rows than asked for, so that a rounded estimate does not lose a neighbour.
std::size_t kept(std::size_t length, bool exact) {
  return exact ? length : length + length / 4 + 16;
}

struct Workspace {
  std::vector<std::int16_t> left;
  std::vector<std::int16_t> right;
  std::vector<std::int16_t> scratch;
  std::vector<std::int32_t> products;
  std::vector<std::uint32_t> hits;
};

// One call of `find`.
class Search {
 public:
  Search(const Quantiser& quantiser, std::span<const std::int32_t> ranking_norms, MatrixView pool,
         Metric metric, MatrixView rows, std::size_t length, Job& job)
      : quantiser_(quantiser),
        ranking_norms_(ranking_norms),
        pool_(pool),
        metric_(metric),
        rows_(rows),
        same_(same_rows(rows, pool)),
        exact_(quantiser.exact() && rows.type() == ElementType::uint8),
        job_(job),
        keep_(std::clamp<std::size_t>(kept(length, exact_), 1, pool.rows())),
        keeper_(rows.rows(), keep_),
        norms_(rows.rows()),
        locks_(blocks(rows.rows(), kBlock)),
        spaces_(job.threads()),
        lists_(rows.rows(), length) {}

  NeighbourLists run() {
    std::vector<std::int16_t> cells(quantiser_.stride());
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      quantiser_.quantise(rows_, i, cells.data());
      norms_[i] = quantiser_.squared_norm(cells.data());
    }
    const std::size_t row_blocks = blocks(rows_.rows(), kBlock);
    const std::size_t pool_blocks = blocks(pool_.rows(), kBlock);
    // With the same rows on both sides, block I meets I, I + 1, ... half way round the circle.
    const std::size_t rounds = same_ ? pool_blocks / 2 + 1 : pool_blocks;
    job_.parallel(rounds * row_blocks, [&](std::size_t task, unsigned worker) {
      const std::size_t round = task / row_blocks;
      const std::size_t left = task % row_blocks;
      const bool met_before = same_ && 2 * round == pool_blocks && left >= round;
      if (!met_before) meet(left, (left + round) % pool_blocks, spaces_[worker]);
    });
    job_.parallel(blocks(rows_.rows(), kFinishBlock), [&](std::size_t task, unsigned) {
      const std::size_t first = task * kFinishBlock;
      finish(first, std::min(rows_.rows(), first + kFinishBlock));
    });
    return std::move(lists_);
  }

 private:
  std::size_t load(MatrixView rows, std::size_t block, std::vector<std::int16_t>& cells) const {
    const std::size_t first = block * kBlock;
    const std::size_t count = std::min(kBlock, rows.rows() - first);
    cells.resize(count * quantiser_.stride());
    for (std::size_t i = 0; i < count; ++i) {
      quantiser_.quantise(rows, first + i, cells.data() + i * quantiser_.stride());
    }
    return count;
  }

  void meet(std::size_t left, std::size_t right, Workspace& space) {
    const std::size_t count = load(rows_, left, space.left);
    const std::size_t right_count = load(pool_, right, space.right);
    const std::size_t stride = product_stride(right_count);
    space.scratch.resize(product_scratch(right_count, quantiser_.stride()));
    space.products.resize(count * stride);
    space.hits.resize(kBlock);
    // A row that is too long has no integers to use; zeros keep the arithmetic in its range.
    for (std::size_t i = 0; i < count; ++i) {
      if (norms_[left * kBlock + i] >= 0) continue;
      std::fill_n(space.left.begin() + i * quantiser_.stride(), quantiser_.stride(),
                  std::int16_t{0});
    }
    integer_products(space.left.data(), count, space.right.data(), right_count, quantiser_.stride(),
                     space.products.data(), space.scratch.data());
    {
      const std::lock_guard lock(locks_[left]);
      offer_to_left(left * kBlock, right * kBlock, count, right_count, space);
    }
    if (same_ && left != right) {
      const std::lock_guard lock(locks_[right]);
      offer_to_right(left * kBlock, right * kBlock, count, right_count, space);
    }
  }

  void offer_to_left(std::size_t first_left, std::size_t first_right, std::size_t count,
                     std::size_t right_count, Workspace& space) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t* products = space.products.data() + i * product_stride(right_count);
      const std::size_t row = first_left + i;
      // In parts, because a limit falls while rows are offered.
      constexpr std::size_t kPart = 256;
      for (std::size_t part = 0; part < right_count; part += kPart) {
        const std::size_t size = std::min(kPart, right_count - part);
        const std::size_t found =
            find_below(products + part, ranking_norms_.data() + first_right + part, size,
                       keeper_.limits()[row], space.hits.data());
        for (std::size_t n = 0; n < found; ++n) {
          const std::size_t j = part + space.hits[n];
          keeper_.offer(row, ranking_norms_[first_right + j] - 2 * products[j],
                        static_cast<std::uint32_t>(first_right + j));
        }
      }
    }
  }

  void offer_to_right(std::size_t first_left, std::size_t first_right, std::size_t count,
                      std::size_t right_count, Workspace& space) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t* products = space.products.data() + i * product_stride(right_count);
      const std::int32_t norm = ranking_norms_[first_left + i];
      const std::size_t found = find_below_each(products, norm, keeper_.limits() + first_right,
                                                right_count, space.hits.data());
      for (std::size_t n = 0; n < found; ++n) {
        const std::size_t j = space.hits[n];
        keeper_.offer(first_right + j, norm - 2 * products[j],
                      static_cast<std::uint32_t>(first_left + i));
      }
    }
  }

  void finish(std::size_t first, std::size_t last) {
    struct Neighbour {
      double distance;
      std::uint32_t number;
    };
    const std::size_t features = pool_.columns();
    std::vector<std::uint32_t> numbers(keep_);
    std::vector<std::int32_t> estimates(keep_);
    std::vector<Neighbour> order(keep_);
    std::vector<float> x(features);
    std::vector<float> w(features);
    for (std::size_t row = first; row < last; ++row) {
      if (norms_[row] < 0) {
        lists_.mark_not_found(row);
        continue;
      }
      const std::size_t count = keeper_.sorted(row, numbers, estimates);
      if (exact_) {
        for (std::size_t n = 0; n < count; ++n) {
          order[n] = {static_cast<double>(std::int64_t{norms_[row]} + estimates[n]), numbers[n]};
        }
      } else {
        copy_row(rows_, row, x.data());
        for (std::size_t n = 0; n < count; ++n) {
          copy_row(pool_, numbers[n], w.data());
          order[n] = {distance(metric_, x.data(), w.data(), features), numbers[n]};
        }
        std::sort(order.begin(), order.begin() + count, [](Neighbour a, Neighbour b) {
          return a.distance != b.distance ? a.distance < b.distance : a.number < b.number;
        });
      }
      for (std::size_t n = 0; n < lists_.length(); ++n) {
        lists_.mutable_numbers(row)[n] = order[n].number;
        lists_.mutable_distances(row)[n] = static_cast<float>(order[n].distance);
      }
    }
  }

  static void copy_row(MatrixView rows, std::size_t row, float* out) {
    rows.visit([&](const auto* first) {
      const auto* cells = first + row * rows.row_stride();
      for (std::size_t f = 0; f < rows.columns(); ++f) out[f] = static_cast<float>(cells[f]);
    });
  }

  const Quantiser& quantiser_;
  std::span<const std::int32_t> ranking_norms_;  // of the pool; zero for cosine
  MatrixView pool_;
  Metric metric_;
  MatrixView rows_;
  bool same_;
  bool exact_;
  Job& job_;
  std::size_t keep_;
  NearestKeeper keeper_;
  std::vector<std::int32_t> norms_;
  std::vector<std::mutex> locks_;
  std::vector<Workspace> spaces_;
  NeighbourLists lists_;
};

class BruteForce final : public NeighbourFinder {
 public:
  BruteForce(MatrixView pool, Metric metric)
      : NeighbourFinder(pool, metric), quantiser_(pool, metric), norms_(pool.rows()) {
    if (metric == Metric::cosine) return;
    std::vector<std::int16_t> cells(quantiser_.stride());
    for (std::size_t i = 0; i < pool.rows(); ++i) {
      quantiser_.quantise(pool, i, cells.data());
      norms_[i] = quantiser_.squared_norm(cells.data());
    }
  }

  NeighbourLists find(MatrixView rows, std::size_t length, Job& job) const override {
    Search search(quantiser_, norms_, pool(), metric(), rows, std::min(length, pool().rows()), job);
    return search.run();
  }

 private:
  Quantiser quantiser_;
  std::vector<std::int32_t> norms_;  // of the quantised pool rows; zero for cosine
};

}  // namespace

bool same_rows(MatrixView a, MatrixView b) {
  if (a.shape() != b.shape()) return false;
  return a.visit([&](const auto* first) {
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(first)>>;
    for (std::size_t i = 0; i < a.rows(); ++i) {
      if (a.row<T>(i) == b.row<T>(i)) continue;
      if (std::memcmp(a.row<T>(i), b.row<T>(i), a.columns() * sizeof(T)) != 0) return false;
    }
    return true;
  });
}

std::unique_ptr<NeighbourFinder> make_brute_force(MatrixView pool, Metric metric) {
  return std::make_unique<BruteForce>(pool, metric);
}

std::uint64_t brute_force_bytes(std::uint64_t rows, std::uint64_t length, std::uint64_t features,
                                unsigned threads) {
  const std::uint64_t block = std::min<std::uint64_t>(rows, kBlock);
  const std::size_t keep = kept(static_cast<std::size_t>(length), false);
  const std::uint64_t worker = (block + 2 * kBlock) * features * sizeof(std::int16_t) +
                               block * kBlock * sizeof(std::int32_t);
  return rows * (NearestKeeper::capacity(keep) * sizeof(std::uint64_t) + length * 8 + 16) +
         threads * worker;
}

}  // namespace mbn
