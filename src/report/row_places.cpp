// SPDX-License-Identifier: Apache-2.0
//
// Pixels are worked out again whenever they are asked for: two multiplications, against memory for
// millions of rows. In a strip the height means nothing; it is the fraction of row * golden ratio,
// which spreads any run of rows evenly over the middle half.
#include "report/row_places.hpp"

#include <cmath>
#include <numbers>

namespace mbn {

namespace {

constexpr double kMostStretch = 4;     // one range to the other, for the same scale on both
constexpr double kInnerMargin = 0.04;  // share of the frame that stays free on each side

}  // namespace

RowPlaces::RowPlaces(MatrixView embedding, const Box& frame)
    : embedding_(embedding), frame_(frame), strip_(embedding.columns() == 1) {
  find_ranges();
  find_scales();
}

bool RowPlaces::has_place(std::size_t row) const {
  return std::isfinite(embedding_.at(row, 0)) && (strip_ || std::isfinite(embedding_.at(row, 1)));
}

void RowPlaces::find_ranges() {
  for (std::size_t row = 0; row < rows(); ++row) {
    if (!has_place(row)) continue;
    const double x = embedding_.at(row, 0);
    const double y = strip_ ? 0 : embedding_.at(row, 1);
    if (drawable_++ == 0) {
      x_ = {x, x};
      y_ = {y, y};
    }
    x_ = {std::min(x_.low, x), std::max(x_.high, x)};
    y_ = {std::min(y_.low, y), std::max(y_.high, y)};
  }
  if (strip_) y_ = {-0.5, 1.5};
}

// A range of no size lands in the middle.
void RowPlaces::find_scales() {
  scale_x_ = x_.size() > 0 ? frame_.width * (1 - 2 * kInnerMargin) / x_.size() : 0;
  scale_y_ = y_.size() > 0 ? frame_.height * (1 - 2 * kInnerMargin) / y_.size() : 0;
  const bool comparable = x_.size() > 0 && y_.size() > 0 && x_.size() < kMostStretch * y_.size() &&
                          y_.size() < kMostStretch * x_.size();
  if (!strip_ && comparable) scale_x_ = scale_y_ = std::min(scale_x_, scale_y_);
}

Point RowPlaces::place(std::size_t row) const {
  const double spread = static_cast<double>(row) * (std::numbers::phi - 1);
  const double y = strip_ ? spread - std::floor(spread) : embedding_.at(row, 1);
  const Point centre = frame_.centre();
  return {centre.x + (embedding_.at(row, 0) - x_.middle()) * scale_x_,
          centre.y - (y - y_.middle()) * scale_y_};
}

}  // namespace mbn
