// SPDX-License-Identifier: Apache-2.0
//
// Each clustering has two random streams of its own, keyed by layer and clustering, so draws can be
// made in any order on any machine. Drawn rows keep the order in which they were drawn. That order
// is random, so breaking ties by it favours no row by its place in the file. Drawn features are
// sorted, because their order has no meaning and neighbouring cells are cheaper to gather.
#include "bottom/draws.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/random.hpp"

namespace mbn {

std::uint32_t drawn_features(double fraction, std::uint64_t inputs) {
  const double share = std::floor(fraction * static_cast<double>(inputs));
  return std::max(1U, static_cast<std::uint32_t>(share));
}

Draws draw(const DrawRequest& request) {
  Draws draws;
  draws.clusterings = request.clusterings;
  draws.centroids = request.centroids;
  draws.features = request.features;
  draws.rows.reserve(std::size_t{request.clusterings} * request.centroids);
  draws.columns.reserve(std::size_t{request.clusterings} * request.features);
  for (std::uint32_t clustering = 0; clustering < request.clusterings; ++clustering) {
    Random row_stream(request.seed, Purpose::rows, request.layer, clustering);
    const auto rows = draw_without_replacement(row_stream, request.input_rows, request.centroids);
    draws.rows.insert(draws.rows.end(), rows.begin(), rows.end());

    Random feature_stream(request.seed, Purpose::features, request.layer, clustering);
    auto columns =
        draw_without_replacement(feature_stream, request.input_features, request.features);
    std::sort(columns.begin(), columns.end());
    draws.columns.insert(draws.columns.end(), columns.begin(), columns.end());
  }
  return draws;
}

std::vector<std::uint32_t> keep_drawn(Draws& draws, std::uint32_t input_rows) {
  constexpr std::uint32_t kUndrawn = ~0U;
  std::vector<std::uint32_t> number(input_rows, kUndrawn);
  for (const std::uint32_t row : draws.rows) number[row] = 0;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t row = 0; row < input_rows; ++row) {
    if (number[row] == kUndrawn) continue;
    number[row] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(row);
  }
  for (std::uint32_t& row : draws.rows) row = number[row];
  return kept;
}

}  // namespace mbn
