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

namespace {

// Blocks, and each other feature as a block of its own.
std::vector<ColumnBlock> units_of(std::span<const ColumnBlock> blocks, std::uint32_t features) {
  std::vector<ColumnBlock> units;
  std::uint32_t next = 0;
  for (const ColumnBlock& block : blocks) {
    for (; next < block.first; ++next) units.push_back({next, 1});
    units.push_back(block);
    next = block.first + block.count;
  }
  for (; next < features; ++next) units.push_back({next, 1});
  return units;
}

std::vector<std::uint32_t> draw_units(Random& random, std::span<const ColumnBlock> units,
                                      std::uint32_t features) {
  const auto all = static_cast<std::uint32_t>(units.size());
  std::vector<std::uint32_t> drawn;
  for (const std::uint32_t number : draw_without_replacement(random, all, all)) {
    const ColumnBlock& unit = units[number];
    const auto left = features - static_cast<std::uint32_t>(drawn.size());
    for (const std::uint32_t place :
         draw_without_replacement(random, unit.count, std::min(unit.count, left))) {
      drawn.push_back(unit.first + place);
    }
    if (drawn.size() == features) break;
  }
  return drawn;
}

}  // namespace

Draws draw(const DrawRequest& request) {
  std::vector<ColumnBlock> units;
  if (!request.blocks.empty()) units = units_of(request.blocks, request.input_features);
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
    auto columns = units.empty() ? draw_without_replacement(feature_stream, request.input_features,
                                                            request.features)
                                 : draw_units(feature_stream, units, request.features);
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
