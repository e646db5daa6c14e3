// SPDX-License-Identifier: Apache-2.0
#include "page/quantise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace mbn {

namespace {

constexpr double kSteps = 65535;

void quantise_column(MatrixView places, std::size_t column, std::array<double, 2>& range,
                     std::vector<std::uint16_t>& out) {
  out.assign(places.rows(), 0);
  if (column >= places.columns() || places.rows() == 0) return;
  range = {places.at(0, column), places.at(0, column)};
  for (std::size_t i = 0; i < places.rows(); ++i) {
    const double value = places.at(i, column);
    range = {std::min(range[0], value), std::max(range[1], value)};
  }
  const double width = range[1] - range[0];
  if (width <= 0) return;
  for (std::size_t i = 0; i < places.rows(); ++i) {
    out[i] =
        static_cast<std::uint16_t>(std::lround(kSteps * (places.at(i, column) - range[0]) / width));
  }
}

// Fourteen bits of the mantissa are more than four digits; the others are zero and pack well.
float four_digits(float value) {
  if (!std::isfinite(value)) return value;
  constexpr std::uint32_t kDropped = 23 - 14;
  const auto bits = std::bit_cast<std::uint32_t>(value) + (1U << (kDropped - 1));
  const auto rounded = std::bit_cast<float>(bits >> kDropped << kDropped);
  return std::isfinite(rounded) ? rounded : value;
}

template <class Whole>
std::vector<Whole> as_whole(const std::vector<float>& numbers) {
  std::vector<Whole> out(numbers.size());
  std::ranges::transform(numbers, out.begin(), [](float n) { return static_cast<Whole>(n); });
  return out;
}

template <class Number>
std::string_view raw_bytes(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

}  // namespace

Quantised quantise(MatrixView places) {
  Quantised out;
  quantise_column(places, 0, out.range_x, out.x);
  quantise_column(places, 1, out.range_y, out.y);
  return out;
}

PackedColumn pack_column(std::vector<float> numbers) {
  float largest = 0;
  const bool whole = std::ranges::all_of(numbers, [&](float number) {
    largest = std::max(largest, number);
    return number >= 0 && number <= 65535.0F && number == std::floor(number) &&
           !std::signbit(number);
  });
  if (whole && largest <= 255) return {as_whole<std::uint8_t>(numbers), {}, {}};
  if (whole) return {{}, as_whole<std::uint16_t>(numbers), {}};
  std::ranges::transform(numbers, numbers.begin(), four_digits);
  return {{}, {}, std::move(numbers)};
}

void PackedColumn::add_to(PageArrays& arrays, const std::string& name) const {
  if (!bytes.empty()) {
    arrays.add(name, bytes);
  } else if (!shorts.empty()) {
    arrays.add(name, shorts);
  } else {
    arrays.add(name, floats);
  }
}

std::string_view PackedColumn::raw() const {
  if (!bytes.empty()) return raw_bytes(bytes);
  if (!shorts.empty()) return raw_bytes(shorts);
  return raw_bytes(floats);
}

}  // namespace mbn
