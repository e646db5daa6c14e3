// SPDX-License-Identifier: Apache-2.0
//
// MATLAB's MAT-files of version 5: a header of 128 bytes that ends with the byte order, then
// elements, each with its type and its bytes in front. An element of type 15 is another one,
// deflated; one of type 14 is a matrix, which is made of elements in turn: flags (what kind),
// dimensions, name, and then the numbers column by column, or for a sparse matrix the rows of the
// nonzeros, the starts of the columns and the values. Elements inside a matrix fill up to eight
// bytes; those of at most four bytes have type and size in the same four bytes.
//
// Numbers are stored in any type that holds them, so that the kind of the matrix and the type of
// its numbers are two things: doubles that are all 0 or 1 stand there as bytes.
#include "input/mat5.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <mbn/error.hpp>

#include "input/array_reader.hpp"
#include "input/gzip_source.hpp"
#include "input/matlab_choice.hpp"
#include "input/part_source.hpp"
#include "input/scipy_arrays.hpp"

namespace mbn {

namespace {

constexpr std::size_t kHeaderBytes = 128;
constexpr std::string_view kMagic = "MATLAB 5.0";
constexpr std::uint32_t kMatrix = 14;
constexpr std::uint32_t kCompressed = 15;
constexpr std::size_t kMostVariables = 10'000;
constexpr std::uint64_t kLongestName = 4096;

constexpr std::uint32_t kSparseClass = 5;
constexpr std::uint32_t kByteClass = 9;
constexpr std::uint32_t kFirstNumberClass = 6;
constexpr std::uint32_t kLastNumberClass = 15;
constexpr std::uint32_t kComplexFlag = 0x0800;
constexpr std::uint32_t kLogicalFlag = 0x0200;

std::optional<NumberType> number_type(std::uint32_t type) {
  constexpr std::array kTypes = {NumberType::int8,   NumberType::uint8, NumberType::int16,
                                 NumberType::uint16, NumberType::int32, NumberType::uint32,
                                 NumberType::float32};
  if (type >= 1 && type <= kTypes.size()) return kTypes[type - 1];
  if (type == 9) return NumberType::float64;
  if (type == 12) return NumberType::int64;
  if (type == 13) return NumberType::uint64;
  return {};
}

struct Element {
  std::uint32_t type = 0;
  std::uint64_t bytes = 0;
  std::uint64_t padding = 0;  ///< bytes after it that mean nothing
};

/// What stands before the numbers of a matrix.
struct Matrix5 {
  std::uint32_t kind = 0;
  bool is_complex = false;
  bool is_logical = false;
  std::vector<std::uint64_t> shape;
  std::string name;

  bool is_sparse() const { return kind == kSparseClass; }
  bool holds_numbers() const {
    if (is_complex || shape.size() != 2 || shape[0] == 0 || shape[1] == 0) return false;
    return is_sparse() || (kind >= kFirstNumberClass && kind <= kLastNumberClass);
  }
};

/// Elements one after the other, from the file itself or from inside one of its elements.
class ElementReader {
 public:
  ElementReader(ByteSource& source, bool big_endian) : source_(source), big_endian_(big_endian) {}

  [[noreturn]] void fail(const std::string& problem, ErrorCode code = ErrorCode::damaged) const {
    throw FormatError(code,
                      fmt::format("{}: {}; the MATLAB file is damaged, fetch or write it again",
                                  source_.name(), problem),
                      {.path = source_.name()});
  }

  bool at_end() { return source_.peek(1).empty(); }
  ByteSource& source() { return source_; }
  bool big_endian() const { return big_endian_; }

  Element next() {
    const std::uint32_t first = take();
    if (first >> 16 != 0) {
      const std::uint64_t bytes = first >> 16;
      if (bytes > 4) fail("an element is larger than its place");
      return {first & 0xffff, bytes, 4 - bytes};
    }
    const std::uint64_t bytes = take();
    if (bytes > source_.limit()) {
      fail(fmt::format("an element of {} bytes is declared, but at most {} follow", bytes,
                       source_.limit()));
    }
    return {first, bytes, (8 - bytes % 8) % 8};
  }

  void skip(std::uint64_t bytes) {
    std::array<std::byte, 4096> nothing;
    while (bytes > 0) {
      const std::size_t some = std::min<std::uint64_t>(bytes, nothing.size());
      source_.read_exactly(nothing.data(), some, "an element");
      bytes -= some;
    }
  }

  ArrayLayout layout_of(const Element& element, std::vector<std::uint64_t> shape) const {
    const auto type = number_type(element.type);
    if (!type) fail(fmt::format("numbers of an unknown type {}", element.type));
    return {
        .type = *type, .big_endian = big_endian_, .fortran_order = true, .shape = std::move(shape)};
  }

  /// A list of whole numbers.
  std::vector<std::uint64_t> integers() {
    const Element element = next();
    ArrayLayout layout = layout_of(element, {});
    if (element.bytes % number_bytes(layout.type) != 0) fail("a list does not end with a number");
    layout.shape = {element.bytes / number_bytes(layout.type)};
    PartSource part(source_, element.bytes);
    auto numbers = read_integer_array(part, layout);
    skip(element.padding);
    return numbers;
  }

  Matrix5 matrix() {
    Matrix5 found;
    const std::vector<std::uint64_t> flags = integers();
    if (flags.empty()) fail("a matrix has no kind");
    found.kind = static_cast<std::uint32_t>(flags[0] & 0xff);
    found.is_complex = (flags[0] & kComplexFlag) != 0;
    found.is_logical = (flags[0] & kLogicalFlag) != 0;
    found.shape = integers();
    const Element name = next();
    if (name.bytes > kLongestName) fail("a name is too long");
    found.name.resize(name.bytes);
    source_.read_exactly(found.name.data(), name.bytes, "a name");
    skip(name.padding);
    return found;
  }

