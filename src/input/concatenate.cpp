// SPDX-License-Identifier: Apache-2.0
//
// Bytes are copied as they are: rows that were written once are not parsed again. Only headers are
// looked at.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <mbn/error.hpp>
#include <mbn/stream.hpp>

#include "base/atomic_file.hpp"
#include "input/npy.hpp"

namespace mbn {

namespace {

using Paths = std::vector<std::filesystem::path>;

constexpr std::size_t kPieceBytes = 1 << 18;

[[noreturn]] void refuse(const std::filesystem::path& part, const std::string& problem) {
  throw FormatError(ErrorCode::does_not_fit,
                    fmt::format("{}: {}; parts of one table must be alike", part.string(), problem),
                    {.path = part});
}

void copy_rest(ByteSource& source, AtomicFile& target) {
  std::vector<char> piece(kPieceBytes);
  while (const std::size_t got = source.read(piece.data(), piece.size())) {
    target.write(piece.data(), got);
    source.release();
  }
}

/// NumPy's name of the numbers of an array.
std::string type_name(const ArrayLayout& layout) {
  const bool real = layout.type >= NumberType::float16;
  const bool with_sign = layout.type >= NumberType::int8 && layout.type <= NumberType::int64;
  const char kind = layout.type == NumberType::boolean ? 'b' : real ? 'f' : with_sign ? 'i' : 'u';
  const std::size_t bytes = number_bytes(layout.type);
  return fmt::format("{}{}{}", bytes == 1 ? '|' : layout.big_endian ? '>' : '<', kind, bytes);
}

std::uint64_t join_arrays(const Paths& parts, AtomicFile& target) {
  std::vector<ArrayLayout> layouts;
  std::uint64_t rows = 0;
  for (const std::filesystem::path& part : parts) {
    const auto source = open_source(part.string());
    if (!is_npy(source->peek(16))) refuse(part, "this is no .npy");
    layouts.push_back(read_npy_header(*source));
    const ArrayLayout& layout = layouts.back();
    const ArrayLayout& first = layouts.front();
    const bool alike =
        layout.type == first.type && layout.big_endian == first.big_endian &&
        layout.shape.size() == first.shape.size() && !layout.shape.empty() &&
        std::equal(layout.shape.begin() + 1, layout.shape.end(), first.shape.begin() + 1);
    if (!alike) refuse(part, fmt::format("the array is not like that of {}", parts[0].string()));
    if (!is_row_major(layout)) refuse(part, "the array does not lie row by row");
    std::uint64_t bytes = number_bytes(layout.type);
    for (const std::uint64_t length : layout.shape) bytes *= length;
    if (source->limit() != bytes) refuse(part, "the file is cut short or damaged");
    rows += layout.shape[0];
  }
  std::vector<std::size_t> shape(layouts[0].shape.begin(), layouts[0].shape.end());
  shape[0] = rows;
  target.write(npy_header(type_name(layouts[0]), shape));
  for (const std::filesystem::path& part : parts) {
    const auto source = open_source(part.string());
    read_npy_header(*source);
    copy_rest(*source, target);
  }
  return rows;
}

std::string first_line(ByteSource& source) {
  constexpr std::size_t kLongest = std::size_t{1} << 24;
  for (std::size_t bytes = 4096;; bytes *= 2) {
    const auto start = source.peek(bytes);
    const auto end = std::ranges::find(start, std::byte{'\n'});
    if (end == start.end() && start.size() == bytes && bytes < kLongest) continue;
    const auto length = static_cast<std::size_t>(end - start.begin());
    return {reinterpret_cast<const char*>(start.data()), length};
  }
}

std::uint64_t join_texts(const Paths& parts, bool header, AtomicFile& target) {
  std::uint64_t lines = 0;
  std::string names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto source = open_source(parts[i].string());
    const std::string line = first_line(*source);
    if (i == 0) names = line;
    if (header && i > 0) {
      if (line != names) {
        refuse(parts[i], fmt::format("the first line is not that of {}", parts[0].string()));
      }
      source->skip(line.size() + 1);
    }
    std::vector<char> piece(kPieceBytes);
    char last = '\n';
    while (const std::size_t got = source->read(piece.data(), piece.size())) {
      target.write(piece.data(), got);
      source->release();
      lines += static_cast<std::uint64_t>(std::count(piece.data(), piece.data() + got, '\n'));
      last = piece[got - 1];
    }
    if (last == '\n') continue;
    target.write("\n");
    ++lines;
  }
  return lines - (header && lines > 0 ? 1 : 0);
}

}  // namespace

std::uint64_t concatenate(const std::filesystem::path& target,
                          const std::vector<std::filesystem::path>& parts, bool header,
                          const WriteOptions& options) {
  if (parts.empty()) {
    throw InvalidArgument(ErrorCode::too_small, "there are no parts to join; give at least one");
  }
  check_table_ending(target);
  const bool arrays = target.extension() == ".npy";
  const bool to_stdout = target == "-";
  AtomicFile file(to_stdout ? "/dev/stdout" : target, to_stdout || options.overwrite);
  const std::uint64_t rows = arrays ? join_arrays(parts, file) : join_texts(parts, header, file);
  file.commit();
  return rows;
}

}  // namespace mbn
