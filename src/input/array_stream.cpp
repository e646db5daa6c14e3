// SPDX-License-Identifier: Apache-2.0
//
// A part is a byte (StreamPart) and then, for an array: its type of number, 1 when the first index
// runs fastest, how many indices there are, their lengths, and the numbers; for names: how many,
// and each with its length in front. Integers are those of this machine, 8 bytes unless it says
// otherwise. The one who reads trusts nothing: the readers of arrays check sizes against the limit
// of the stream, and `rows_from_scipy` checks what the numbers say.
#include "input/array_stream.hpp"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "base/checked.hpp"
#include "input/gene_counts.hpp"
#include "input/part_source.hpp"
#include "input/scipy_arrays.hpp"

namespace mbn {

namespace {

constexpr std::uint64_t kMostIndices = 32;  // as many as HDF5 can have
constexpr std::uint64_t kLongestText = std::uint64_t{1} << 20;

class StreamReader {
 public:
  StreamReader(ByteSource& stream, bool* has_nan) : stream_(stream), has_nan_(has_nan) {}

  Table read() {
    while (true) {
      const auto part = take<std::uint8_t>();
      if (part == static_cast<std::uint8_t>(StreamPart::end)) return finished();
      read_part(static_cast<StreamPart>(part));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw FormatError(ErrorCode::damaged,
                      fmt::format("{}: {}; the file is damaged, fetch or write it again",
                                  stream_.name(), problem),
                      {.path = stream_.name()});
  }

  template <class Number>
  Number take() {
    Number number{};
    stream_.read_exactly(&number, sizeof number, "its arrays");
    return number;
  }

  std::string take_text() {
    const auto length = take<std::uint32_t>();
    if (length > kLongestText) fail("a name is longer than a million letters");
    std::string text(length, '\0');
    stream_.read_exactly(text.data(), length, "a name");
    return text;
  }

  ArrayLayout take_layout() {
    ArrayLayout layout;
    const auto type = take<std::uint8_t>();
    if (type > static_cast<std::uint8_t>(NumberType::float64)) fail("numbers of no known type");
    layout.type = static_cast<NumberType>(type);
    layout.big_endian = std::endian::native == std::endian::big;
    layout.fortran_order = take<std::uint8_t>() != 0;
    const auto indices = take<std::uint8_t>();
    if (indices > kMostIndices) fail("an array has too many indices");
    for (std::uint8_t i = 0; i < indices; ++i) layout.shape.push_back(take<std::uint64_t>());
    return layout;
  }

  /// Calls `read(source, layout)` with exactly the bytes of one array.
  template <class Read>
  auto take_array(Read&& read) {
    const ArrayLayout layout = take_layout();
    std::optional<std::uint64_t> bytes = number_bytes(layout.type);
    for (const std::uint64_t length : layout.shape) {
      if (bytes) bytes = checked_product(*bytes, length);
    }
    if (!bytes) fail("an array has more cells than can be counted");
    PartSource source(stream_, *bytes);
    return read(source, layout);
  }

  std::vector<std::string> take_names() {
    const auto count = take<std::uint64_t>();
    // The list grows only as names arrive.
    std::vector<std::string> names;
    for (std::uint64_t i = 0; i < count; ++i) names.push_back(take_text());
    return names;
  }

  void read_part(StreamPart part) {
    const auto integers = [](ByteSource& source, const ArrayLayout& layout) {
      return read_integer_array(source, layout);
    };
    switch (part) {
      case StreamPart::rows:
        table_.rows = take_array([this](ByteSource& source, const ArrayLayout& layout) {
          return read_array(source, layout, &table_.pictures, has_nan_);
        });
        return;
      case StreamPart::compression:
        arrays_.by_column = take<std::uint8_t>() != 0;
        arrays_.shape = {take<std::uint64_t>(), take<std::uint64_t>()};
        return;
      case StreamPart::starts:
        arrays_.starts = take_array(integers);
        return;
      case StreamPart::indices:
        arrays_.indices = take_array(integers);
        return;
      case StreamPart::values:
        arrays_.values = take_array([](ByteSource& source, const ArrayLayout& layout) {
          return read_value_array(source, layout);
        });
        return;
      case StreamPart::row_names:
        table_.ids = take_names();
        return;
      case StreamPart::column_names:
        table_.columns = take_names();
        return;
      case StreamPart::gene_counts:
        table_.gene_counts = true;
        return;
      case StreamPart::error:
        throw_error();
      case StreamPart::end:
        break;
    }
    fail("it has a part of no known kind");
  }

  [[noreturn]] void throw_error() {
    const bool is_argument = take<std::uint8_t>() != 0;
    const auto code = take<std::uint8_t>();
    const std::string text = take_text();
    const ErrorCode known =
        code == static_cast<std::uint8_t>(ErrorCode::not_found)     ? ErrorCode::not_found
        : code == static_cast<std::uint8_t>(ErrorCode::unsupported) ? ErrorCode::unsupported
                                                                    : ErrorCode::damaged;
    const std::string message = fmt::format("{}: {}", stream_.name(), text);
    if (!is_argument) throw FormatError(known, message, {.path = stream_.name()});
    throw InvalidArgument(known, {message, "; choose one with ", option("array", "NAME")},
                          {.option = "array", .path = stream_.name()});
  }

  Table finished() {
    if (!arrays_.shape.empty()) table_.rows = rows_from_scipy(stream_.name(), arrays_);
    const RowsView rows = table_.rows;
    if (rows.rows() == 0) fail("it holds no rows");
    check_names(table_.ids.size(), rows.rows(), "rows");
    check_names(table_.columns.size(), rows.columns(), "columns");
    table_.gene_counts = table_.gene_counts && are_raw_counts(table_.rows);
    return std::move(table_);
  }

  void check_names(std::size_t names, std::size_t count, const char* what) const {
    if (names == 0 || names == count) return;
    fail(fmt::format("there are {} names for {} {}", names, count, what));
  }

  ByteSource& stream_;
  bool* has_nan_;
  Table table_;
  ScipyArrays arrays_;
};

}  // namespace

void ArrayStreamWriter::put(std::string_view text) {
  put(static_cast<std::uint32_t>(text.size()));
  output_.write(text.data(), text.size());
}

void ArrayStreamWriter::begin(StreamPart part, const ArrayLayout& layout) {
  put(part);
  put(layout.type);
  put(static_cast<std::uint8_t>(layout.fortran_order));
  put(static_cast<std::uint8_t>(layout.shape.size()));
  missing_ = number_bytes(layout.type);
  for (const std::uint64_t length : layout.shape) {
    put(length);
    missing_ *= length;  // the layout's sizes are checked
  }
}

void ArrayStreamWriter::numbers(const void* bytes, std::size_t count) {
  missing_ -= count;
  output_.write(bytes, count);
}

void ArrayStreamWriter::names(StreamPart part, const std::vector<std::string>& names) {
  put(part);
  put(std::uint64_t{names.size()});
  for (const std::string& name : names) put(std::string_view(name));
}

void ArrayStreamWriter::compression(bool by_column, std::uint64_t rows, std::uint64_t columns) {
  put(StreamPart::compression);
  put(static_cast<std::uint8_t>(by_column));
  put(rows);
  put(columns);
}

void ArrayStreamWriter::gene_counts() {
  put(StreamPart::gene_counts);
}

void ArrayStreamWriter::error(const Error& error, bool is_argument) {
  if (missing_ != 0) throw FormatError(error.code(), error.message());
  put(StreamPart::error);
  put(static_cast<std::uint8_t>(is_argument));
  put(static_cast<std::uint8_t>(error.code()));
  put(std::string_view(error.what()));
}

void ArrayStreamWriter::end() {
  put(StreamPart::end);
}

Table read_array_stream(ByteSource& stream, bool* has_nan) {
  return StreamReader(stream, has_nan).read();
}

}  // namespace mbn
