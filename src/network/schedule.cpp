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
  if (options.clusters.count_or(0) > rows) {
    const std::string seen = options.clusters.text();
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option("clusters"),
         fmt::format(" is {}, but the data has only {} rows; ask for fewer", seen, rows)},
        {.option = "clusters", .value = seen});
  }
  if (options.centroids > drawable_rows(rows, options)) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option("centroids"),
         fmt::format(" is {}, but there are only {} rows to draw from; ask for fewer",
                     *options.centroids, drawable_rows(rows, options))},
        {.option = "centroids", .value = std::to_string(*options.centroids)});
  }
}

std::uint32_t usual_centroids(std::uint64_t rows, const FitOptions& options, double narrowest) {
  const std::uint64_t drawable = drawable_rows(rows, options);
  std::uint64_t centroids = drawable / 2;
  if (options.clusters.is_number()) {
    centroids = std::max(centroids, static_cast<std::uint64_t>(std::ceil(narrowest)));
  }
  return static_cast<std::uint32_t>(std::min(centroids, drawable));
}

}  // namespace

std::uint64_t drawable_rows(std::uint64_t rows, const FitOptions& options) {
  return options.pool ? std::min<std::uint64_t>(*options.pool, rows) : rows;
}

std::vector<std::uint32_t> schedule(std::uint64_t rows, const FitOptions& options) {
  check_against_rows(rows, options);
  const double narrowest = 1.5 * options.clusters.count_or(kAssumedClusters);
  const std::uint32_t bottom =
      options.centroids.value_or(usual_centroids(rows, options, narrowest));
  const double decay = options.decay.value_or(kUsualDecay);
  std::vector<std::uint32_t> layers{bottom};
  for (double width = bottom * decay; std::floor(width) >= narrowest; width *= decay) {
    if (layers.size() == kMaxLayers) {
      throw InvalidArgument(
          ErrorCode::out_of_range,
          {option("decay", fmt::to_string(decay)),
           fmt::format(" makes more than {} layers; choose a smaller one", kMaxLayers)},
          {.option = "decay", .value = fmt::to_string(decay)});
    }
    layers.push_back(static_cast<std::uint32_t>(width));
  }
  return layers;
}

std::uint32_t embedding_components(const FitOptions& options) {
  // Two even for one cluster: there is a picture to be drawn.
  return options.components.value_or(std::max(2U, options.clusters.count_or(2)));
}

std::uint32_t map_components(const FitOptions& options) {
  return std::max(2U, options.clusters.count_or(kAssumedClusters));
}

}  // namespace mbn
