// SPDX-License-Identifier: Apache-2.0
//
// Three ways, the first that fits: cells that already are little-endian float32 or uint8 row by row
// in a mapped file become a matrix over the mapping; the same cells in a stream are read straight
// into a new matrix; all others go through a small buffer and are converted one by one. In all
// cases the size that the header declares is first compared with what the source can deliver, so
// that a wrong header allocates no memory, and every float is checked to be finite.
//
// In Fortran order the first index (the row) runs fastest. The other indices are still flattened in
// C order, so that a file gives the same rows whichever way it was written.
#include "input/array_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include <mbn/error.hpp>

#include "base/checked.hpp"

namespace mbn {
namespace {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

struct Half {
  std::uint16_t bits;
};

double value_of(Half half) {
  const int exponent = (half.bits >> 10) & 0x1f;
  const int fraction = half.bits & 0x3ff;
  double value = std::ldexp(fraction, -24);
  if (exponent == 0x1f) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent != 0) {
    value = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (half.bits & 0x8000) != 0 ? -value : value;
}

template <class T>
T value_of(T number) {
  return number;
}

/// Calls `body(T{})` with the C++ type of a number in a file; a boolean is a byte.
template <class Body>
decltype(auto) visit_type(NumberType type, Body&& body) {
  switch (type) {
    case NumberType::int8:
      return body(std::int8_t{});
    case NumberType::int16:
      return body(std::int16_t{});
    case NumberType::int32:
      return body(std::int32_t{});
    case NumberType::int64:
      return body(std::int64_t{});
    case NumberType::uint16:
      return body(std::uint16_t{});
    case NumberType::uint32:
      return body(std::uint32_t{});
    case NumberType::uint64:
      return body(std::uint64_t{});
    case NumberType::float16:
      return body(Half{});
    case NumberType::float32:
      return body(float{});
    case NumberType::float64:
      return body(double{});
    case NumberType::boolean:
    case NumberType::uint8:
      break;
  }
  return body(std::uint8_t{});
}

template <class T>
T load_number(const std::byte* bytes, bool swap) {
  std::byte copy[sizeof(T)];
  std::memcpy(copy, bytes, sizeof(T));
  if (swap) std::reverse(copy, copy + sizeof(T));
  T number;
  std::memcpy(&number, copy, sizeof(T));
  return number;
}

/// The row and column of each cell, in the order of the file.
class CellCursor {
 public:
  explicit CellCursor(const ArrayLayout& layout)
      : fortran_(layout.fortran_order),
        shape_(layout.shape),
        index_(shape_.size(), 0),
        first_row_(layout.first_row) {
    strides_.assign(shape_.size(), 1);
    for (std::size_t i = shape_.size() - 1; i > 1; --i) strides_[i - 1] = strides_[i] * shape_[i];
    columns_ = shape_.size() > 1 ? strides_[1] * shape_[1] : 1;
  }

  std::size_t row() const { return row_; }
  /// Among all rows, when these are a part of them.
  std::size_t named_row() const { return first_row_ + row_; }
  std::size_t column() const { return column_; }

  void advance() {
    if (!fortran_) {
      if (++column_ < columns_) return;
      column_ = 0;
      ++row_;
      return;
    }
    if (++row_ < shape_[0]) return;
    row_ = 0;
    for (std::size_t i = 1; i < shape_.size(); ++i) {
      column_ += strides_[i];
      if (++index_[i] < shape_[i]) return;
      column_ -= shape_[i] * strides_[i];
      index_[i] = 0;
    }
  }

