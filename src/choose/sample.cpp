// SPDX-License-Identifier: Apache-2.0
#include "choose/sample.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "network/planning.hpp"
#include "network/schedule.hpp"
#include "rows/gather.hpp"
#include "rows/preparation.hpp"

namespace mbn {

namespace {

Rows draw_rows(RowsView rows, std::uint64_t seed, std::size_t most) {
  if (rows.rows() <= most) return Rows::borrow(rows);
  Random random(seed, Purpose::pilot, ~std::uint32_t{0}, static_cast<std::uint32_t>(most));
  std::vector<std::uint32_t> numbers = draw_without_replacement(
      random, static_cast<std::uint32_t>(rows.rows()), static_cast<std::uint32_t>(most));
  std::sort(numbers.begin(), numbers.end());
  return gather(rows, numbers);
}

FitOptions options_for(std::uint64_t rows, std::uint64_t all, const FitOptions& options) {
  FitOptions small = options;
  small.clusters = options.clusters.count_or(kAssumedClusters);
  small.components = small.clusters.count();
  small.clusterings = 1;
  if (options.centroids) {
    const double share =
        static_cast<double>(rows) / static_cast<double>(drawable_rows(all, options));
    small.centroids = static_cast<std::uint32_t>(
        std::clamp(std::floor(*options.centroids * share), 1.0, static_cast<double>(rows)));
  }
  small.pool = std::nullopt;
  return small;
}

}  // namespace

Sample::Sample(RowsView rows, const FitOptions& options, std::size_t most, Job& job)
    : drawn_(draw_rows(rows, options.seed,
                       std::min<std::size_t>(most, drawable_rows(rows.rows(), options)))) {
  // Not in the list of initialisers, on which GCC 12 ends with an internal error.
  options_ = options_for(drawn_.view().rows(), rows.rows(), options);
  worked_on_ = as_worked_on(drawn_, size_of(drawn_, options_, job).is_sparse, options_.metric);
  const Preparation preparation =
      make_preparation(worked_on_, column_statistics(worked_on_.view(), job), options_, job);
  prepared_ = prepare_rows(preparation, worked_on_.view(), job);
}

bool columns_differ_in_size(RowsView rows, Job& job) {
  constexpr double kTimes = 5;
  std::vector<double> spread;
  for (const double variance : column_statistics(rows, job).variance) {
    if (variance > 0) spread.push_back(std::sqrt(variance));
  }
  if (spread.empty()) return false;
  std::sort(spread.begin(), spread.end());
  const std::size_t middle = spread.size() / 2;
  const double usual =
      spread.size() % 2 == 1 ? spread[middle] : (spread[middle - 1] + spread[middle]) / 2;
  return spread.back() > kTimes * usual;
}

}  // namespace mbn
