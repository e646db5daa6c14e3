// SPDX-License-Identifier: Apache-2.0
//
// A row's columns are looked at in the order of their distances, nearest first, until every
// clustering has met one that it drew. Each column has a bit for each clustering, so a column is
// checked against 64 of them at a time. With k of n columns drawn the first is met after n / k
// columns on average, and the last of 400 clusterings after about 6 n / k of them: only the nearest
// columns are ever sorted, a part at a time.
//
// Distances that are equal are one group: within it the drawn order of each clustering decides, so
// that no row is favoured by its place in the file.
#include "rows/nearest_drawn.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include <mbn/error.hpp>

#include "base/random.hpp"
#include "rows/gather.hpp"

namespace mbn {

namespace {

constexpr std::size_t kBlockRows = 64;
constexpr std::size_t kWordBits = 64;

/// What all rows share.
class DrawnTable {
 public:
  DrawnTable(const DrawnColumns& drawn, std::size_t columns)
      : clusterings_(drawn.clusterings),
        words_(blocks(drawn.clusterings, kWordBits)),
        drawn_(columns * words_),
        positions_(columns * clusterings_) {
    for (std::size_t v = 0; v < clusterings_; ++v) {
      for (std::uint32_t position = 0; const std::uint32_t column : drawn.of(v)) {
        drawn_[column * words_ + v / kWordBits] |= std::uint64_t{1} << (v % kWordBits);
        positions_[column * clusterings_ + v] = position++;
      }
    }
  }

  std::size_t clusterings() const { return clusterings_; }
  std::size_t words() const { return words_; }
  /// A bit for each clustering that drew the column.
  const std::uint64_t* who_drew(std::uint32_t column) const {
    return drawn_.data() + column * words_;
  }
  /// Its place in the drawn order of a clustering that drew it.
  std::uint32_t position(std::uint32_t column, std::size_t clustering) const {
    return positions_[column * clusterings_ + clustering];
  }

 private:
  std::size_t clusterings_;
  std::size_t words_;
  std::vector<std::uint64_t> drawn_;
  std::vector<std::uint32_t> positions_;
};

/// One row after another; one object serves one thread.
class RowCoder {
 public:
  RowCoder(const DrawnTable& table, std::size_t columns)
      : table_(table), none_(static_cast<float>(columns)), open_(table.words()) {}

  /// `columns` are those whose distances `values` are known. Returns the codes that are not.
  std::uint32_t code(std::span<const std::uint32_t> columns, std::span<const float> values,
                     float* codes) {
    begin(columns, values, codes);
    constexpr std::size_t kFirstPart = 64;
    constexpr std::size_t kGrowth = 4;
    std::size_t sorted = 0;
    float group = -1;
    for (std::size_t part = kFirstPart; sorted < order_.size() && !done(); part *= kGrowth) {
      const std::size_t end = std::min(order_.size(), sorted + part);
      sort_part(sorted, end);
      for (; sorted < end; ++sorted) {
        const Known& known = order_[sorted];
        if (known.distance != group) {
          close_group();
          if (done()) break;
          group = known.distance;
        }
        visit(known.column, codes);
      }
    }
    close_group();
    return left();
  }

 private:
  struct Known {
    float distance;
    std::uint32_t column;
    bool operator<(const Known& other) const {
      return distance != other.distance ? distance < other.distance : column < other.column;
    }
  };

  void begin(std::span<const std::uint32_t> columns, std::span<const float> values, float* codes) {
    order_.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      order_.push_back({values[i], columns.empty() ? static_cast<std::uint32_t>(i) : columns[i]});
    }
    std::fill_n(codes, table_.clusterings(), none_);
    std::fill(open_.begin(), open_.end(), ~std::uint64_t{0});
    const std::size_t rest = table_.clusterings() % kWordBits;
    if (rest != 0) open_.back() = (std::uint64_t{1} << rest) - 1;
    found_.assign(open_.size(), 0);
  }

  void sort_part(std::size_t begin, std::size_t end) {
    const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (end < order_.size()) std::nth_element(at(begin), at(end), order_.end());
    std::sort(at(begin), at(end));
  }

  void visit(std::uint32_t column, float* codes) {
    const std::uint64_t* const drew = table_.who_drew(column);
    for (std::size_t w = 0; w < open_.size(); ++w) {
      for (std::uint64_t bits = drew[w] & open_[w]; bits != 0; bits &= bits - 1) {
        const std::size_t v = w * kWordBits + static_cast<std::size_t>(std::countr_zero(bits));
        const std::uint64_t bit = bits & (~bits + 1);
        const bool tied = (found_[w] & bit) != 0;
        if (tied &&
            table_.position(static_cast<std::uint32_t>(codes[v]), v) < table_.position(column, v)) {
          continue;
        }
        codes[v] = static_cast<float>(column);
        found_[w] |= bit;
      }
    }
  }

