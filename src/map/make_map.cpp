// SPDX-License-Identifier: Apache-2.0
//
// Rows are laid out by the graph of their neighbours in the joint space.
#include "map/make_map.hpp"

#include <algorithm>
#include <utility>

#include "map/joint_index.hpp"
#include "map/joint_space.hpp"
#include "map/layout.hpp"
#include "map/neighbour_graph.hpp"
#include "map/start_places.hpp"

namespace mbn {

namespace {

Matrix lay_out_rows(const JointIndex& index, std::size_t components, const MapRequest& request,
                    Job& job) {
  Matrix places = start_places(index.rows(), components, request.dimensions, request.seed, job);
  const std::size_t others = places.rows() - 1;
  if (others == 0) return places;
  const std::size_t neighbours = std::min<std::size_t>(request.neighbours, others);
  const NeighbourGraph graph =
      make_neighbour_graph(index.own_neighbours(neighbours + 1, job), neighbours);
  lay_out(graph, layout_settings(places.rows()), request.seed, places, job);
  return places;
}

}  // namespace

MapData make_map(RowsView kept, Matrix components, const MapRequest& request, Job& job) {
  MapData map;
  map.neighbours = request.neighbours;
  map.space =
      fit_joint_space(kept, request.as_columns, components, request.metric, request.partial, job);
  const JointIndex index(joint_rows(map.space, kept, components, job), job);
  const Matrix places = lay_out_rows(index, components.columns(), request, job);
  map.places = Matrix(kept.rows(), request.dimensions);
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    std::copy_n(places.view().row<float>(index.numbers()[i]), request.dimensions,
                map.places.mutable_row<float>(i));
  }
  map.components = std::move(components);
  return map;
}

std::size_t make_map_steps(std::uint64_t rows) {
  constexpr std::uint64_t kRowsOfATask = 256;
  return static_cast<std::size_t>(LayoutSettings{}.epochs * (rows / kRowsOfATask + 1));
}

std::uint64_t make_map_bytes(std::uint64_t kept_rows, std::uint64_t joint_columns,
                             std::uint64_t neighbours, unsigned threads) {
  return joint_index_bytes({kept_rows, joint_columns}, neighbours + 1, threads) +
         std::max(neighbour_graph_bytes(kept_rows, neighbours),
                  start_places_bytes(kept_rows, joint_columns));
}

double make_map_seconds(std::uint64_t rows, std::uint64_t kept_rows, std::uint64_t joint_columns,
                        std::uint64_t neighbours) {
  constexpr double kSecondsPerProduct = 1.5e-11;  // of two cells, in the search for neighbours
  const auto kept = static_cast<double>(kept_rows);
  const double others = static_cast<double>(rows) - kept;
  return kSecondsPerProduct * kept * (kept / 2 + others) * static_cast<double>(joint_columns) +
         layout_seconds(kept_rows, neighbours);
}

}  // namespace mbn
