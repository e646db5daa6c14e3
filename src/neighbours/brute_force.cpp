// SPDX-License-Identifier: Apache-2.0
//
// All pairs of rows and kept rows, ranked by integers (neighbours/quantiser.hpp):
//
//     |x - w|^2 = |x|^2 + (|w|^2 - 2 <x, w>)          cosine: only the -2 <x, w>
//
// Rows and kept rows are cut into blocks. A task takes one pair of blocks: it quantises both (which
// is cheap beside the product, and saves a second copy of the data), multiplies them, and offers
// the pairs below a row's limit to the keeper of that row's nearest
// (neighbours/nearest_keeper.hpp). When the rows are the kept rows themselves, a product serves
// both of its rows, and half of the pairs of blocks are enough.
//
// Several tasks may offer to the same rows; a lock for each block of rows lets in one at a time.
// The keeper ends with the same pairs in any order, because integers have no rounding errors. Tasks
// are handed out along diagonals of the grid of block pairs, so tasks that run at the same time
// seldom share a block.
//
// For bytes the integers are exact, and the pairs in the keeper are the answer. Otherwise the
// keeper keeps a quarter more pairs than asked for, and the distance in double, in its fixed order,
// decides among them. With directions (neighbours/ranking_directions.hpp) the integers are
// projections, and three times as many pairs are kept.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <span>

#include "kernels/integer_dot.hpp"
#include "neighbours/block_pairs.hpp"
#include "neighbours/nearest_keeper.hpp"
#include "neighbours/neighbour_lists.hpp"
#include "neighbours/quantiser.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

// Rows of a block. The products of short rows are quickly made: a small block keeps them in the L2
// cache. For long rows a larger block makes better use of each packing.
constexpr std::size_t kBlock = 1024;
constexpr std::size_t kShortBlock = 256;
// Cells of a short row. The integers of short rows are made once and stored.
constexpr std::size_t kShortRow = 256;
constexpr std::size_t kFinishBlock = 64;
// With fewer multiply-adds than this for all pairs, finding directions takes longer than it saves.
constexpr double kLittleWork = 5e10;

// Pairs to keep for a list of `length`: more than asked for, so that a rounded estimate does not
// lose a neighbour.
std::size_t list_and_more(std::size_t length, bool exact, bool projected) {
  if (projected) return 3 * length + 16;
  return exact ? length : length + length / 4 + 16;
}

struct Workspace {
  std::vector<std::int16_t> left;
  std::vector<std::int16_t> right;
  std::vector<std::int16_t> scratch;
  std::vector<std::int32_t> products;
  std::vector<std::uint32_t> hits;
};

// Turns rows into the integers that rank them: int16 cells for inner products, and squared norms.
// Those of long rows are made block by block when they are needed, which saves a second copy of the
// data. Projections and other short rows are stored.
class Ranking {
 public:
  Ranking(const Quantiser& quantiser, const Projector* projector)
      : quantiser_(quantiser), projector_(projector) {}

  bool projected() const { return projector_ != nullptr; }
  bool stored() const { return stride() <= kShortRow; }
  std::size_t stride() const { return projected() ? projector_->count() : quantiser_.stride(); }
  std::size_t block() const { return stored() ? kShortBlock : kBlock; }

  struct Side {
    MatrixView rows;
    std::vector<std::int16_t> cells;  // of all rows; only when they are short
    std::vector<std::int32_t> norms;  // squared; -1: too large, the row is not ranked
  };

  Side side(MatrixView rows, Job& job) const {
    Side side{rows, {}, std::vector<std::int32_t>(rows.rows())};
    if (stored()) side.cells.resize(rows.rows() * stride());
    job.parallel(blocks(rows.rows(), kBlock), [&](std::size_t task, unsigned) {
      const std::size_t first = task * kBlock;
      const std::size_t count = std::min(kBlock, rows.rows() - first);
      if (projected()) {
        projector_->project(rows, first, count, side.cells.data() + first * stride(),
                            side.norms.data() + first);
        return;
      }
      std::vector<std::int16_t> one(stride());
      for (std::size_t i = first; i < first + count; ++i) {
        std::int16_t* cells = stored() ? side.cells.data() + i * stride() : one.data();
        quantiser_.quantise(rows, i, cells);
        side.norms[i] = quantiser_.squared_norm(cells);
        if (side.norms[i] < 0) std::fill_n(cells, stride(), std::int16_t{0});
      }
    });
    return side;
  }

  // The cells of one block, with zeros for rows whose norm is too large. `space` is for those that
  // are not stored.
  const std::int16_t* load(const Side& side, std::size_t number,
                           std::vector<std::int16_t>& space) const {
    const std::size_t first = number * block();
    if (stored()) return side.cells.data() + first * stride();
    const std::size_t count = rows_of(side, number);
    space.resize(count * stride());
    for (std::size_t i = 0; i < count; ++i) {
      std::int16_t* row = space.data() + i * stride();
      if (side.norms[first + i] < 0) {
        std::fill_n(row, stride(), std::int16_t{0});
      } else {
        quantiser_.quantise(side.rows, first + i, row);
      }
    }
    return space.data();
  }

