// SPDX-License-Identifier: Apache-2.0
//
// Arrow's C data interface (arrow.apache.org/docs/format/CDataInterface.html) is three structs: a
// schema with the format of each column as a short text, an array with its buffers, and a stream of
// such arrays. Polars, pyarrow, DuckDB and others hand their tables over this way. Cells are read
// from where they are; only the numbers and texts of the result are new memory.
#include "arrow.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

namespace mbn::python {

namespace nb = nanobind;

namespace {

extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

/// Releases what the other side made, when it is ours no more.
template <class Struct>
struct Owned {
  Struct value{};
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (value.release != nullptr) value.release(&value);
  }
};

bool bit(const void* bits, std::int64_t at) {
  return (static_cast<const std::uint8_t*>(bits)[at / 8] >> (at % 8) & 1) != 0;
}

/// Some cells of one array, from `first` on.
struct Cells {
  const ArrowArray& array;
  std::int64_t first;
  std::int64_t count;

  bool is_null(std::int64_t i) const {
    return array.null_count != 0 && array.buffers[0] != nullptr &&
           !bit(array.buffers[0], first + i);
  }
  template <class T>
  T at(std::int64_t i) const {
    return static_cast<const T*>(array.buffers[1])[first + i];
  }
};

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

template <class T>
void add_numbers(const Cells& cells, std::vector<double>& to) {
  for (std::int64_t i = 0; i < cells.count; ++i) {
    to.push_back(cells.is_null(i) ? kMissing : static_cast<double>(cells.at<T>(i)));
  }
}

/// Counts of a unit as days: whole days first, so that no digit is lost.
template <class T>
void add_days(const Cells& cells, std::int64_t in_a_day, std::vector<double>& to) {
  for (std::int64_t i = 0; i < cells.count; ++i) {
    if (cells.is_null(i)) {
      to.push_back(kMissing);
      continue;
    }
    const auto count = static_cast<std::int64_t>(cells.at<T>(i));
    std::int64_t days = count / in_a_day;
    if (count % in_a_day < 0) --days;
    to.push_back(static_cast<double>(days) +
                 static_cast<double>(count - days * in_a_day) / static_cast<double>(in_a_day));
  }
}

template <class Offset>
void add_texts(const Cells& cells, std::vector<std::string>& to) {
  const auto* ends = static_cast<const Offset*>(cells.array.buffers[1]) + cells.first;
  const auto* letters = static_cast<const char*>(cells.array.buffers[2]);
  for (std::int64_t i = 0; i < cells.count; ++i) {
    if (cells.is_null(i)) {
      to.emplace_back();
    } else {
      to.emplace_back(letters + ends[i], static_cast<std::size_t>(ends[i + 1] - ends[i]));
    }
  }
}

/// 16 bytes each: the length, and up to 12 letters, or 4 letters, a buffer and a place in it.
void add_views(const Cells& cells, std::vector<std::string>& to) {
  constexpr std::int32_t kInside = 12;
  const auto* views = static_cast<const char*>(cells.array.buffers[1]);
  for (std::int64_t i = 0; i < cells.count; ++i) {
    const char* view = views + 16 * (cells.first + i);
    std::int32_t length = 0, buffer = 0, place = 0;
    std::memcpy(&length, view, sizeof length);
    std::memcpy(&buffer, view + 8, sizeof buffer);
    std::memcpy(&place, view + 12, sizeof place);
    if (cells.is_null(i)) {
      to.emplace_back();
    } else if (length <= kInside) {
      to.emplace_back(view + 4, static_cast<std::size_t>(length));
    } else {
      const auto* letters = static_cast<const char*>(cells.array.buffers[2 + buffer]);
      to.emplace_back(letters + place, static_cast<std::size_t>(length));
    }
  }
}

bool add_texts(std::string_view format, const Cells& cells, std::vector<std::string>& to) {
  if (format == "u") {
    add_texts<std::int32_t>(cells, to);
  } else if (format == "U") {
    add_texts<std::int64_t>(cells, to);
  } else if (format == "vu") {
    add_views(cells, to);
  } else {
    return false;
  }
  return true;
}

bool add_numbers(std::string_view format, const Cells& cells, std::vector<double>& to) {
  if (format.size() != 1) return false;
  switch (format.front()) {
    case 'n':
      to.insert(to.end(), static_cast<std::size_t>(cells.count), kMissing);
      return true;
    case 'c':
      return add_numbers<std::int8_t>(cells, to), true;
    case 'C':
      return add_numbers<std::uint8_t>(cells, to), true;
    case 's':
      return add_numbers<std::int16_t>(cells, to), true;
    case 'S':
      return add_numbers<std::uint16_t>(cells, to), true;
    case 'i':
      return add_numbers<std::int32_t>(cells, to), true;
    case 'I':
      return add_numbers<std::uint32_t>(cells, to), true;
    case 'l':
      return add_numbers<std::int64_t>(cells, to), true;
    case 'L':
      return add_numbers<std::uint64_t>(cells, to), true;
    case 'f':
      return add_numbers<float>(cells, to), true;
    case 'g':
      return add_numbers<double>(cells, to), true;
    default:
      return false;
  }
}

std::int64_t units_in_a_day(char unit) {
  constexpr std::int64_t kSeconds = 86'400;
  switch (unit) {
    case 's':
      return kSeconds;
    case 'm':
      return kSeconds * 1'000;
    case 'u':
      return kSeconds * 1'000'000;
    default:
      return kSeconds * 1'000'000'000;
  }
}

// Dates, moments (tss, tsm, tsu, tsn and a time zone: they count from 1970 in UTC) and durations.
bool add_dates(std::string_view format, const Cells& cells, FrameColumn& to) {
  if (format == "tdD") {
    add_days<std::int32_t>(cells, 1, to.numbers);
  } else if (format == "tdm") {
    add_days<std::int64_t>(cells, units_in_a_day('m'), to.numbers);
  } else if (format.size() >= 3 && (format.starts_with("ts") || format.starts_with("tD"))) {
    add_days<std::int64_t>(cells, units_in_a_day(format[2]), to.numbers);
  } else {
    return false;
  }
  if (!format.starts_with("tD")) to.kind = ColumnKind::date;
  return true;
}

bool add_dictionary(const ArrowSchema& schema, const Cells& cells, FrameColumn& to) {
  if (cells.array.dictionary == nullptr) return false;
  const ArrowArray& words = *cells.array.dictionary;
  std::vector<std::string> levels;
  std::vector<double> places;
  if (!add_texts(schema.dictionary->format, {words, words.offset, words.length}, levels)) {
    return false;
  }
  if (!add_numbers(schema.format, cells, places)) return false;
  for (const double place : places) {
    const bool sound = place >= 0 && place < static_cast<double>(levels.size());
    to.texts.push_back(sound ? levels[static_cast<std::size_t>(place)] : std::string());
  }
  to.kind = ColumnKind::category;
  return true;
}

void add_cells(const ArrowSchema& schema, const Cells& cells, FrameColumn& to) {
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) {
    if (add_dictionary(schema, cells, to)) return;
  } else if (format == "b") {
    for (std::int64_t i = 0; i < cells.count; ++i) {
      const bool value = bit(cells.array.buffers[1], cells.first + i);
      to.numbers.push_back(cells.is_null(i) ? kMissing : static_cast<double>(value));
    }
    to.kind = ColumnKind::boolean;
    return;
  } else if (add_numbers(format, cells, to.numbers) || add_texts(format, cells, to.texts) ||
             add_dates(format, cells, to)) {
    return;
  }
  const std::string problem =
      "column '" + to.name + "' has the Arrow type '" + std::string(format) +
      "', which is not read; cast it to a number, a " + "text or a date, or leave it out";
  throw nb::type_error(problem.c_str());
}

