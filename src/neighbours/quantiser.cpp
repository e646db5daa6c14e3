// SPDX-License-Identifier: Apache-2.0
//
// Turns float rows into int16 rows: q = round(scale (x - centre)). Squared Euclidean distance does
// not change when all rows are shifted, so the centre is the mean of the kept rows: it takes away
// what rows have in common. The scale gives the kept row with the largest norm the largest norm for
// which int32 sums of products cannot overflow. That uses the bits better than a limit for each
// cell: for 784 features a cell of that row has about 10 bits on average, and a single large cell
// up to 15.
//
// Bytes are integers already: while their norms are within the limit they are copied, and the
// distances are exact.
//
// For cosine each row is scaled to the same norm, so the order of inner products is the order of
// angles. A row of zeros stays zero, as rows/metric.hpp requires.
//
// All sums have a fixed order, in IEEE arithmetic: the same integers on every machine.
#include "neighbours/quantiser.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mbn {

namespace {

constexpr float kLargestCell = 32000;

template <class T>
double squared_norm_of(const T* cells, const float* centre, std::size_t features) {
  // Four independent sums: a single one would wait for the latency of each addition.
  std::array<double, 4> sums{};
  const auto add = [&](std::size_t f, std::size_t lane) {
    const double value = static_cast<double>(cells[f]) - static_cast<double>(centre[f]);
    sums[lane] += value * value;
  };
  std::size_t f = 0;
  for (; f + 4 <= features; f += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) add(f + lane, lane);
  }
  for (; f < features; ++f) add(f, f % 4);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

std::vector<float> mean_row(MatrixView kept) {
  std::vector<double> sums(kept.columns());
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    const float* cells = kept.row<float>(i);
    for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += static_cast<double>(cells[f]);
  }
  std::vector<float> mean(sums.size());
  for (std::size_t f = 0; f < sums.size(); ++f) {
    mean[f] = static_cast<float>(sums[f] / static_cast<double>(kept.rows()));
  }
  return mean;
}

// Rounding moves each cell by at most a half, so a norm grows by at most sqrt(features) / 2.
double largest_norm(std::size_t features) {
  const double limit = std::sqrt(static_cast<double>(Quantiser::kLargestSquaredNorm));
  return std::max(1.0, limit - std::sqrt(static_cast<double>(features)) / 2 - 2);
}

template <class T>
void round_row(const T* cells, const float* centre, float scale, std::size_t features,
               std::int16_t* out) {
  for (std::size_t f = 0; f < features; ++f) {
    const float shifted = static_cast<float>(cells[f]) - centre[f];
    const float scaled = std::min(std::max(shifted * scale, -kLargestCell), kLargestCell);
    // The conversion cuts toward zero; of a positive number plus 0.5 that is the nearest integer.
    out[f] = static_cast<std::int16_t>(static_cast<std::int32_t>(scaled + 32768.5F) - 32768);
  }
}

}  // namespace

Quantiser::Quantiser(MatrixView kept, Metric metric)
    : metric_(metric),
      features_(kept.columns()),
      stride_((kept.columns() + 1) / 2 * 2),
      centre_(kept.columns(), 0.0F) {
  if (metric == Metric::cosine) return;
  const bool bytes = kept.type() == ElementType::uint8;
  if (!bytes) centre_ = mean_row(kept);
  double largest_square = 0;
  kept.visit([&](const auto* first) {
    for (std::size_t i = 0; i < kept.rows(); ++i) {
      largest_square = std::max(largest_square, squared_norm_of(first + i * kept.row_stride(),
                                                                centre_.data(), features_));
    }
  });
  exact_ = bytes && largest_square <= static_cast<double>(kLargestSquaredNorm);
  if (exact_ || largest_square == 0) return;
  // A larger scale could give infinities; rows that small are at the lower end of the range of
  // float32 anyway.
  scale_ = static_cast<float>(std::min(largest_norm(features_) / std::sqrt(largest_square), 1e36));
}

void Quantiser::quantise(MatrixView rows, std::size_t row, std::int16_t* out) const {
  if (stride_ > features_) out[features_] = 0;
  if (exact_ && rows.type() == ElementType::uint8) {
    const std::uint8_t* cells = rows.row<std::uint8_t>(row);
    for (std::size_t f = 0; f < features_; ++f) out[f] = cells[f];
    return;
  }
  rows.visit([&](const auto* first) {
    const auto* cells = first + row * rows.row_stride();
    float scale = scale_;
    if (metric_ == Metric::cosine) {
      const double squared = squared_norm_of(cells, centre_.data(), features_);
      const double factor = squared > 0 ? largest_norm(features_) / std::sqrt(squared) : 0;
      scale = static_cast<float>(std::min(factor, 1e36));
    }
    round_row(cells, centre_.data(), scale, features_, out);
  });
}

std::int32_t Quantiser::squared_norm(const std::int16_t* cells) const {
  std::int64_t norm = 0;
  for (std::size_t f = 0; f < features_; ++f) norm += std::int32_t{cells[f]} * cells[f];
  return norm <= kLargestSquaredNorm ? static_cast<std::int32_t>(norm) : -1;
}

}  // namespace mbn