  std::size_t rows_of(const Side& side, std::size_t number) const {
    return std::min(block(), side.rows.rows() - number * block());
  }

 private:
  const Quantiser& quantiser_;
  const Projector* projector_;
};

// One call of `find`.
class Search {
 public:
  Search(const Ranking& ranking, const Ranking::Side& kept, bool exact_kept, Metric metric,
         MatrixView rows, std::size_t length, Job& job)
      : ranking_(ranking),
        kept_side_(kept),
        kept_(kept.rows),
        metric_(metric),
        rows_(rows),
        same_(same_rows(rows, kept_)),
        bytes_(exact_kept && rows.type() == ElementType::uint8),
        job_(job),
        keep_(std::clamp<std::size_t>(list_and_more(length, bytes_, ranking.projected()), 1,
                                      kept_.rows())),
        keeper_(rows.rows(), keep_),
        own_side_(same_ ? Ranking::Side{} : ranking.side(rows, job)),
        row_side_(same_ ? kept : own_side_),
        locks_(blocks(rows.rows(), ranking.block())),
        spaces_(job.threads()),
        lists_(rows.rows(), length) {
    if (metric == Metric::cosine) zeros_.resize(kept_.rows());
  }

  NeighbourLists run() {
    const std::size_t row_blocks = blocks(rows_.rows(), ranking_.block());
    const std::size_t kept_blocks = blocks(kept_.rows(), ranking_.block());
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
  // For cosine only inner products rank, so the norms are zeros.
  const std::int32_t* ranking_norms() const {
    return metric_ == Metric::cosine ? zeros_.data() : kept_side_.norms.data();
  }

  void meet(std::size_t left, std::size_t right, Workspace& space) {
    const std::size_t block = ranking_.block();
    const std::int16_t* a = ranking_.load(row_side_, left, space.left);
    const std::int16_t* b = ranking_.load(kept_side_, right, space.right);
    const std::size_t count = ranking_.rows_of(row_side_, left);
    const std::size_t right_count = ranking_.rows_of(kept_side_, right);
    space.scratch.resize(product_scratch(right_count, ranking_.stride()));
    space.products.resize(count * product_stride(right_count));
    space.hits.resize(block);
    integer_products(a, count, b, right_count, ranking_.stride(), space.products.data(),
                     space.scratch.data());
    {
      const std::lock_guard lock(locks_[left]);
      offer_to_left(left * block, right * block, count, right_count, space);
    }
    if (same_ && left != right) {
      const std::lock_guard lock(locks_[right]);
      offer_to_right(left * block, right * block, count, right_count, space);
    }
  }

  void offer_to_left(std::size_t first_left, std::size_t first_right, std::size_t count,
                     std::size_t right_count, Workspace& space) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t* products = space.products.data() + i * product_stride(right_count);
      const std::size_t row = first_left + i;
      // In parts, because the limit of a row falls while pairs are offered.
      constexpr std::size_t kPart = 256;
      for (std::size_t part = 0; part < right_count; part += kPart) {
        const std::size_t size = std::min(kPart, right_count - part);
        const std::size_t found = find_below(products + part, ranking_norms() + first_right + part,
                                             size, keeper_.limits()[row], space.hits.data());
        for (std::size_t n = 0; n < found; ++n) {
          const std::size_t j = part + space.hits[n];
          keeper_.offer(row, ranking_norms()[first_right + j] - 2 * products[j],
                        static_cast<std::uint32_t>(first_right + j));
        }
      }
    }
  }

  void offer_to_right(std::size_t first_left, std::size_t first_right, std::size_t count,
                      std::size_t right_count, Workspace& space) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t* products = space.products.data() + i * product_stride(right_count);
      const std::int32_t norm = ranking_norms()[first_left + i];
      const std::size_t found = find_below_each(products, norm, keeper_.limits() + first_right,
                                                right_count, space.hits.data());
      for (std::size_t n = 0; n < found; ++n) {
        const std::size_t j = space.hits[n];
        keeper_.offer(first_right + j, norm - 2 * products[j],
                      static_cast<std::uint32_t>(first_left + i));
      }
    }
  }

  struct Neighbour {
    double distance;
    std::uint32_t number;
  };

  void finish(std::size_t first, std::size_t last) {
    std::vector<std::uint32_t> numbers(keep_);
    std::vector<std::int32_t> estimates(keep_);
    std::vector<Neighbour> order(keep_);
    for (std::size_t row = first; row < last; ++row) {
      if (row_side_.norms[row] < 0) {
        lists_.mark_not_found(row);
        continue;
      }
      const std::size_t count = keeper_.sorted(row, numbers, estimates);
      const std::span found(order.data(), count);
      if (bytes_ && !ranking_.projected()) {
        // |x|^2 + estimate is the squared distance, exactly.
        for (std::size_t n = 0; n < count; ++n) {
          const std::int64_t distance = std::int64_t{row_side_.norms[row]} + estimates[n];
          found[n] = {static_cast<double>(distance), numbers[n]};
        }
      } else {
        measure(row, std::span(numbers).first(count), found);
        std::sort(found.begin(), found.end(), [](Neighbour a, Neighbour b) {
          return a.distance != b.distance ? a.distance < b.distance : a.number < b.number;
        });
      }
      for (std::size_t n = 0; n < lists_.length(); ++n) {
        lists_.mutable_numbers(row)[n] = found[n].number;
        lists_.mutable_distances(row)[n] = static_cast<float>(found[n].distance);
      }
    }
  }

  // Distances as rows/metric.hpp has them: in double, in its fixed order. Those of bytes are whole
  // numbers, the same in any order.
  void measure(std::size_t row, std::span<const std::uint32_t> numbers,
               std::span<Neighbour> found) const {
    const std::size_t features = kept_.columns();
    if (bytes_) {
      const std::uint8_t* x = rows_.row<std::uint8_t>(row);
      for (std::size_t n = 0; n < numbers.size(); ++n) {
        if (n + 2 < numbers.size()) prefetch(kept_.row<std::uint8_t>(numbers[n + 2]), features);
        const std::uint64_t distance =
            squared_distance(x, kept_.row<std::uint8_t>(numbers[n]), features);
        found[n] = {static_cast<double>(distance), numbers[n]};
      }
      return;
    }
    std::vector<float> x(features);
    std::vector<float> w(features);
    copy_row(rows_, row, x.data());
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      copy_row(kept_, numbers[n], w.data());
      found[n] = {distance(metric_, x.data(), w.data(), features), numbers[n]};
    }
  }

  static void prefetch(const std::uint8_t* cells, std::size_t count) {
    constexpr std::size_t kLine = 64;
    for (std::size_t f = 0; f < count; f += kLine) __builtin_prefetch(cells + f);
  }

  const Ranking& ranking_;
  const Ranking::Side& kept_side_;
  MatrixView kept_;
  Metric metric_;
  MatrixView rows_;
  bool same_;
  bool bytes_;  // both sides are bytes and the quantiser is exact: so are distances
  Job& job_;
  std::size_t keep_;
  NearestKeeper keeper_;
  Ranking::Side own_side_;
  const Ranking::Side& row_side_;
  std::vector<std::int32_t> zeros_;
  std::vector<std::mutex> locks_;
  std::vector<Workspace> spaces_;
  NeighbourLists lists_;
};

