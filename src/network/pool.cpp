// SPDX-License-Identifier: Apache-2.0
//
// The keys are the finaliser of SplitMix64 on seed and number: one to one, so that no two are
// equal. Candidates are collected until there are twice as many as wanted; then the half with the
// smaller keys stays, and its largest key is a bound that most rows after it do not pass.
#include "network/pool.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <mbn/error.hpp>

#include "rows/kinds.hpp"

namespace mbn {

namespace {

std::uint64_t key_of(std::uint64_t number, std::uint64_t start) {
  std::uint64_t key = number + start;
  key = (key ^ (key >> 30)) * 0xBF58476D1CE4E5B9U;
  key = (key ^ (key >> 27)) * 0x94D049BB133111EBU;
  return key ^ (key >> 31);
}

struct Candidate {
  std::uint64_t key;
  std::uint64_t number;

  bool operator<(const Candidate& other) const { return key < other.key; }
};

}  // namespace

std::uint64_t pool_size(std::uint64_t rows, const FitOptions& options) {
  if (options.metric == Metric::precomputed) return rows;
  return std::min<std::uint64_t>(rows, options.pool.value_or(kMostPoolRows));
}

std::vector<std::uint64_t> pool_rows(std::uint64_t rows, const FitOptions& options) {
  const std::uint64_t wanted = pool_size(rows, options);
  std::vector<std::uint64_t> numbers(wanted);
  if (wanted == rows) {
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    return numbers;
  }
  const std::uint64_t start = options.seed * 0x9E3779B97F4A7C15U + 0xD1B54A32D192ED03U;
  std::vector<Candidate> found;
  found.reserve(2 * wanted);
  std::uint64_t bound = std::numeric_limits<std::uint64_t>::max();
  const auto halve = [&] {
    const auto last = found.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
    std::nth_element(found.begin(), last, found.end());
    bound = last->key;
    found.resize(wanted);
  };
  for (std::uint64_t number = 0; number < rows; ++number) {
    const std::uint64_t key = key_of(number, start);
    if (key > bound) continue;
    found.push_back({key, number});
    if (found.size() == 2 * wanted) halve();
  }
  halve();
  std::ranges::transform(found, numbers.begin(), &Candidate::number);
  std::ranges::sort(numbers);
  return numbers;
}

Pool draw_pool(RowsView all, const FitOptions& options) {
  validate(options);
  Pool pool;
  if (pool_size(all.rows(), options) == all.rows()) {
    pool.rows = Rows::borrow(all);
    return pool;
  }
  constexpr std::size_t kMostRows = std::numeric_limits<std::int32_t>::max();
  if (all.rows() > kMostRows) {
    throw InvalidArgument(ErrorCode::too_large, fmt::format("the data has {} rows; give at most {}",
                                                            all.rows(), kMostRows));
  }
  for (const std::uint64_t number : pool_rows(all.rows(), options)) {
    pool.numbers.push_back(static_cast<std::uint32_t>(number));
  }
  pool.rows = gather(all, pool.numbers);
  return pool;
}

}  // namespace mbn
