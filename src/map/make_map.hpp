// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "map/map_data.hpp"

namespace mbn {

struct MapRequest {
  std::uint32_t dimensions = 2;
  std::uint32_t neighbours = 15;
  Metric metric = Metric::euclidean;
  bool as_columns = true;  ///< kept rows are columns, not coordinates along directions
  bool partial = false;    ///< rows may have missing cells
  std::uint64_t seed = 0;
};

/// What the options ask for; no dimensions when they ask for no map.
inline MapRequest map_request(const FitOptions& options) {
  return {.dimensions = options.map,
          .neighbours = options.neighbours,
          .metric = options.metric,
          .as_columns = !options.directions.is_number(),
          .partial = options.missing == MissingValues::partial,
          .seed = options.seed};
}

/// The map of the kept rows: prepared, with their components. The joint space's projection is left
/// to the caller. Rows that are equal have equal places.
MapData make_map(RowsView kept, Matrix components, const MapRequest& request, Job& job);

/// About how many parallel tasks `make_map` runs.
std::size_t make_map_steps(std::uint64_t rows);

/// Bytes that it takes besides the kept rows and the map itself, and estimated seconds on one core.
/// `joint_columns` is what the function of that name says.
std::uint64_t make_map_bytes(std::uint64_t kept_rows, std::uint64_t joint_columns,
                             std::uint64_t neighbours, unsigned threads);
/// The seconds are with placing the other rows.
double make_map_seconds(std::uint64_t rows, std::uint64_t kept_rows, std::uint64_t joint_columns,
                        std::uint64_t neighbours);

}  // namespace mbn