 private:
  bool fortran_;
  const std::vector<std::uint64_t>& shape_;
  std::vector<std::uint64_t> index_;
  std::vector<std::uint64_t> strides_;  // of the index among the columns; the first is not used
  std::uint64_t columns_;
  std::uint64_t first_row_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;
};

[[noreturn]] void fail_at(const std::string& name, std::size_t row, std::size_t column,
                          const std::string& problem) {
  throw FormatError(
      ErrorCode::bad_value,
      fmt::format("{}: row {}, column {} (counted from 1): {}", name, row + 1, column + 1, problem),
      {.path = name, .place = {.row = row + 1, .column = column + 1}});
}

std::string not_finite(double value) {
  return fmt::format("the value {} is not finite; clean or fill such cells first", value);
}

/// The shape as rows and columns, after checking that the source can hold it.
Shape checked_shape(const ByteSource& source, const ArrayLayout& layout) {
  if (layout.shape.empty()) {
    throw FormatError(
        ErrorCode::too_small,
        fmt::format("{}: the array is a single number without rows; store at least one row",
                    source.name()),
        {.path = source.name()});
  }
  std::optional<std::uint64_t> columns = 1;
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    if (layout.shape[i] == 0) {
      throw FormatError(
          ErrorCode::too_small,
          fmt::format("{}: the array has no {} (shape {}); store at least one", source.name(),
                      i == 0 ? "rows" : "columns", fmt::join(layout.shape, " x ")),
          {.path = source.name()});
    }
    if (i > 0 && columns) columns = checked_product(*columns, layout.shape[i]);
  }
  const auto cells = columns ? checked_product(layout.shape[0], *columns) : std::nullopt;
  const auto bytes = cells ? checked_product(*cells, number_bytes(layout.type)) : std::nullopt;
  // Four bytes a cell also bounds the float32 matrix that small types grow into.
  if (!bytes || !checked_product(*cells, sizeof(float)) || *bytes > source.limit()) {
    throw FormatError(
        ErrorCode::damaged,
        fmt::format("{}: the header declares an array of {} numbers of {} bytes, but at most {} "
                    "bytes follow; the file is cut short or damaged, fetch or write it again",
                    source.name(), fmt::join(layout.shape, " x "), number_bytes(layout.type),
                    source.limit()),
        {.path = source.name()});
  }
  return {layout.shape[0], *columns,
          layout.type == NumberType::uint8 ? ElementType::uint8 : ElementType::float32};
}

bool must_swap(const ArrayLayout& layout) {
  return layout.big_endian != (std::endian::native == std::endian::big) &&
         number_bytes(layout.type) > 1;
}

/// Reads `cells` numbers of type T in pieces and calls `body(number)` for each.
template <class T, class Body>
void for_each_number(ByteSource& source, std::uint64_t cells, bool swap, Body&& body) {
  constexpr std::uint64_t kPiece = 8192;
  std::vector<std::byte> piece(sizeof(T) * std::min(cells, kPiece));
  while (cells > 0) {
    const std::uint64_t count = std::min(cells, kPiece);
    source.read_exactly(piece.data(), count * sizeof(T), "the array");
    for (std::uint64_t i = 0; i < count; ++i) {
      body(value_of(load_number<T>(piece.data() + i * sizeof(T), swap)));
    }
    cells -= count;
  }
}

template <class T>
float to_cell(const std::string& name, T value, const CellCursor& cursor) {
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) {
      fail_at(name, cursor.named_row(), cursor.column(), not_finite(static_cast<double>(value)));
    }
    constexpr double kLargest = std::numeric_limits<float>::max();
    if (std::abs(static_cast<double>(value)) > kLargest) {
      fail_at(name, cursor.named_row(), cursor.column(),
              fmt::format("the value {} is too large for a float32; rescale the column", value));
    }
  }
  return static_cast<float>(value);
}

/// The same, but NaN stays.
template <class T>
float to_cell(const std::string& name, T value, const CellCursor& cursor, bool& has_nan) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) {
      has_nan = true;
      return std::numeric_limits<float>::quiet_NaN();
    }
  }
  return to_cell(name, value, cursor);
}

