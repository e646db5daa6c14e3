// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <mbn/input.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// Toy data in the manner of the paper's, from a seed.
enum class ToyKind : std::uint8_t {
  gaussians,  ///< Gaussian clusters of unequal size and density, in any number of columns
  moons,      ///< two interlocking crescents of unequal density, in Jain's manner
  ring,       ///< two blobs inside an open ring ("pathbased")
  compound,   ///< six shapes: nested, touching and of different density
  outlier,    ///< two Gaussian clusters and one far outlier
  swissroll   ///< a rolled-up sheet in three dimensions
};
template <>
constexpr auto enum_names<ToyKind>() {
  return std::array<std::string_view, 6>{"gaussians", "moons",   "ring",
                                         "compound",  "outlier", "swissroll"};
}

struct GenerateOptions {
  ToyKind kind = ToyKind::gaussians;
  std::uint64_t rows = 1000;   ///< at least 1
  std::uint32_t columns = 2;   ///< gaussians only; the other kinds have their own
  std::uint32_t clusters = 3;  ///< gaussians only; at most 10,000
  std::uint64_t seed = 0;
};

/// Rows with labels, in random order, and column names. Every class has at least one row when there
/// are enough rows; the outlier of its kind is label 2 and exactly one row, from three rows on. A
/// swiss roll is labelled by quarters of its length. Values that cannot be met are InvalidArgument.
Table generate(const GenerateOptions& options);

}  // namespace mbn