[[noreturn]] void fail(ArrowArrayStream& stream) {
  const char* reason = stream.get_last_error != nullptr ? stream.get_last_error(&stream) : nullptr;
  const std::string problem =
      std::string("the Arrow stream cannot be read: ") + (reason == nullptr ? "no reason" : reason);
  throw nb::value_error(problem.c_str());
}

}  // namespace

std::vector<FrameColumn> arrow_columns(const nb::capsule& capsule) {
  auto* stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) throw nb::value_error("the Arrow stream was read already");
  Owned<ArrowSchema> schema;
  if (stream->get_schema(stream, &schema.value) != 0) fail(*stream);
  if (std::string_view(schema.value.format) != "+s") {
    throw nb::type_error("the Arrow data is no table of columns");
  }
  std::vector<FrameColumn> columns(static_cast<std::size_t>(schema.value.n_children));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const char* name = schema.value.children[j]->name;
    columns[j].name = name == nullptr ? "" : name;
  }
  while (true) {
    Owned<ArrowArray> batch;
    if (stream->get_next(stream, &batch.value) != 0) fail(*stream);
    if (batch.value.release == nullptr) return columns;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const ArrowArray& column = *batch.value.children[j];
      add_cells(*schema.value.children[j],
                {column, column.offset + batch.value.offset, batch.value.length}, columns[j]);
    }
  }
}

}  // namespace mbn::python