void convert_cells(ByteSource& source, const ArrayLayout& layout, Matrix& matrix, bool& has_nan) {
  CellCursor cursor(layout);
  const std::uint64_t cells = matrix.rows() * matrix.columns();
  visit_type(layout.type, [&](auto number) {
    for_each_number<decltype(number)>(source, cells, must_swap(layout), [&](auto value) {
      if (matrix.type() == ElementType::uint8) {
        matrix.mutable_row<std::uint8_t>(cursor.row())[cursor.column()] =
            static_cast<std::uint8_t>(value);
      } else {
        matrix.mutable_row<float>(cursor.row())[cursor.column()] =
            to_cell(source.name(), value, cursor, has_nan);
      }
      cursor.advance();
    });
  });
}

/// Whether there are NaNs. FormatError when there are infinite cells.
bool find_nan(const std::string& name, MatrixView rows, std::uint64_t first_row) {
  if (rows.type() != ElementType::float32) return false;
  bool found = false;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const float* row = rows.row<float>(i);
    for (std::size_t j = 0; j < rows.columns(); ++j) {
      if (std::isfinite(row[j])) continue;
      if (!std::isnan(row[j])) {
        fail_at(name, first_row + i, j, not_finite(static_cast<double>(row[j])));
      }
      found = true;
    }
  }
  return found;
}

/// A matrix over the source's own memory, or nothing when it cannot live on or is not aligned.
std::optional<Matrix> share_cells(ByteSource& source, Shape shape) {
  const auto next = source.peek(1);
  if (reinterpret_cast<std::uintptr_t>(next.data()) % element_bytes(shape.type) != 0) return {};
  const auto bytes = source.take_shared(shape.bytes());
  if (!bytes) return {};
  const void* cells = bytes.get();
  return shape.type == ElementType::float32
             ? Matrix(bytes,
                      MatrixView(static_cast<const float*>(cells), shape.rows, shape.columns))
             : Matrix(bytes, MatrixView(static_cast<const std::uint8_t*>(cells), shape.rows,
                                        shape.columns));
}

}  // namespace

bool is_row_major(const ArrayLayout& layout) {
  // With all but one index of length 1 both orders are the same.
  const auto longer = std::count_if(layout.shape.begin(), layout.shape.end(),
                                    [](std::uint64_t length) { return length > 1; });
  return !layout.fortran_order || longer <= 1;
}

std::size_t number_bytes(NumberType type) {
  return visit_type(type, [](auto number) { return sizeof(number); });
}

PictureShape pictures_of(const ArrayLayout& layout) {
  constexpr std::uint64_t kLargestSide = 1U << 16;
  const std::vector<std::uint64_t>& shape = layout.shape;
  if (shape.size() != 3 && shape.size() != 4) return {};
  const std::uint64_t channels = shape.size() == 4 ? shape[3] : 1;
  if (channels != 1 && channels != 3) return {};
  if (shape[1] < 2 || shape[2] < 2 || shape[1] > kLargestSide || shape[2] > kLargestSide) return {};
  return {static_cast<std::uint32_t>(shape[1]), static_cast<std::uint32_t>(shape[2]),
          static_cast<std::uint32_t>(channels)};
}

Matrix read_array_part(ByteSource& source, const ArrayLayout& layout, bool& has_nan) {
  has_nan = false;
  const Shape shape = checked_shape(source, layout);
  const bool as_it_is = (layout.type == NumberType::float32 || layout.type == NumberType::uint8) &&
                        is_row_major(layout) && !must_swap(layout);
  Matrix matrix;
  if (!as_it_is) {
    matrix = Matrix(shape);
    convert_cells(source, layout, matrix, has_nan);
  } else if (auto shared = share_cells(source, shape)) {
    matrix = std::move(*shared);
    has_nan = find_nan(source.name(), matrix, layout.first_row);
  } else {
    matrix = Matrix(shape);
    void* cells = shape.type == ElementType::float32
                      ? static_cast<void*>(matrix.mutable_row<float>(0))
                      : static_cast<void*>(matrix.mutable_row<std::uint8_t>(0));
    source.read_exactly(cells, shape.bytes(), "the array");
    has_nan = find_nan(source.name(), matrix, layout.first_row);
  }
  return matrix;
}