  // What was found at the last distance stays.
  void close_group() {
    for (std::size_t w = 0; w < open_.size(); ++w) {
      open_[w] &= ~found_[w];
      found_[w] = 0;
    }
  }

  bool done() const {
    return std::all_of(open_.begin(), open_.end(), [](std::uint64_t word) { return word == 0; });
  }
  std::uint32_t left() const {
    int count = 0;
    for (const std::uint64_t word : open_) count += std::popcount(word);
    return static_cast<std::uint32_t>(count);
  }

  const DrawnTable& table_;
  float none_;
  std::vector<std::uint64_t> open_;   // clusterings without a code
  std::vector<std::uint64_t> found_;  // those that got one at the present distance
  std::vector<Known> order_;
};

// So many neighbours leave one code in twenty unknown at most, on average.
std::uint64_t enough_neighbours(double share_drawn, std::uint64_t columns) {
  constexpr double kUnknown = 0.05;
  std::uint64_t count = 0;
  for (double unknown = 1; unknown > kUnknown && count < columns; unknown *= 1 - share_drawn) {
    ++count;
  }
  return count;
}

[[noreturn]] void refuse_row(const DrawnColumns& drawn, RowsView distances, std::size_t row,
                             std::uint32_t unknown) {
  const std::size_t known =
      distances.is_sparse() ? distances.sparse().indices(row).size() : distances.columns();
  const double share =
      static_cast<double>(drawn.centroids) / static_cast<double>(distances.columns());
  throw InvalidArgument(
      ErrorCode::too_small,
      {fmt::format("row {} (counted from 1) has distances to {} of the {} training rows, and {} of "
                   "{} clusterings drew none of these; give those to {} neighbours of each row at "
                   "least, or more ",
                   row + 1, known, distances.columns(), unknown, drawn.clusterings,
                   enough_neighbours(share, distances.columns())),
       option("centroids")},
      {.option = "metric", .value = "precomputed", .place = {.row = row + 1}});
}

}  // namespace

DrawnColumns draw_columns(std::uint64_t seed, std::uint32_t columns, std::uint32_t clusterings,
                          std::uint32_t centroids) {
  DrawnColumns drawn{clusterings, centroids};
  drawn.columns.reserve(std::size_t{clusterings} * centroids);
  for (std::uint32_t clustering = 0; clustering < clusterings; ++clustering) {
    Random random(seed, Purpose::distances, clustering);
    const auto some = draw_without_replacement(random, columns, centroids);
    drawn.columns.insert(drawn.columns.end(), some.begin(), some.end());
  }
  return drawn;
}

Matrix nearest_drawn(const DrawnColumns& drawn, RowsView distances, Job& job) {
  const std::size_t columns = distances.columns();
  const DrawnTable table(drawn, columns);
  Matrix codes(distances.rows(), drawn.clusterings);
  std::vector<std::uint32_t> unknown(distances.rows());
  job.parallel(blocks(distances.rows(), kBlockRows), [&](std::size_t task, unsigned) {
    RowCoder coder(table, columns);
    std::vector<float> row(distances.is_sparse() ? 0 : columns);
    const std::size_t end = std::min(distances.rows(), (task + 1) * kBlockRows);
    for (std::size_t i = task * kBlockRows; i < end; ++i) {
      float* const out = codes.mutable_row<float>(i);
      if (distances.is_sparse()) {
        const SparseView& sparse = distances.sparse();
        unknown[i] = coder.code(sparse.indices(i), sparse.values(i), out);
      } else {
        copy_row(distances.dense(), i, row.data());
        unknown[i] = coder.code({}, row, out);
      }
    }
  });
  constexpr std::uint32_t kOneIn = 10;
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (kOneIn * unknown[i] > drawn.clusterings) refuse_row(drawn, distances, i, unknown[i]);
  }
  return codes;
}

std::uint64_t nearest_drawn_bytes(std::uint64_t columns, std::uint64_t clusterings,
                                  std::uint64_t threads) {
  const std::uint64_t table = columns * (clusterings * sizeof(std::uint32_t) +
                                         blocks(clusterings, kWordBits) * sizeof(std::uint64_t));
  constexpr std::uint64_t kRow = 3 * sizeof(float);  // a row, and its columns in order
  return table + threads * columns * kRow;
}

}  // namespace mbn
