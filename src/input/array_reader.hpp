// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// What one number of a file's array is.
enum class NumberType : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64
};

std::size_t number_bytes(NumberType type);

/// How the cells of an array follow each other in a file (`.npy` and IDX).
struct ArrayLayout {
  NumberType type = NumberType::float32;
  bool big_endian = false;
  bool fortran_order = false;  ///< the first index runs fastest
  std::vector<std::uint64_t> shape;
  std::uint64_t first_row = 0;  ///< of a part: where it begins among all rows, for messages
};

/// The pictures that the rows of an array with three indices (row, line, pixel) or four (and 1 or 3
/// numbers for each pixel) are; none for any other.
PictureShape pictures_of(const ArrayLayout& layout);

/// The rest of `source` as rows: the first index counts rows, the others are flattened to columns;
/// one index is one column. uint8 stays uint8, all else becomes float32. Cells that already lie as
/// they should, in memory that can live on, are not copied. FormatError when the source holds fewer
/// or more bytes than the layout says, or a cell that is infinite as a float32. Cells that are NaN
/// stay, and `has_nan` tells that there are some.
Matrix read_array(ByteSource& source, const ArrayLayout& layout, bool& has_nan);
/// The same, and what shape the rows have as pictures; either may be null when nobody asks.
Matrix read_array(ByteSource& source, const ArrayLayout& layout, PictureShape* pictures,
                  bool* has_nan);

/// The next rows of `source`, as the layout says, of an array of which more may follow. It must lie
/// row by row (`is_row_major`).
Matrix read_array_part(ByteSource& source, const ArrayLayout& part, bool& has_nan);
bool is_row_major(const ArrayLayout& layout);

/// The rest of `source` as a list, which may be empty: the array has one index. FormatError as
/// above, and when an integer is negative or has a fraction.
std::vector<std::uint64_t> read_integer_array(ByteSource& source, const ArrayLayout& layout);
std::vector<float> read_value_array(ByteSource& source, const ArrayLayout& layout);

/// The rest of `source` as one label per row: integers, or floats without a fraction, that fit
/// int32. The array has one index, or one column.
Labels read_label_array(ByteSource& source, const ArrayLayout& layout);

}  // namespace mbn
