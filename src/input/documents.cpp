// SPDX-License-Identifier: Apache-2.0
//
// Every format ends in the same two lists. Lines and records are cut from a window that slides
// along the source, so that gzip and pipes need no second copy; only the documents themselves are
// kept.
#include "input/documents.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <nlohmann/json.hpp>

#include "input/gzip_source.hpp"
#include "input/line_reader.hpp"
#include "input/printable.hpp"
#include "input/record_reader.hpp"
#include "input/signature.hpp"
#include "input/utf16_source.hpp"

namespace mbn {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReadBytes = std::size_t{1} << 16;
constexpr std::size_t kMaxFileBytes = LineReader::kMostBytes;

void add(Documents& documents, std::string_view text, std::string id) {
  documents.texts.emplace_back(text);
  documents.ids.push_back(std::move(id));
}

Documents read_lines(ByteSource& source) {
  Documents documents;
  LineReader lines(source);
  std::string_view line;
  while (lines.next(line)) {
    add(documents, line, std::to_string(lines.line()));
  }
  return documents;
}

std::size_t find_column(const RecordReader& reader, const char* option, const std::string& wanted) {
  const auto& header = reader.cells();
  const auto found = std::find(header.begin(), header.end(), wanted);
  if (found != header.end()) return static_cast<std::size_t>(found - header.begin());
  long long number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto parsed = std::from_chars(wanted.data(), end, number);
  const auto count = static_cast<long long>(header.size());
  if (parsed.ec == std::errc() && parsed.ptr == end && number != 0 && std::abs(number) <= count) {
    return static_cast<std::size_t>(number > 0 ? number - 1 : count + number);
  }
  std::string names;
  for (const std::string_view name : header) {
    if (names.size() > 200) break;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", printable(name));
  }
  throw InvalidArgument(
      ErrorCode::not_found,
      {mbn::option(option, printable(wanted)),
       fmt::format(
           ": {} has no such column; give a number from 1 to {} or a name of its first line: {}",
           reader.name(), count, names)},
      {.option = option, .value = wanted, .path = reader.name()});
}

Documents read_csv(ByteSource& source, const DocumentOptions& options) {
  Documents documents;
  RecordReader reader(source, RecordReader::Otherwise::nothing);
  if (!reader.next()) return documents;
  const std::size_t columns = reader.cells().size();
  const std::size_t text = find_column(reader, "text_column", options.text_column);
  std::optional<std::size_t> id;
  if (!options.id_column.empty()) id = find_column(reader, "id_column", options.id_column);
  std::optional<std::size_t> title;
  if (!options.title_column.empty()) {
    title = find_column(reader, "title_column", options.title_column);
  }
  while (reader.next()) {
    const auto& cells = reader.cells();
    if (cells.size() != columns) {
      reader.fail(
          fmt::format("there are {} cells, but the first line has {}; quote cells that "
                      "hold the separator",
                      cells.size(), columns));
    }
    add(documents, cells[text],
        id ? std::string(cells[*id]) : std::to_string(documents.size() + 1));
    if (title) documents.titles.emplace_back(cells[*title]);
  }
  return documents;
}

/// A text field of one object. Numbers may be ids; null is an empty text.
std::string field_of(const nlohmann::json& object, const std::string& field,
                     const LineReader& lines) {
  const auto found = object.find(field);
  if (found == object.end()) {
    lines.fail(fmt::format("the object has no field '{}'; name the one to read", printable(field)));
  }
  if (found->is_string()) return found->get<std::string>();
  if (found->is_null()) return {};
  if (found->is_number() || found->is_boolean()) return found->dump();
  lines.fail(fmt::format("the field '{}' is not a text", printable(field)));
}

Documents read_jsonl(ByteSource& source, const DocumentOptions& options) {
  Documents documents;
  LineReader lines(source);
  std::string_view line;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object()) {
      lines.fail(fmt::format("this is not a JSON object in UTF-8: {}", printable(line)));
    }
    add(documents, field_of(object, options.text_column, lines),
        options.id_column.empty() ? std::to_string(documents.size() + 1)
                                  : field_of(object, options.id_column, lines));
    if (!options.title_column.empty()) {
      documents.titles.push_back(field_of(object, options.title_column, lines));
    }
  }
  return documents;
}

DocumentFormat format_of(const std::string& name) {
  fs::path path(name);
  if (path.extension() == ".gz") path = path.stem();
  const std::string ending = path.extension().string();
  if (ending == ".csv" || ending == ".tsv") return DocumentFormat::csv;
  if (ending == ".jsonl" || ending == ".ndjson") return DocumentFormat::jsonl;
  return DocumentFormat::lines;
}

/// The source, unpacked, when it can be text.
std::unique_ptr<ByteSource> text_of(std::unique_ptr<ByteSource> source) {
  source = in_utf8(unpacked(std::move(source)));
  refuse_binary(*source, "a text; index texts, or leave it out");
  return source;
}

std::string whole_text(const fs::path& path) {
  const auto source = text_of(open_source(path.string()));
  std::string text;
  while (true) {
    const std::size_t used = text.size();
    if (used >= kMaxFileBytes) {
      throw FormatError(ErrorCode::too_large,
                        fmt::format("{}: the file is longer than {} bytes; is it one document?",
                                    path.string(), kMaxFileBytes),
                        {.path = path});
    }
    text.resize(used + std::max(kReadBytes, used));
    const std::size_t got = source->read(text.data() + used, text.size() - used);
    text.resize(used + got);
    if (got == 0) return text;
  }
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> paths;
  try {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  } catch (const fs::filesystem_error& error) {
    throw IoError(
        error.code().value(),
        fmt::format("cannot read the folder {}: {}", folder.string(), error.code().message()),
        folder);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Documents read_folder(const fs::path& folder) {
  Documents documents;
  for (const fs::path& path : files_below(folder)) {
    add(documents, whole_text(path), path.lexically_relative(folder).string());
  }
  return documents;
}

bool is_one_text(const fs::path& path) {
  constexpr std::array kTables = {".csv", ".tsv", ".json", ".jsonl", ".mtx", ".svm", ".html"};
  fs::path name = path.filename();
  if (name.extension() == ".gz") name = name.stem();
  const std::string ending = name.extension().string();
  if (std::ranges::find(kTables, ending) != kTables.end()) return false;
  try {
    text_of(open_source(path.string()));
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace

bool is_text_folder(const fs::path& path) {
  constexpr std::size_t kLookedAt = 20;
  std::error_code ignored;
  if (path == "-" || !fs::is_directory(path, ignored)) return false;
  std::vector<fs::path> files = files_below(path);
  std::erase_if(files,
                [](const fs::path& file) { return file.filename().string().starts_with('.'); });
  if (files.empty()) return false;
  files.resize(std::min(files.size(), kLookedAt));
  return std::ranges::all_of(files, is_one_text);
}

Documents read_documents_from(std::unique_ptr<ByteSource> source, const DocumentOptions& options) {
  const DocumentFormat format =
      options.format != DocumentFormat::automatic ? options.format : format_of(source->name());
  source = text_of(std::move(source));
  switch (format) {
    case DocumentFormat::csv:
      return read_csv(*source, options);
    case DocumentFormat::jsonl:
      return read_jsonl(*source, options);
    default:
      return read_lines(*source);
  }
}

Documents read_documents(const fs::path& path, const DocumentOptions& options) {
  std::error_code ignored;
  if (path != "-" && fs::is_directory(path, ignored)) return read_folder(path);
  return read_documents_from(open_source(path.string()), options);
}

}  // namespace mbn
