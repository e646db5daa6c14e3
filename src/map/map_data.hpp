// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/matrix.hpp>

#include "project/projection.hpp"
#include "rows/preparation.hpp"

namespace mbn {

/// The space in which rows are neighbours of each other for the map: what a row is (its prepared
/// cells) beside what the network makes of it (components of its top codes). Each half is
/// scaled: the kept rows have deviation 1 in the input's, and 0.8 in the network's.
struct JointSpace {
  Preparation input;       ///< principal directions where prepared rows have many columns
  bool sees_input = true;  ///< false: the input's half has no columns
  Projection projection;   ///< of the top codes; no components: the model's own
  double input_factor = 0;
  double network_factor = 0;
};

/// A map of the bottom layer's kept rows, on which any row finds its place.
struct MapData {
  JointSpace space;
  Matrix components;  ///< kept rows x components: the network's half of the joint space, unscaled
  Matrix places;      ///< kept rows x 1 to 3; no rows: there is no map
  std::uint32_t neighbours = 0;

  bool empty() const { return places.rows() == 0; }
  std::uint64_t bytes() const {
    return components.shape().bytes() + places.shape().bytes() + space.input.bytes() +
           space.projection.bytes();
  }
};

}  // namespace mbn
