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

// The given row that stands for each of the different ones.
std::vector<std::uint32_t> first_rows(const JointIndex& index) {
  std::vector<std::uint32_t> first(index.rows().rows());
  const std::vector<std::uint32_t>& numbers = index.numbers();
  for (std::size_t i = numbers.size(); i-- > 0;) first[numbers[i]] = static_cast<std::uint32_t>(i);
  return first;
}

Matrix start(const JointIndex& index, const Matrix& components, const MapRequest& request,
             Job& job) {
  if (are_few(index.rows().rows())) {
    return start_along_directions(index.rows(), components.columns(), request.dimensions,
                                  request.seed, job);
  }
  return start_along_components(components, first_rows(index), request.dimensions, request.seed);
}

Matrix lay_out_rows(const JointIndex& index, const Matrix& components, const MapRequest& request,
                    Job& job) {
  Matrix places = start(index, components, request, job);
  const std::size_t others = places.rows() - 1;
  if (others == 0) return places;
  const std::size_t neighbours = std::min<std::size_t>(request.neighbours, others);
  // Along directions the farther neighbours of few rows are mostly of other kinds; in tables not.
  const bool steep = are_few(places.rows()) && !request.as_columns;
  const NeighbourGraph graph =
      make_neighbour_graph(index.own_neighbours(neighbours + 1, job), neighbours, steep);
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
  const Matrix places = lay_out_rows(index, components, request, job);
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
                  start_along_directions_bytes(kept_rows, joint_columns));
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
