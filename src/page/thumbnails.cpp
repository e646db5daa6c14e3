// SPDX-License-Identifier: Apache-2.0
#include "page/thumbnails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <mbn/error.hpp>

#include "page/page_file.hpp"
#include "rows/gather.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kLargestSide = 64;

struct Stretch {
  double low = 0;
  double factor = 1;
};

// Bytes are shades already.
Stretch stretch_of(MatrixView rows) {
  if (rows.type() == ElementType::uint8) return {};
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const float* row = rows.row<float>(i);
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      if (std::isnan(row[j])) continue;
      low = std::min(low, double{row[j]});
      high = std::max(high, double{row[j]});
    }
  }
  return {low, high > low ? 255 / (high - low) : 0};
}

class Shrinker {
 public:
  Shrinker(MatrixView rows, const PictureShape& shape)
      : rows_(rows), large_(shape), stretch_(stretch_of(rows)), row_(rows.columns()) {
    factor_ = (std::max(shape.width, shape.height) + kLargestSide - 1) / kLargestSide;
    small_ = {(shape.height + factor_ - 1) / factor_, (shape.width + factor_ - 1) / factor_,
              shape.channels};
  }

  const PictureShape& shape() const { return small_; }

  void append(std::size_t row, std::vector<std::uint8_t>& out) {
    copy_row(rows_, row, row_.data());
    for (std::uint32_t y = 0; y < small_.height; ++y) {
      for (std::uint32_t x = 0; x < small_.width; ++x) {
        for (std::uint32_t c = 0; c < small_.channels; ++c) out.push_back(shade(x, y, c));
      }
    }
  }

 private:
  // The mean of the pixels that one small pixel stands for and that have a value; 0 when none has.
  std::uint8_t shade(std::uint32_t x, std::uint32_t y, std::uint32_t channel) const {
    double sum = 0;
    double count = 0;
    const std::uint32_t last_y = std::min(large_.height, (y + 1) * factor_);
    const std::uint32_t last_x = std::min(large_.width, (x + 1) * factor_);
    for (std::uint32_t from_y = y * factor_; from_y < last_y; ++from_y) {
      for (std::uint32_t from_x = x * factor_; from_x < last_x; ++from_x) {
        const std::size_t pixel = std::size_t{from_y} * large_.width + from_x;
        const double cell = row_[pixel * large_.channels + channel];
        if (std::isnan(cell)) continue;
        sum += cell;
        ++count;
      }
    }
    if (count == 0) return 0;
    const double value = (sum / count - stretch_.low) * stretch_.factor;
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
  }

  MatrixView rows_;
  PictureShape large_;
  PictureShape small_;
  std::uint32_t factor_ = 1;
  Stretch stretch_;
  std::vector<float> row_;
};

// About what the pictures of all rows take, from a few of them.
double bytes_of_all(Shrinker& shrinker, std::size_t rows) {
  constexpr std::size_t kTried = 256;
  const std::size_t count = std::min(rows, kTried);
  std::vector<std::uint8_t> pixels;
  for (std::size_t i = 0; i < count; ++i) shrinker.append(i * rows / count, pixels);
  const std::string_view raw(reinterpret_cast<const char*>(pixels.data()), pixels.size());
  return static_cast<double>(packed_size(raw)) * static_cast<double>(rows) /
         static_cast<double>(count);
}

}  // namespace

Thumbnails make_thumbnails(RowsView rows, const PictureShape& shape,
                           std::span<const std::uint32_t> exemplars, std::uint64_t bytes) {
  if (shape.empty() || rows.rows() == 0) return {};
  const bool known_channels = shape.channels == 1 || shape.channels == 3;
  if (rows.is_sparse() || shape.columns() != rows.columns() || !known_channels) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("pictures of {} x {} pixels with {} numbers each take {} dense columns, but "
                    "the rows have {}; give the pictures' own height, width and 1 or 3",
                    shape.height, shape.width, shape.channels, shape.columns(), rows.columns()),
        {.option = "pictures"});
  }
  Shrinker shrinker(rows.dense(), shape);
  Thumbnails made{.shape = shrinker.shape(), .rows = {}, .pixels = {}};
  const bool all = bytes_of_all(shrinker, rows.rows()) <= static_cast<double>(bytes);
  if (all) {
    for (std::size_t i = 0; i < rows.rows(); ++i) shrinker.append(i, made.pixels);
    return made;
  }
  const std::set<std::uint32_t> wanted(exemplars.begin(), exemplars.end());
  for (const std::uint32_t row : wanted) {
    made.rows.push_back(row);
    shrinker.append(row, made.pixels);
  }
  return made;
}

}  // namespace mbn
