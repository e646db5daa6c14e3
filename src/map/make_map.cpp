// SPDX-License-Identifier: Apache-2.0
//
// Rows start where their first components put them, a little apart, and are laid out by the graph
// of their neighbours in the joint space.
#include "map/make_map.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "map/joint_index.hpp"
#include "map/joint_space.hpp"
#include "map/layout.hpp"
#include "map/neighbour_graph.hpp"

namespace mbn {

namespace {

// The start reaches this far from the middle, and rows of equal components are set apart by so
// much.
constexpr double kReach = 10;
constexpr double kApart = 0.01;

// One column of the start: a component about its mean; zeros where there is none.
void start_along(const Matrix& components, const std::vector<std::uint32_t>& first,
                 std::size_t column, Matrix& places) {
  if (column >= components.columns()) return;
  double mean = 0;
  for (const std::uint32_t row : first) {
    mean += double{components.view().row<float>(row)[column]};
  }
  mean /= static_cast<double>(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    places.mutable_row<float>(i)[column] =
        static_cast<float>(double{components.view().row<float>(first[i])[column]} - mean);
  }
}

Matrix start_places(const Matrix& components, const std::vector<std::uint32_t>& first,
                    const MapRequest& request) {
  Matrix places(first.size(), request.dimensions);
  for (std::size_t c = 0; c < request.dimensions; ++c) start_along(components, first, c, places);
  float largest = 0;
  const std::size_t cells = places.rows() * places.columns();
  float* const all = places.mutable_row<float>(0);
  for (std::size_t i = 0; i < cells; ++i) largest = std::max(largest, std::abs(all[i]));
  const double factor = largest > 0 ? kReach / double{largest} : 0;
  Random random(request.seed, Purpose::map);
  for (std::size_t i = 0; i < cells; ++i) {
    const double apart = kApart * (2 * random.uniform() - 1);
    all[i] = static_cast<float>(double{all[i]} * factor + apart);
  }
  return places;
}

// The given row that stands for each of the different ones.
std::vector<std::uint32_t> first_rows(const JointIndex& index) {
  std::vector<std::uint32_t> first(index.rows().rows());
  const std::vector<std::uint32_t>& numbers = index.numbers();
  for (std::size_t i = numbers.size(); i-- > 0;) first[numbers[i]] = static_cast<std::uint32_t>(i);
  return first;
}

Matrix lay_out_rows(const JointIndex& index, const Matrix& components, const MapRequest& request,
                    Job& job) {
  Matrix places = start_places(components, first_rows(index), request);
  const std::size_t others = places.rows() - 1;
  if (others == 0) return places;
  const std::size_t neighbours = std::min<std::size_t>(request.neighbours, others);
  const NeighbourGraph graph =
      make_neighbour_graph(index.own_neighbours(neighbours + 1, job), neighbours);
  lay_out(graph, {}, request.seed, places, job);
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
         neighbour_graph_bytes(kept_rows, neighbours);
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
