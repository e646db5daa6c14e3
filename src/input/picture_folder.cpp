// SPDX-License-Identifier: Apache-2.0
#include "input/picture_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <mbn/error.hpp>

#include "input/byte_source.hpp"
#include "input/picture.hpp"
#include "input/printable.hpp"
#include "input/shell_line.hpp"

namespace mbn {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kUsualSize = 32;
constexpr std::uint32_t kLargestSize = 1024;

struct Found {
  std::vector<std::string> pictures;  // relative to the folder
  std::vector<std::string> others;
};

bool is_picture(const fs::path& path) {
  std::array<char, 12> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  const auto count = static_cast<std::size_t>(file.gcount());
  return picture_kind(std::as_bytes(std::span(start).first(count))) != PictureKind::none;
}

Found look_in(const fs::path& folder) {
  Found found;
  std::error_code problem;
  fs::recursive_directory_iterator at(folder, problem);
  for (; !problem && at != fs::recursive_directory_iterator(); at.increment(problem)) {
    const fs::path& path = at->path();
    std::error_code ignored;
    if (path.filename().string().starts_with('.')) {
      if (at->is_directory(ignored)) at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file(ignored)) continue;
    auto& list = is_picture(path) ? found.pictures : found.others;
    list.push_back(path.lexically_relative(folder).generic_string());
  }
  if (problem) {
    throw IoError(problem.value(),
                  fmt::format("cannot read {}: {}", folder.string(), problem.message()), folder);
  }
  std::ranges::sort(found.pictures);
  std::ranges::sort(found.others);
  return found;
}

struct Wanted {
  std::uint32_t size = kUsualSize;
  bool colour = false;
};

/// What was asked for, or else what has the columns that a model wants.
Wanted wanted_by(const ReadOptions& options) {
  if (options.size > kLargestSize) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option("size", std::to_string(options.size)),
         fmt::format(" is too large; pictures become at most {0} x {0}", kLargestSize)},
        {.option = "size", .value = std::to_string(options.size)});
  }
  if (options.size > 0) return {options.size, options.colour};
  for (std::uint32_t size = 1; size <= kLargestSize; ++size) {
    const std::uint64_t pixels = std::uint64_t{size} * size;
    if (pixels == options.column_count && !options.colour) return {size, false};
    if (3 * pixels == options.column_count) return {size, true};
  }
  return {kUsualSize, options.colour};
}

std::vector<std::uint8_t> read_picture(const fs::path& path, const Wanted& wanted) {
  try {
    auto source = open_source(path.string());
    const auto bytes = load(*source);
    return resized(decode_picture(bytes->rest()), wanted.size, wanted.colour);
  } catch (const FormatError& error) {
    throw FormatError(error.code(), fmt::format("{}: {}", path.string(), error.what()),
                      {.path = path});
  }
}

void add_notes(Table& table, const fs::path& folder, const Found& found, const Wanted& wanted) {
  table.notes.push_back(
      {NoteCode::data_read,
       {fmt::format("{}: {} picture{} as rows, each made {} x {} pixels in {}; ", folder.string(),
                    found.pictures.size(), found.pictures.size() == 1 ? "" : "s", wanted.size,
                    wanted.size, wanted.colour ? "colour" : "grey"),
        option("size"), " and ", option("colour"), " choose that"}});
  if (found.others.empty()) return;
  constexpr std::size_t kMostNames = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(found.others.size(), kMostNames); ++i) {
    names += fmt::format("{}{}", i > 0 ? ", " : "", printable(found.others[i]));
  }
  table.notes.push_back(
      {NoteCode::data_read,
       fmt::format("{}: {} file{} left out that are no PNG, JPEG or WebP: {}{}", folder.string(),
                   found.others.size(), found.others.size() == 1 ? "" : "s", names,
                   found.others.size() > kMostNames ? ", ..." : "")});
}

}  // namespace

Table read_picture_folder(const fs::path& folder, const ReadOptions& options) {
  const Wanted wanted = wanted_by(options);
  const Found found = look_in(folder);
  if (found.pictures.empty()) {
    throw IoError(EISDIR,
                  fmt::format("cannot read {}: Is a directory without pictures (PNG, JPEG, WebP), "
                              "and not one with matrix.mtx, barcodes.tsv and features.tsv (10x); "
                              "give a file; texts are counted by: mbn vectorize {} -o counts.npz",
                              folder.string(), shell_word(folder.string())),
                  folder);
  }
  Table table;
  table.pictures = {wanted.size, wanted.size, wanted.colour ? 3U : 1U};
  Matrix rows(found.pictures.size(), table.pictures.columns(), ElementType::uint8);
  for (std::size_t i = 0; i < found.pictures.size(); ++i) {
    const auto cells = read_picture(folder / found.pictures[i], wanted);
    std::memcpy(rows.mutable_row<std::uint8_t>(i), cells.data(), cells.size());
  }
  table.rows = std::move(rows);
  table.ids = found.pictures;
  table.id_names = {"file"};
  add_notes(table, folder, found, wanted);
  return table;
}

}  // namespace mbn
