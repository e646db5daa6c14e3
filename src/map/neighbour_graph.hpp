// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "neighbours/neighbour_lists.hpp"

namespace mbn {

/// Rows connected to their neighbours: every edge stands with both of its rows.
struct NeighbourGraph {
  std::vector<std::uint64_t> starts;  ///< [row], one more at the end
  std::vector<std::uint32_t> others;  ///< the other row of each edge, ascending for each row
  std::vector<float> weights;         ///< from 0 to 1

  std::size_t rows() const { return starts.size() - 1; }
};

/// Whether rows are so few that chance shows on their map, and time does not count (ADR 38).
constexpr bool are_few(std::uint64_t rows) {
  return rows < 10'000;
}

/// How much the neighbour of a rank (from 0) counts among `count`: 1 for the nearest, and less for
/// those that follow; `steep`: nearly nothing for the last.
constexpr float rank_weight(std::size_t rank, std::size_t count, bool steep = false) {
  const float weight = 1.0F / (1.0F + 7.5F * static_cast<float>(rank) / static_cast<float>(count));
  if (!steep) return weight;
  return weight * (1.0F - static_cast<float>(rank) / static_cast<float>(count));
}

/// The graph of all rows, each with its `neighbours` nearest others. With a and b what two rows
/// count for each other, their edge weighs a + b - a b. The lists are of the rows themselves, which
/// are all different, with at least one neighbour more than asked for.
NeighbourGraph make_neighbour_graph(const NeighbourLists& lists, std::size_t neighbours,
                                    bool steep = false);

/// Bytes of the graph, at most.
std::uint64_t neighbour_graph_bytes(std::uint64_t rows, std::uint64_t neighbours);

}  // namespace mbn
