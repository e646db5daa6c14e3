// SPDX-License-Identifier: Apache-2.0
//
// With n_uv rows in cluster u of one labelling and v of the other, a_u and b_v the sizes of both:
//
//   I    = sum_uv n_uv/n ln( n n_uv / (a_u b_v) )
//   E[I] = the same under all labellings with these sizes, n_uv being hypergeometric
//          (Vinh, Epps and Bailey 2010)
//
// E[I] depends on the sizes only, so clusters of one size share their sums.
#include "choose/stability.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "evaluate/contingency.hpp"

namespace mbn {

namespace {

double term(std::uint64_t both, std::uint64_t a, std::uint64_t b, std::uint64_t rows) {
  if (both == 0) return 0;
  const auto n = static_cast<double>(rows);
  const auto shared = static_cast<double>(both);
  return shared / n * std::log(n / static_cast<double>(a) * (shared / static_cast<double>(b)));
}

double information(const Contingency& table) {
  double sum = 0;
  for (const Contingency::Cell& cell : table.cells) {
    sum += term(cell.count, table.cluster_sizes[cell.cluster], table.class_sizes[cell.truth],
                table.rows);
  }
  return sum;
}

std::vector<double> log_factorials(std::uint64_t most) {
  std::vector<double> logs(most + 1);
  for (std::uint64_t i = 2; i <= most; ++i) {
    logs[i] = logs[i - 1] + std::log(static_cast<double>(i));
  }
  return logs;
}

// The term of E[I] of two clusters of sizes a and b.
double expected_term(std::uint64_t a, std::uint64_t b, std::uint64_t rows,
                     const std::vector<double>& logs) {
  const double fixed = logs[a] + logs[b] + logs[rows - a] + logs[rows - b] - logs[rows];
  double sum = 0;
  for (std::uint64_t both = std::max<std::uint64_t>(1, a + b > rows ? a + b - rows : 0);
       both <= std::min(a, b); ++both) {
    const double chance =
        fixed - logs[both] - logs[a - both] - logs[b - both] - logs[rows - a - b + both];
    sum += std::exp(chance) * term(both, a, b, rows);
  }
  return sum;
}

std::map<std::uint64_t, std::uint64_t> how_many_of(const std::vector<std::uint64_t>& sizes) {
  std::map<std::uint64_t, std::uint64_t> counts;
  for (const std::uint64_t size : sizes) ++counts[size];
  return counts;
}

double expected_information(const Contingency& table) {
  const std::vector<double> logs = log_factorials(table.rows);
  double sum = 0;
  for (const auto& [a, times_a] : how_many_of(table.cluster_sizes)) {
    for (const auto& [b, times_b] : how_many_of(table.class_sizes)) {
      sum += static_cast<double>(times_a * times_b) * expected_term(a, b, table.rows, logs);
    }
  }
  return sum;
}

}  // namespace

double stability(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                 std::uint32_t clusters) {
  if (clusters < 2) return 0;
  const Contingency table = count_pairs(first, second);
  return (information(table) - expected_information(table)) / std::log(clusters);
}

}  // namespace mbn
