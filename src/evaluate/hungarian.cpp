// SPDX-License-Identifier: Apache-2.0
//
// The Hungarian method by shortest augmenting paths. Every row i carries a price u_i >= 0 and every
// column j a price p_j >= 0 with
//
//   u_i + p_j >= gain_ij,   equality where i and j are matched,   0 where one is left alone;
//
// a matching with such prices is the best one, by linear programming duality. Rows enter one at a
// time. A new row looks for the cheapest way in, where the length of an edge is its slack
// u_i + p_j - gain_ij: along alternating paths either to a free column, or to some row i that
// rather stays alone, which costs u_i. Dijkstra's search finds it; afterwards the prices of all
// that was reached closer than the end move by the difference, which keeps the conditions true.
//
// Only pairs with a gain are edges. This is why thousands of labels cost no square table, and why
// the numbers of rows and columns need not agree. Gains are integers, so nothing is rounded.
#include "evaluate/hungarian.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace mbn {

namespace {

class Matcher {
 public:
  Matcher(std::size_t rows, std::size_t columns, std::span<const Gain> gains)
      : edges_(gains.begin(), gains.end()),
        first_edge_(rows + 1),
        row_price_(rows),
        column_price_(columns),
        column_of_(rows, kUnmatched),
        row_of_(columns, kUnmatched),
        distance_(columns, kFar),
        settled_(columns, 0),
        parent_(columns, kUnmatched) {
    std::stable_sort(edges_.begin(), edges_.end(),
                     [](const Gain& a, const Gain& b) { return a.row < b.row; });
    for (const Gain& edge : edges_) ++first_edge_[edge.row + 1];
    for (std::size_t i = 0; i < rows; ++i) first_edge_[i + 1] += first_edge_[i];
  }

  std::vector<std::uint32_t> match() && {
    for (std::uint32_t row = 0; row < column_of_.size(); ++row) enter(row);
    return std::move(column_of_);
  }

 private:
  static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();

  /// Where the cheapest path ends: at a free column, or at a row that gives up its column.
  struct End {
    std::int64_t length = 0;
    std::uint32_t column = kUnmatched;
    std::uint32_t lonely_row = kUnmatched;
  };

  std::span<const Gain> edges_of(std::uint32_t row) const {
    return std::span(edges_).subspan(first_edge_[row], first_edge_[row + 1] - first_edge_[row]);
  }

  void enter(std::uint32_t row) {
    for (const Gain& edge : edges_of(row)) {
      row_price_[row] = std::max(row_price_[row], edge.value - column_price_[edge.column]);
    }
    const End end = find_end(row);
    move_prices(row, end.length);
    flip(row, end);
    for (const std::uint32_t column : reached_) {
      distance_[column] = kFar;
      settled_[column] = 0;
    }
    reached_.clear();
  }

  End find_end(std::uint32_t start) {
    End end{row_price_[start], kUnmatched, start};
    relax(start, 0, end);
    while (!queue_.empty()) {
      const auto [length, column] = queue_.top();
      if (length >= end.length) break;
      queue_.pop();
      if (settled_[column] != 0) continue;
      settled_[column] = 1;
      const std::uint32_t row = row_of_[column];
      if (row == kUnmatched) {
        end = {length, column, kUnmatched};
        break;
      }
      if (length + row_price_[row] < end.length) end = {length + row_price_[row], column, row};
      relax(row, length, end);
    }
    queue_ = {};
    return end;
  }

  void relax(std::uint32_t row, std::int64_t so_far, const End& end) {
    for (const Gain& edge : edges_of(row)) {
      const std::int64_t length =
          so_far + row_price_[row] + column_price_[edge.column] - edge.value;
      if (length >= distance_[edge.column] || length >= end.length) continue;
      if (distance_[edge.column] == kFar) reached_.push_back(edge.column);
      distance_[edge.column] = length;
      parent_[edge.column] = row;
      queue_.emplace(length, edge.column);
    }
  }

  void move_prices(std::uint32_t start, std::int64_t length) {
    row_price_[start] -= length;
    for (const std::uint32_t column : reached_) {
      if (distance_[column] >= length) continue;
      column_price_[column] += length - distance_[column];
      // A column closer than the end is taken: free ones end the search.
      row_price_[row_of_[column]] -= length - distance_[column];
    }
  }

  void flip(std::uint32_t start, const End& end) {
    if (end.lonely_row == start) return;
    if (end.lonely_row != kUnmatched) column_of_[end.lonely_row] = kUnmatched;
    for (std::uint32_t column = end.column;;) {
      const std::uint32_t row = parent_[column];
      const std::uint32_t before = column_of_[row];
      column_of_[row] = column;
      row_of_[column] = row;
      if (row == start) return;
      column = before;
    }
  }

  std::vector<Gain> edges_;
  std::vector<std::size_t> first_edge_;
  std::vector<std::int64_t> row_price_;
  std::vector<std::int64_t> column_price_;
  std::vector<std::uint32_t> column_of_;
  std::vector<std::uint32_t> row_of_;

  // One search; only what was reached is reset after it.
  std::vector<std::int64_t> distance_;
  std::vector<char> settled_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> reached_;
  using Entry = std::pair<std::int64_t, std::uint32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace

std::vector<std::uint32_t> best_matching(std::size_t rows, std::size_t columns,
                                         std::span<const Gain> gains) {
  return Matcher(rows, columns, gains).match();
}

}  // namespace mbn
