// SPDX-License-Identifier: Apache-2.0
//
// Every row offers its neighbours an edge, and every offer is filed with both rows. Filed in the
// order of the offering rows, the offers that a row receives ascend already; those that it makes
// are sorted, and the two ascending lists are merged.
#include "map/neighbour_graph.hpp"

#include <algorithm>
#include <utility>

namespace mbn {

namespace {

using Offer = std::pair<std::uint32_t, float>;  // the other row, and what it counts

// The nearest others of a row, ascending.
void own_offers(const NeighbourLists& lists, std::size_t row, std::size_t neighbours, bool steep,
                std::vector<Offer>& offers) {
  offers.clear();
  for (const std::uint32_t other : lists.numbers(row)) {
    if (other == row) continue;
    if (offers.size() == neighbours) break;
    offers.emplace_back(other, rank_weight(offers.size(), neighbours, steep));
  }
  std::sort(offers.begin(), offers.end());
}

struct Received {
  std::vector<std::uint64_t> starts;
  std::vector<Offer> offers;
};

Received file_offers(const NeighbourLists& lists, std::size_t neighbours, bool steep) {
  Received received;
  received.starts.resize(lists.rows() + 1);
  std::vector<Offer> offers;
  for (std::size_t row = 0; row < lists.rows(); ++row) {
    own_offers(lists, row, neighbours, steep, offers);
    for (const auto& [other, weight] : offers) ++received.starts[other + 1];
  }
  for (std::size_t row = 0; row < lists.rows(); ++row) {
    received.starts[row + 1] += received.starts[row];
  }
  received.offers.resize(received.starts.back());
  std::vector<std::uint64_t> next(received.starts.begin(), received.starts.end() - 1);
  for (std::size_t row = 0; row < lists.rows(); ++row) {
    own_offers(lists, row, neighbours, steep, offers);
    for (const auto& [other, weight] : offers) {
      received.offers[next[other]++] = {static_cast<std::uint32_t>(row), weight};
    }
  }
  return received;
}

}  // namespace

NeighbourGraph make_neighbour_graph(const NeighbourLists& lists, std::size_t neighbours,
                                    bool steep) {
  const Received received = file_offers(lists, neighbours, steep);
  NeighbourGraph graph;
  graph.starts = {0};
  graph.others.reserve(2 * received.offers.size());
  graph.weights.reserve(2 * received.offers.size());
  std::vector<Offer> own;
  for (std::size_t row = 0; row < lists.rows(); ++row) {
    own_offers(lists, row, neighbours, steep, own);
    const auto end =
        received.offers.begin() + static_cast<std::ptrdiff_t>(received.starts[row + 1]);
    auto in = received.offers.begin() + static_cast<std::ptrdiff_t>(received.starts[row]);
    auto out = own.begin();
    while (in != end || out != own.end()) {
      const bool takes_in = in != end && (out == own.end() || in->first <= out->first);
      const bool takes_out = out != own.end() && (in == end || out->first <= in->first);
      const float a = takes_in ? in->second : 0.0F;
      const float b = takes_out ? out->second : 0.0F;
      graph.others.push_back(takes_in ? in->first : out->first);
      graph.weights.push_back(a + b - a * b);
      if (takes_in) ++in;
      if (takes_out) ++out;
    }
    graph.starts.push_back(graph.others.size());
  }
  return graph;
}

std::uint64_t neighbour_graph_bytes(std::uint64_t rows, std::uint64_t neighbours) {
  // The offers, and two entries for each of them.
  return rows * (2 * sizeof(std::uint64_t) + neighbours * (sizeof(Offer) + 2 * 8));
}

}  // namespace mbn