 private:
  std::uint32_t take() {
    std::array<std::byte, 4> bytes{};
    source_.read_exactly(bytes.data(), bytes.size(), "an element");
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::size_t place = big_endian_ ? i : bytes.size() - 1 - i;
      number = (number << 8) | std::to_integer<std::uint32_t>(bytes[place]);
    }
    return number;
  }

  ByteSource& source_;
  bool big_endian_;
};

Matrix dense_rows(ElementReader& elements, const Matrix5& what, bool* has_nan) {
  const Element numbers = elements.next();
  ArrayLayout layout = elements.layout_of(numbers, what.shape);
  // Only what MATLAB calls bytes stays bytes, however small the numbers were stored.
  const bool bytes = what.kind == kByteClass && !what.is_logical;
  if (layout.type == NumberType::uint8 && !bytes) layout.type = NumberType::boolean;
  PartSource part(elements.source(), numbers.bytes);
  return read_array(part, layout, nullptr, has_nan);
}

SparseMatrix sparse_rows(ElementReader& elements, const Matrix5& what) {
  ScipyArrays arrays;
  arrays.by_column = true;
  arrays.shape = what.shape;
  arrays.indices = elements.integers();
  arrays.starts = elements.integers();
  const Element numbers = elements.next();
  ArrayLayout layout = elements.layout_of(numbers, {});
  if (numbers.bytes % number_bytes(layout.type) != 0) elements.fail("a value is cut short");
  layout.shape = {numbers.bytes / number_bytes(layout.type)};
  PartSource part(elements.source(), numbers.bytes);
  arrays.values = read_value_array(part, layout);
  // MATLAB may keep room for more nonzeros than there are.
  if (!arrays.starts.empty() && arrays.starts.back() <= arrays.indices.size()) {
    arrays.indices.resize(arrays.starts.back());
    if (arrays.values.size() > arrays.indices.size()) arrays.values.resize(arrays.starts.back());
  }
  return rows_from_scipy(elements.source().name(), arrays);
}

/// The elements of a file, one variable after the other.
class Mat5File {
 public:
  explicit Mat5File(const MemorySource& source) : name_(source.name()), bytes_(source.rest()) {
    if (bytes_.size() < kHeaderBytes) {
      throw FormatError(
          ErrorCode::damaged,
          fmt::format("{}: the MATLAB file ends inside its header; fetch it again", name_),
          {.path = name_});
    }
    big_endian_ = bytes_[kHeaderBytes - 2] == std::byte{'M'};
  }

  /// Calls `body(elements)` inside each matrix; stops when it returns true.
  template <class Body>
  void for_each_matrix(Body&& body) const {
    MemorySource file(name_, nullptr, bytes_.subspan(kHeaderBytes));
    ElementReader elements(file, big_endian_);
    for (std::size_t count = 0; count < kMostVariables && !elements.at_end(); ++count) {
      const Element element = elements.next();
      const auto inside = file.rest().first(
          static_cast<std::size_t>(std::min<std::uint64_t>(element.bytes, file.rest().size())));
      if (element.type == kMatrix) {
        MemorySource part(name_, nullptr, inside);
        ElementReader matrix(part, big_endian_);
        if (body(matrix)) return;
      } else if (element.type == kCompressed && enter(inside, body)) {
        return;
      }
      elements.skip(element.bytes);
      // Compressed elements follow each other without a gap.
      if (element.type != kCompressed && !elements.at_end()) elements.skip(element.padding);
    }
  }

 private:
  template <class Body>
  bool enter(std::span<const std::byte> deflated, Body&& body) const {
    GzipSource inflated(std::make_unique<MemorySource>(name_, nullptr, deflated),
                        GzipSource::Packing::zlib);
    ElementReader outer(inflated, big_endian_);
    const Element element = outer.next();
    if (element.type != kMatrix) return false;
    PartSource part(inflated, element.bytes);
    ElementReader matrix(part, big_endian_);
    return body(matrix);
  }

  std::string name_;
  std::span<const std::byte> bytes_;
  bool big_endian_ = false;
};

}  // namespace

bool is_mat5(std::span<const std::byte> start) {
  return start.size() >= kMagic.size() &&
         std::memcmp(start.data(), kMagic.data(), kMagic.size()) == 0;
}

Table read_mat5(const MemorySource& source, const std::string& array, bool* has_nan) {
  const Mat5File file(source);
  std::vector<std::string> names;
  file.for_each_matrix([&](ElementReader& elements) {
    const Matrix5 matrix = elements.matrix();
    if (matrix.holds_numbers()) names.push_back(matrix.name);
    return false;
  });
  std::string wanted;
  try {
    wanted = chosen_matlab_array(names, array);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(error.code(),
                          {fmt::format("{}: {}; choose one with ", source.name(), error.what()),
                           option("array", "NAME")},
                          {.option = "array", .value = array, .path = source.name()});
  }
  Table table;
  file.for_each_matrix([&](ElementReader& elements) {
    const Matrix5 matrix = elements.matrix();
    if (!matrix.holds_numbers() || matrix.name != wanted) return false;
    if (matrix.is_sparse()) {
      table.rows = sparse_rows(elements, matrix);
    } else {
      table.rows = dense_rows(elements, matrix, has_nan);
    }
    return true;
  });
  return table;
}

}  // namespace mbn
