// SPDX-License-Identifier: Apache-2.0
#include "page/sample.hpp"

#include <algorithm>
#include <tuple>

#include "base/random.hpp"
#include "page/quantise.hpp"

namespace mbn {

namespace {

// The bits of two numbers in turns: numbers of near places are near.
std::uint32_t interleaved(std::uint16_t x, std::uint16_t y) {
  std::uint32_t mixed = 0;
  for (unsigned bit = 0; bit < 16; ++bit) {
    mixed |= (std::uint32_t{x} >> bit & 1U) << (2 * bit);
    mixed |= (std::uint32_t{y} >> bit & 1U) << (2 * bit + 1);
  }
  return mixed;
}

}  // namespace

std::vector<std::uint32_t> page_sample(MatrixView map, std::span<const std::int32_t> labels,
                                       std::uint32_t count) {
  const auto rows = static_cast<std::uint32_t>(map.rows());
  Random random(0, Purpose::sample, 1);
  std::vector<std::uint32_t> sample = draw_or_all(random, rows, count);
  const Quantised places = quantise(map);
  const auto key = [&](std::uint32_t row) {
    return std::tuple(labels.empty() ? 0 : labels[row], interleaved(places.x[row], places.y[row]),
                      row);
  };
  std::ranges::sort(sample, {}, key);
  return sample;
}

}  // namespace mbn
