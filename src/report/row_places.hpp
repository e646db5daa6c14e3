// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/matrix.hpp>

#include "report/canvas.hpp"

namespace mbn {

/// Where the rows of an embedding lie in a frame, by their first two columns. Both axes get the
/// same scale, so that distances can be compared, unless the picture would then be a thin line. One
/// column is drawn as a strip. The rows are not copied and must outlive this.
class RowPlaces {
 public:
  RowPlaces(MatrixView embedding, const Box& frame);

  std::size_t rows() const { return embedding_.rows(); }
  /// Rows that have a place; the others have cells that are not finite.
  std::size_t drawable() const { return drawable_; }
  bool has_place(std::size_t row) const;
  /// The pixel of a row that has a place.
  Point place(std::size_t row) const;
  const Box& frame() const { return frame_; }

 private:
  struct Range {
    double low = 0;
    double high = 0;
    double size() const { return high - low; }
    double middle() const { return low + size() / 2; }
  };

  void find_ranges();
  void find_scales();

  MatrixView embedding_;
  Box frame_;
  bool strip_ = false;
  std::size_t drawable_ = 0;
  Range x_;
  Range y_;
  double scale_x_ = 0;
  double scale_y_ = 0;
};

}  // namespace mbn
