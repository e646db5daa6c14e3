// SPDX-License-Identifier: Apache-2.0
//
// The matrix has a row for each gene, and rows of ours are cells: it is turned. Several genes may
// have the same symbol (the second cell of a line); those go by their ids (the first), which are
// different.
#include "input/ten_x.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <mbn/error.hpp>

#include "input/gene_counts.hpp"
#include "input/gzip_source.hpp"
#include "input/line_reader.hpp"
#include "input/matrix_market.hpp"
#include "rows/columns.hpp"

namespace mbn {

namespace {

namespace fs = std::filesystem;

std::optional<fs::path> existing(const fs::path& folder, const std::string& name) {
  std::error_code ignored;
  for (const char* ending : {"", ".gz"}) {
    const fs::path path = folder / (name + ending);
    if (fs::is_regular_file(path, ignored)) return path;
  }
  return std::nullopt;
}

std::vector<std::array<std::string, 2>> read_lines(const fs::path& path) {
  const auto source = unpacked(open_source(path.string()));
  LineReader lines(*source);
  std::vector<std::array<std::string, 2>> cells;
  std::string_view line;
  while (lines.next(line)) {
    if (line.empty()) continue;
    const std::size_t first = std::min(line.find('\t'), line.size());
    std::string_view rest = line.substr(std::min(first + 1, line.size()));
    rest = rest.substr(0, rest.find('\t'));
    cells.push_back({std::string(line.substr(0, first)), std::string(rest)});
  }
  return cells;
}

void check_count(const fs::path& path, std::size_t lines, const char* what, std::size_t wanted) {
  if (lines == wanted) return;
  throw FormatError(
      ErrorCode::damaged,
      fmt::format(
          "{} has {} lines, but the matrix beside it has {} {}; fetch all three files again",
          path.string(), lines, wanted, what),
      {.path = path});
}

}  // namespace

std::vector<std::string> gene_names(const std::vector<std::array<std::string, 2>>& genes) {
  std::map<std::string_view, std::size_t> times;
  for (const auto& [id, symbol] : genes) ++times[symbol];
  std::vector<std::string> names;
  names.reserve(genes.size());
  for (const auto& [id, symbol] : genes) {
    names.push_back(symbol.empty() || times[symbol] > 1 ? id : symbol);
  }
  return names;
}

std::optional<TenXFiles> find_ten_x(const fs::path& path) {
  constexpr std::string_view kMatrix = "matrix.mtx";
  if (path == "-") return std::nullopt;
  std::error_code ignored;
  fs::path folder = path;
  std::string before;
  std::optional<fs::path> matrix;
  if (fs::is_directory(path, ignored)) {
    matrix = existing(path, std::string(kMatrix));
  } else {
    std::string name = path.filename().string();
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    if (!name.ends_with(kMatrix)) return std::nullopt;
    before = name.substr(0, name.size() - kMatrix.size());
    folder = path.parent_path();
    matrix = path;
  }
  const auto barcodes = existing(folder, before + "barcodes.tsv");
  auto features = existing(folder, before + "features.tsv");
  if (!features) features = existing(folder, before + "genes.tsv");
  if (!matrix || !barcodes || !features) return std::nullopt;
  return TenXFiles{*matrix, *barcodes, *features};
}

Table read_ten_x(const TenXFiles& files) {
  const auto source = unpacked(open_source(files.matrix.string()));
  const SparseMatrix counts = read_matrix_market(*source);
  const auto barcodes = read_lines(files.barcodes);
  const auto genes = read_lines(files.features);
  check_count(files.barcodes, barcodes.size(), "columns", counts.columns);
  check_count(files.features, genes.size(), "rows", counts.rows());
  Table table;
  table.rows = transposed(counts.view());
  table.columns = gene_names(genes);
  table.gene_counts = are_raw_counts(table.rows);
  table.id_names = {"barcode"};
  for (const auto& [barcode, rest] : barcodes) table.ids.push_back(barcode);
  table.notes.push_back(
      {NoteCode::data_read,
       fmt::format("{}: cells are rows, with their barcodes as ids, and genes are columns",
                   files.matrix.parent_path().empty() ? files.matrix.string()
                                                      : files.matrix.parent_path().string())});
  return table;
}

}  // namespace mbn