Matrix read_array(ByteSource& source, const ArrayLayout& layout, bool& has_nan) {
  Matrix matrix = read_array_part(source, layout, has_nan);
  source.expect_end();
  return matrix;
}

Matrix read_array(ByteSource& source, const ArrayLayout& layout, PictureShape* pictures,
                  bool* has_nan) {
  if (pictures != nullptr) *pictures = pictures_of(layout);
  bool found = false;
  Matrix matrix = read_array(source, layout, found);
  if (has_nan != nullptr) *has_nan = found;
  return matrix;
}

namespace {

/// The length of an array with one index, which may be empty.
std::uint64_t checked_length(const ByteSource& source, const ArrayLayout& layout) {
  if (layout.shape.size() != 1) {
    throw FormatError(ErrorCode::unsupported,
                      fmt::format("{}: the array has {} indices; it must have one", source.name(),
                                  layout.shape.size()),
                      {.path = source.name()});
  }
  if (layout.shape[0] != 0) checked_shape(source, layout);
  return layout.shape[0];
}

}  // namespace

std::vector<std::uint64_t> read_integer_array(ByteSource& source, const ArrayLayout& layout) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(checked_length(source, layout));
  visit_type(layout.type, [&](auto type) {
    for_each_number<decltype(type)>(source, layout.shape[0], must_swap(layout), [&](auto value) {
      if constexpr (std::is_integral_v<decltype(value)>) {
        if (!std::in_range<std::uint64_t>(value)) {
          fail_at(source.name(), numbers.size(), 0,
                  fmt::format("the number {} is negative; the file is damaged", value));
        }
        numbers.push_back(static_cast<std::uint64_t>(value));
      } else {
        throw FormatError(ErrorCode::unsupported,
                          fmt::format("{}: the array must hold integers", source.name()),
                          {.path = source.name()});
      }
    });
  });
  source.expect_end();
  return numbers;
}

std::vector<float> read_value_array(ByteSource& source, const ArrayLayout& layout) {
  std::vector<float> values;
  values.reserve(checked_length(source, layout));
  if (layout.shape[0] != 0) {
    CellCursor cursor(layout);
    visit_type(layout.type, [&](auto type) {
      for_each_number<decltype(type)>(source, layout.shape[0], must_swap(layout), [&](auto value) {
        values.push_back(to_cell(source.name(), value, cursor));
        cursor.advance();
      });
    });
  }
  source.expect_end();
  return values;
}

Labels read_label_array(ByteSource& source, const ArrayLayout& layout) {
  const Shape shape = checked_shape(source, layout);
  if (shape.columns != 1) {
    throw FormatError(
        ErrorCode::unsupported,
        fmt::format("{}: labels need one column, but the array is {}; store one number per row",
                    source.name(), fmt::join(layout.shape, " x ")),
        {.path = source.name()});
  }
  Labels labels;
  labels.values.reserve(shape.rows);
  visit_type(layout.type, [&](auto number) {
    for_each_number<decltype(number)>(source, shape.rows, must_swap(layout), [&](auto value) {
      // Every integer of up to 53 bits is exact in a double, and no longer one fits int32.
      const auto wide = static_cast<double>(value);
      if (!(wide >= std::numeric_limits<std::int32_t>::min() &&
            wide <= std::numeric_limits<std::int32_t>::max()) ||
          wide != std::floor(wide)) {
        fail_at(source.name(), labels.values.size(), 0,
                fmt::format("the label {} is not an integer of 32 bits; number the classes", wide));
      }
      labels.values.push_back(static_cast<std::int32_t>(wide));
    });
  });
  source.expect_end();
  return labels;
}

}  // namespace mbn
