// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/picture_shape.hpp>
#include <mbn/rows.hpp>

#include "base/random.hpp"

namespace mbn {

/// How columns make a picture, guessed from some of the rows: neighbours within and between lines
/// are much alike. Empty when they are not, or when columns do not fill lines.
PictureShape guess_picture_shape(RowsView rows, std::span<const std::uint32_t> chosen);

/// Augment::automatic becomes pictures when the rows are some, words when they are counts that are
/// mostly zeros (`counts`), else table. Others stay as they are.
Augment settle_augment(Augment augment, bool counts, const PictureShape& shape);

/// Rows that nobody has seen, made from given ones, for the teacher to label. A row is identified
/// by its number alone: the random stream of that number decides how it is made.
class ExtraRows {
 public:
  /// `rows` and `chosen` must outlive it. `chosen` are the rows to make others from; `augment` is
  /// settled; `shape` is used for pictures.
  ExtraRows(RowsView rows, std::span<const std::uint32_t> chosen, const CompressOptions& options,
            Augment augment, PictureShape shape);

  /// Row `number`, made from the given row `chosen[number % chosen.size()]`, as a dense row.
  void make(std::uint64_t number, float* to) const;

 private:
  void add_noise(Random& random, double strength, float* row) const;
  void mix(Random& random, const std::vector<float>& other, float* row) const;
  void change_words(Random& random, float* row) const;
  void move_picture(Random& random, float* row) const;
  void change_table(Random& random, float* row) const;
  std::vector<float> other_row(Random& random) const;
  std::vector<float> near_row(Random& random, const float* row) const;

  RowsView rows_;
  std::span<const std::uint32_t> chosen_;
  Augment augment_;
  double strength_;
  std::uint64_t seed_;
  PictureShape shape_;
  std::vector<float> deviation_{};  ///< [column] for noise and distances; else empty
  bool positive_ = false;           ///< no given cell is below 0, and no made one may be
};

}  // namespace mbn
