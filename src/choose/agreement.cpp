// SPDX-License-Identifier: Apache-2.0
//
// With n_uv rows in cluster u of one labelling and v of the other, a_u and b_v the sizes of both:
//
//   I    = sum_uv n_uv/n ln( n n_uv / (a_u b_v) )
//   E[I] = the same under all labellings with these sizes, n_uv being hypergeometric
//          (Vinh, Epps and Bailey 2010)
//
// E[I] depends on the sizes only, so clusters of one size share their sums.
#include "choose/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace mbn {

namespace {

struct Sizes {
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> second;
  std::vector<std::uint64_t> together;  ///< first x second
  std::uint64_t rows = 0;
};

Sizes count(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
            std::uint32_t clusters) {
  Sizes sizes{std::vector<std::uint64_t>(clusters), std::vector<std::uint64_t>(clusters),
              std::vector<std::uint64_t>(std::size_t{clusters} * clusters), first.size()};
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto u = static_cast<std::size_t>(first[i]);
    const auto v = static_cast<std::size_t>(second[i]);
    ++sizes.first[u];
    ++sizes.second[v];
    ++sizes.together[u * clusters + v];
  }
  return sizes;
}

double term(std::uint64_t both, std::uint64_t a, std::uint64_t b, std::uint64_t rows) {
  if (both == 0) return 0;
  const auto n = static_cast<double>(rows);
  const auto shared = static_cast<double>(both);
  return shared / n * std::log(n / static_cast<double>(a) * (shared / static_cast<double>(b)));
}

double information(const Sizes& sizes) {
  double sum = 0;
  for (std::size_t u = 0; u < sizes.first.size(); ++u) {
    for (std::size_t v = 0; v < sizes.second.size(); ++v) {
      sum += term(sizes.together[u * sizes.second.size() + v], sizes.first[u], sizes.second[v],
                  sizes.rows);
    }
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

// Of two clusters of sizes a and b that were filled at random.
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
  for (const std::uint64_t size : sizes) {
    if (size != 0) ++counts[size];
  }
  return counts;
}

double expected_information(const Sizes& sizes) {
  const std::vector<double> logs = log_factorials(sizes.rows);
  double sum = 0;
  for (const auto& [a, times_a] : how_many_of(sizes.first)) {
    for (const auto& [b, times_b] : how_many_of(sizes.second)) {
      sum += static_cast<double>(times_a * times_b) * expected_term(a, b, sizes.rows, logs);
    }
  }
  return sum;
}

}  // namespace

double agreement(std::span<const std::int32_t> first, std::span<const std::int32_t> second,
                 std::uint32_t clusters) {
  if (clusters < 2) return 0;
  const Sizes sizes = count(first, second, clusters);
  return (information(sizes) - expected_information(sizes)) / std::log(clusters);
}

}  // namespace mbn