class BruteForce final : public NeighbourFinder {
 public:
  BruteForce(MatrixView kept, Metric metric, const RankingDirections* directions, Job& job)
      : NeighbourFinder(kept, metric),
        quantiser_(kept, metric),
        projector_(directions != nullptr ? std::make_unique<Projector>(*directions, quantiser_)
                                         : nullptr),
        ranking_(quantiser_, projector_.get()),
        side_(ranking_.side(kept, job)) {}

  NeighbourLists find(MatrixView rows, std::size_t length, Job& job) const override {
    Search search(ranking_, side_, quantiser_.exact(), metric(), rows,
                  std::min(length, kept().rows()), job);
    return search.run();
  }

 private:
  Quantiser quantiser_;
  std::unique_ptr<Projector> projector_;
  Ranking ranking_;
  Ranking::Side side_;
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

std::unique_ptr<NeighbourFinder> make_brute_force(MatrixView kept, Metric metric,
                                                  const RankingDirections* directions, Job& job) {
  if (!has_dot_form(metric)) return make_panel_force(kept, metric);
  return std::make_unique<BruteForce>(kept, metric, directions, job);
}

bool directions_pay(Shape kept, std::uint64_t rows, Metric metric) {
  if (metric != Metric::euclidean || kept.columns < std::uint64_t{3} * RankingDirections::kUsual) {
    return false;
  }
  return static_cast<double>(kept.rows) * static_cast<double>(rows) *
             static_cast<double>(kept.columns) / 2 >
         kLittleWork;
}

std::uint64_t brute_force_bytes(Shape kept, std::uint64_t rows, std::uint64_t length, Metric metric,
                                unsigned threads) {
  if (!has_dot_form(metric)) return panel_force_bytes(kept, rows, length, threads);
  const bool projected = directions_pay(kept, rows, metric);
  const std::uint64_t cells =
      projected ? RankingDirections::kUsual : kept.columns + kept.columns % 2;
  const bool stored = cells <= kShortRow;
  const std::uint64_t block = stored ? kShortBlock : kBlock;
  const std::size_t keep = list_and_more(static_cast<std::size_t>(length), false, projected);
  const std::uint64_t sides = stored ? (kept.rows + rows) * cells * sizeof(std::int16_t) : 0;
  // While rows are projected, a thread holds a block of quantised rows.
  const std::uint64_t projecting = projected ? kBlock * kept.columns * sizeof(std::int16_t) : 0;
  const std::uint64_t left = std::min(rows, block);
  const std::uint64_t right = std::min<std::uint64_t>(kept.rows, block);
  const std::uint64_t meeting =
      (left + 2 * right) * cells * sizeof(std::int16_t) + left * right * sizeof(std::int32_t);
  return rows * (NearestKeeper::capacity(keep) * sizeof(std::uint64_t) + length * 8 + 16) + sides +
         threads * std::max(meeting, projecting);
}

}  // namespace mbn
