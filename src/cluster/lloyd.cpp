// SPDX-License-Identifier: Apache-2.0
//
// Lloyd's iteration: assign each row to its nearest centre, move each centre to the mean of its
// rows, until no row changes. Most distances need not be computed. For row x with centre a keep an
// upper bound u >= |x - a|, and for each group G of centres a lower bound
// l_G <= |x - c| for all c in G except a. When centres move, by the triangle inequality
//
//     u += |move of a|,      l_G -= largest |move| in G,
//
// and x keeps its centre for certain when u < l_G for all G (Yinyang k-means; with one centre per
// group it is Elkan's, with one group Hamerly's), or when u < half the distance from a to its
// nearest other centre. Lower bounds are stored plus the sum of all moves so far, so that a row
// that keeps its centre costs comparisons only.
//
// Bounds carry a relative slack far above rounding errors, and skip only where the inequality is
// strict: the labels are those of plain Lloyd with the same distances, bit for bit. How many groups
// there are is therefore only a matter of time and memory.
//
// Centres are rounded to float32 at each move, so the last assignment is the one that a user of the
// float32 centres will get. The sums of clusters that changed are computed anew, in row order, in
// double. Sums of bytes are integers, so they are corrected row by row without error.
#include "cluster/lloyd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace mbn::lloyd {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kBoundBytes = std::size_t{16} << 20;
constexpr std::size_t kFewestGroups = 4;

/// As many groups as fit into kBoundBytes; the lower bounds, rows x groups, take nearly all of it.
std::size_t group_count(std::size_t rows, std::size_t clusters) {
  const std::size_t fitting = kBoundBytes / (rows * sizeof(double) + 1);
  return std::min(clusters, std::max(fitting, kFewestGroups));
}

template <class T>
class Iteration {
 public:
  Iteration(MatrixView rows, Centres starts)
      : rows_(rows),
        clusters_(starts.count),
        group_size_((clusters_ + group_count(rows.rows(), clusters_) - 1) /
                    group_count(rows.rows(), clusters_)),
        groups_((clusters_ + group_size_ - 1) / group_size_),
        slack_(4 * static_cast<double>(rows.columns() + 16) *
               std::numeric_limits<double>::epsilon()),
        buffer_(rows.columns()),
        centres_(std::move(starts)),
        sums_(clusters_, rows.columns()),
        counts_(clusters_),
        changed_(clusters_, true),
        labels_(rows.rows(), -1),
        upper_(rows.rows(), kInfinity),
        lower_(rows.rows() * groups_, -kInfinity),
        moved_(clusters_),
        group_moves_(groups_),
        half_gap_(clusters_),
        open_(groups_),
        first_(groups_),
        second_(groups_) {}

