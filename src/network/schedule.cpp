// SPDX-License-Identifier: Apache-2.0
//
// k_1 = centroids, or half of the rows to draw from but at least 1.5 c (and never more than all);
// k_l = floor(k_1 decay^(l-1)). Layer l + 1 is built only if k_{l+1} >= 1.5 c: a clustering with
// fewer drawn rows than that cannot tell c clusters apart.
#include "network/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <mbn/error.hpp>

namespace mbn {

namespace {

constexpr std::uint64_t kMaxRows = 0x7fffffff;
constexpr std::size_t kMaxLayers = 10000;

void check_against_rows(std::uint64_t rows, const FitOptions& options) {
  if (rows < 2) {
    throw InvalidArgument(
        ErrorCode::too_small,
        fmt::format("the data has {} row{}; give at least 2", rows, rows == 1 ? "" : "s"));
  }
  if (rows > kMaxRows) {
    throw InvalidArgument(ErrorCode::too_large,
                          fmt::format("the data has {} rows; give at most {}", rows, kMaxRows));
  }
  if (options.clusters > rows) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option("clusters"), fmt::format(" is {}, but the data has only {} rows; ask for fewer",
                                         options.clusters, rows)},
        {.option = "clusters", .value = std::to_string(options.clusters)});
  }
  if (options.centroids > drawable_rows(rows, options)) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option("centroids"),
         fmt::format(" is {}, but there are only {} rows to draw from; ask for fewer",
                     options.centroids, drawable_rows(rows, options))},
        {.option = "centroids", .value = std::to_string(options.centroids)});
  }
}

}  // namespace

std::uint64_t drawable_rows(std::uint64_t rows, const FitOptions& options) {
  return options.pool != 0 ? std::min<std::uint64_t>(options.pool, rows) : rows;
}

std::vector<std::uint32_t> schedule(std::uint64_t rows, const FitOptions& options) {
  check_against_rows(rows, options);
  const double narrowest =
      1.5 * static_cast<double>(options.clusters != 0 ? options.clusters : kAssumedClusters);
  std::uint64_t bottom = options.centroids;
  if (bottom == 0) {
    bottom = drawable_rows(rows, options) / 2;
    if (options.clusters != 0) {
      bottom = std::max(bottom, static_cast<std::uint64_t>(std::ceil(narrowest)));
    }
    bottom = std::min(bottom, drawable_rows(rows, options));
  }
  std::vector<std::uint32_t> layers{static_cast<std::uint32_t>(bottom)};
  for (double width = static_cast<double>(bottom) * options.decay; std::floor(width) >= narrowest;
       width *= options.decay) {
    if (layers.size() == kMaxLayers) {
      throw InvalidArgument(
          ErrorCode::out_of_range,
          {option("decay", fmt::to_string(options.decay)),
           fmt::format(" makes more than {} layers; choose a smaller one", kMaxLayers)},
          {.option = "decay", .value = fmt::to_string(options.decay)});
    }
    layers.push_back(static_cast<std::uint32_t>(width));
  }
  return layers;
}

std::uint32_t embedding_components(const FitOptions& options) {
  if (options.components != 0) return options.components;
  return options.clusters != 0 ? options.clusters : 2;
}

}  // namespace mbn
