// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <mbn/generate.hpp>

#include "base/random.hpp"

namespace mbn {

/// One kind of toy data: how many classes of which size, and where a row of a class lies.
class ToyShape {
 public:
  virtual ~ToyShape() = default;

  virtual std::size_t columns() const = 0;
  /// The relative size of each class.
  virtual std::vector<double> shares() const = 0;
  /// Writes one random row of a class to `cells`. Safe to call from many threads.
  virtual void draw(std::uint32_t label, Random& random, float* cells) const = 0;
};

/// Random streams of Purpose::generate, told apart by their first index.
enum class GenerateStream : std::uint32_t { order = 0, layout = 1, rows = 2 };

inline Random generate_stream(std::uint64_t seed, GenerateStream stream, std::uint32_t index = 0) {
  return {seed, Purpose::generate, static_cast<std::uint32_t>(stream), index};
}

/// Gaussian clusters in any number of columns. Where they lie depends on the seed.
std::unique_ptr<ToyShape> make_gaussians(std::uint32_t columns, std::uint32_t clusters,
                                         std::uint64_t seed);
/// Any other kind; these have fixed outlines.
std::unique_ptr<ToyShape> make_drawing(ToyKind kind);

}  // namespace mbn