  Run run(std::uint32_t max_iterations, const std::function<void()>& check) {
    std::uint32_t iterations = 0;
    bool settled = false;
    while (!settled && iterations < max_iterations) {
      check();
      const bool same = !assign();
      ++iterations;
      settled = !fill_empty() && same;
      if (!settled) move_centres();
    }
    if (!settled) assign();
    Run result{std::move(centres_), std::move(labels_), 0, iterations};
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      result.objective +=
          squared_distance(load(i), result.centres.row(static_cast<std::size_t>(result.labels[i])),
                           result.centres.width);
    }
    return result;
  }

 private:
  const double* load(std::size_t row) { return buffer_.load(rows_.row<T>(row)); }

  double square_to(const double* row, std::size_t centre) const {
    return squared_distance(row, centres_.row(centre), centres_.width);
  }

  /// Assigns every row to its nearest centre; returns whether any label changed.
  bool assign() {
    measure_gaps();
    bool any = false;
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      if (labels_[i] >= 0 && keeps_centre(i)) continue;
      const std::int32_t old = labels_[i];
      search(i);
      if (labels_[i] != old) {
        change(i, old, labels_[i]);
        any = true;
      }
    }
    return any;
  }

  bool keeps_centre(std::size_t i) {
    const auto own = static_cast<std::size_t>(labels_[i]);
    upper_[i] = (upper_[i] + moved_[own]) * (1 + slack_);
    return upper_[i] < half_gap_[own] || !open_groups(i);
  }

  /// Marks the groups that may hold a nearer centre; returns whether there is one.
  bool open_groups(std::size_t i) {
    const double* lower = lower_.data() + i * groups_;
    const double upper = upper_[i] * (1 + slack_);
    unsigned char any = 0;
    for (std::size_t g = 0; g < groups_; ++g) {
      // Not (upper < bound), rather than (upper >= bound): with NaN the group stays open.
      open_[g] = !(upper < lower[g] * (1 - slack_) - group_moves_[g]) ? 1 : 0;
      any = static_cast<unsigned char>(any | open_[g]);
    }
    return any != 0;
  }

  /// Finds the nearest centre of row i among its own and the open groups, and updates its bounds.
  void search(std::size_t i) {
    const double* row = load(i);
    const std::size_t own = labels_[i] < 0 ? 0 : static_cast<std::size_t>(labels_[i]);
    const double own_square = square_to(row, own);
    upper_[i] = std::sqrt(own_square) * (1 + slack_);
    const bool open = open_groups(i);
    labels_[i] = static_cast<std::int32_t>(own);
    if (!open) return;

    Nearest best{own, own_square};
    for (std::size_t g = 0; g < groups_; ++g) {
      if (open_[g] != 0) search_group(row, g, {own, own_square}, best);
    }
    double* lower = lower_.data() + i * groups_;
    for (std::size_t g = 0; g < groups_; ++g) {
      if (open_[g] == 0) continue;
      const double square = first_[g].centre == best.centre ? second_[g] : first_[g].square;
      lower[g] = std::sqrt(square) * (1 - slack_) + group_moves_[g];
    }
    if (best.centre == own) return;
    labels_[i] = static_cast<std::int32_t>(best.centre);
    upper_[i] = std::sqrt(best.square) * (1 + slack_);
    const std::size_t own_group = own / group_size_;
    if (open_[own_group] == 0) {
      // The lower bound of this group did not cover the old centre, which is now one of the others.
      lower[own_group] = std::min(lower[own_group],
                                  std::sqrt(own_square) * (1 - slack_) + group_moves_[own_group]);
    }
  }

  /// Records the nearest centre of a group and the distance of the second nearest.
  void search_group(const double* row, std::size_t g, Nearest own, Nearest& best) {
    first_[g] = {clusters_, kInfinity};
    second_[g] = kInfinity;
    const std::size_t last = std::min((g + 1) * group_size_, clusters_);
    for (std::size_t c = g * group_size_; c < last; ++c) {
      const double square = c == own.centre ? own.square : square_to(row, c);
      if (square < first_[g].square) {
        second_[g] = first_[g].square;
        first_[g] = {c, square};
      } else if (square < second_[g]) {
        second_[g] = square;
      }
      if (square < best.square || (square == best.square && c < best.centre)) best = {c, square};
    }
  }

  void change(std::size_t i, std::int32_t from, std::int32_t to) {
    const T* row = rows_.row<T>(i);
    if (from >= 0) {
      --counts_[static_cast<std::size_t>(from)];
      changed_[static_cast<std::size_t>(from)] = true;
      if constexpr (std::is_integral_v<T>) add(row, -1.0, static_cast<std::size_t>(from));
    }
    ++counts_[static_cast<std::size_t>(to)];
    changed_[static_cast<std::size_t>(to)] = true;
    if constexpr (std::is_integral_v<T>) add(row, 1.0, static_cast<std::size_t>(to));
  }

  void add(const T* row, double sign, std::size_t cluster) {
    double* sum = sums_.row(cluster);
    for (std::size_t j = 0; j < rows_.columns(); ++j) sum[j] += sign * static_cast<double>(row[j]);
  }

  /// Moves a row to each empty cluster; returns whether any row was moved.
  bool fill_empty() {
    if (std::find(counts_.begin(), counts_.end(), 0U) == counts_.end()) return false;
    std::vector<double> squares(rows_.rows());
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      squares[i] = square_to(load(i), static_cast<std::size_t>(labels_[i]));
    }
    bool any = false;
    for (std::size_t c = 0; c < clusters_; ++c) {
      if (counts_[c] != 0) continue;
      const std::size_t farthest = farthest_row(squares);
      if (farthest == rows_.rows()) break;
      change(farthest, labels_[farthest], static_cast<std::int32_t>(c));
      labels_[farthest] = static_cast<std::int32_t>(c);
      squares[farthest] = 0;
      upper_[farthest] = kInfinity;
      std::fill_n(lower_.data() + farthest * groups_, groups_, -kInfinity);
      any = true;
    }
    return any;
  }

  /// The row farthest from its centre, of those whose cluster has other rows; rows() when there is
  /// none.
  std::size_t farthest_row(const std::vector<double>& squares) const {
    double largest = 0;
    std::size_t farthest = rows_.rows();
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      if (squares[i] > largest && counts_[static_cast<std::size_t>(labels_[i])] > 1) {
        largest = squares[i];
        farthest = i;
      }
    }
    return farthest;
  }

  void move_centres() {
    if constexpr (!std::is_integral_v<T>) renew_sums();
    std::fill(moved_.begin(), moved_.end(), 0.0);
    std::vector<double> old(centres_.width);
    for (std::size_t c = 0; c < clusters_; ++c) {
      if (!changed_[c] || counts_[c] == 0) continue;
      double* centre = centres_.row(c);
      std::copy_n(centre, centres_.width, old.data());
      const auto count = static_cast<double>(counts_[c]);
      for (std::size_t j = 0; j < rows_.columns(); ++j) {
        centre[j] = double{static_cast<float>(sums_.row(c)[j] / count)};
      }
      moved_[c] = std::sqrt(squared_distance(old.data(), centre, centres_.width)) * (1 + slack_);
    }
    std::fill(changed_.begin(), changed_.end(), false);
    for (std::size_t g = 0; g < groups_; ++g) {
      const std::size_t last = std::min((g + 1) * group_size_, clusters_);
      double largest = 0;
      for (std::size_t c = g * group_size_; c < last; ++c) largest = std::max(largest, moved_[c]);
      group_moves_[g] = (group_moves_[g] + largest) * (1 + std::numeric_limits<double>::epsilon());
    }
  }

  void renew_sums() {
    for (std::size_t c = 0; c < clusters_; ++c) {
      if (changed_[c]) std::fill_n(sums_.row(c), sums_.width, 0.0);
    }
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      const auto c = static_cast<std::size_t>(labels_[i]);
      if (changed_[c]) add(rows_.row<T>(i), 1.0, c);
    }
  }

  /// Computes half the distance from each centre to the nearest other centre.
  void measure_gaps() {
    std::fill(half_gap_.begin(), half_gap_.end(), kInfinity);
    for (std::size_t a = 0; a < clusters_; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double square = square_to(centres_.row(a), b);
        half_gap_[a] = std::min(half_gap_[a], square);
        half_gap_[b] = std::min(half_gap_[b], square);
      }
    }
    for (double& gap : half_gap_) gap = 0.5 * std::sqrt(gap) * (1 - 2 * slack_);
  }

  MatrixView rows_;
  std::size_t clusters_;
  std::size_t group_size_;
  std::size_t groups_;
  double slack_;
  RowBuffer buffer_;
  Centres centres_;
  Centres sums_;
  std::vector<std::uint32_t> counts_;
  std::vector<bool> changed_;  ///< clusters whose rows changed since the centres were moved
  std::vector<std::int32_t> labels_;
  std::vector<double> upper_;
  std::vector<double> lower_;        ///< rows x groups; group_moves_ at that time is added
  std::vector<double> moved_;        ///< distance of the last move of each centre
  std::vector<double> group_moves_;  ///< of each group: sum of the largest move of every iteration
  std::vector<double> half_gap_;
  std::vector<unsigned char> open_;
  std::vector<Nearest> first_;
  std::vector<double> second_;
};

}  // namespace

Run run_lloyd(MatrixView rows, Centres starts, std::uint32_t max_iterations,
              const std::function<void()>& check) {
  if (rows.type() == ElementType::float32) {
    return Iteration<float>(rows, std::move(starts)).run(max_iterations, check);
  }
  return Iteration<std::uint8_t>(rows, std::move(starts)).run(max_iterations, check);
}

}  // namespace mbn::lloyd
