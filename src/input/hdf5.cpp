// SPDX-License-Identifier: Apache-2.0
//
// The file is read in quarantine (see quarantine.hpp) and its arrays come as a stream; `Hdf5Sender`
// runs there. What kind of file it is, its groups tell:
//
//   AnnData   X, layers/*, raw/X: dense, or a group with data, indices and indptr; obs and var have
//             an index of names, which the attribute `_index` names (once: records with `index`)
//   10x       matrix/ (once: a group for each genome) with data, indices, indptr and shape, genes x
//             cells by cell; barcodes; features/name and features/id (once: gene_names and genes)
//   MATLAB    arrays with the attribute MATLAB_class, columns first; sparse ones are groups with
//             data, ir and jc, and the number of rows in MATLAB_sparse
#include "input/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <mbn/error.hpp>

#include "base/checked.hpp"
#include "input/array_stream.hpp"
#include "input/gzip_source.hpp"
#include "input/hdf5_file.hpp"
#include "input/matlab_choice.hpp"
#include "input/printable.hpp"
#include "input/quarantine.hpp"
#include "input/shell_line.hpp"
#include "input/ten_x.hpp"

namespace mbn {

namespace {

#ifdef MBN_HAS_HDF5

[[noreturn]] void fail_choice(const std::string& problem, const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    list += fmt::format("{}{}", i > 0 ? ", " : "", printable(names[i]));
  }
  if (names.size() > kMostNames) list += ", ...";
  throw InvalidArgument(ErrorCode::not_found, fmt::format("{}; the arrays are: {}", problem,
                                                          list.empty() ? "none" : list));
}

/// Sends the arrays of one file. All its functions run in quarantine.
class Hdf5Sender {
 public:
  Hdf5Sender(const Hdf5File& file, std::string array, ArrayStreamWriter& out)
      : file_(file), array_(std::move(array)), out_(out) {
    while (array_.starts_with('/')) array_.erase(0, 1);
  }

  void send() {
    if (const auto group = ten_x_group()) return send_ten_x(*group);
    if (is_anndata()) return send_anndata();
    if (is_matlab()) return send_matlab();
    send_array(array_.empty() ? only_array({"X", "data"}) : existing(array_));
  }

 private:
  bool is_anndata() const {
    if (file_.text_attribute("", "encoding-type").value_or("") == "anndata") return true;
    return file_.has("X") && file_.has("obs") && file_.has("var");
  }

  bool is_matlab() const {
    return std::ranges::any_of(file_.members(""), [&](const std::string& name) {
      return file_.text_attribute(name, "MATLAB_class").has_value();
    });
  }

  std::optional<std::string> ten_x_group() const {
    const auto fits = [&](const std::string& group) {
      return file_.has(group + "/barcodes") && file_.has(group + "/indptr") &&
             file_.has(group + "/shape");
    };
    if (!array_.empty()) return fits(array_) ? std::optional(array_) : std::nullopt;
    std::vector<std::string> found;
    for (const std::string& name : file_.members("")) {
      if (fits(name)) found.push_back(name);
    }
    if (found.size() > 1) fail_choice("there are several matrices of cells", found);
    return found.empty() ? std::nullopt : std::optional(found.front());
  }

  const std::string& existing(const std::string& path) const {
    const Hdf5File::Kind kind = file_.kind(path);
    if (kind == Hdf5File::Kind::numbers || kind == Hdf5File::Kind::group) return path;
    fail_choice(fmt::format("there is no array '{}'", printable(path)), file_.arrays());
  }

  std::string only_array(std::initializer_list<const char*> usual) const {
    for (const char* name : usual) {
      if (file_.kind(name) == Hdf5File::Kind::numbers) return name;
    }
    const std::vector<std::string> arrays = file_.arrays();
    if (arrays.size() == 1) return arrays.front();
    fail_choice(arrays.empty() ? std::string("there is no array of numbers")
                               : fmt::format("there are several arrays and none is called {}",
                                             fmt::join(usual, " or ")),
                arrays);
  }

  void send_numbers(StreamPart part, const std::string& path, bool columns_first = false) {
    ArrayLayout layout = file_.layout(path);
    if (columns_first) {
      layout.fortran_order = true;
      std::ranges::reverse(layout.shape);
    }
    out_.begin(part, layout);
    file_.read(path, [this](const void* bytes, std::size_t count) { out_.numbers(bytes, count); });
  }

  /// Compressed rows or columns in a group, as SciPy and AnnData keep them.
  void send_compressed(const std::string& group, bool by_column, std::uint64_t rows,
                       std::uint64_t columns, const char* starts, const char* indices) {
    out_.compression(by_column, rows, columns);
    send_numbers(StreamPart::starts, group + "/" + starts);
    send_numbers(StreamPart::indices, group + "/" + indices);
    send_numbers(StreamPart::values, group + "/data");
  }

  void send_array(const std::string& path) {
    if (file_.kind(path) != Hdf5File::Kind::group) return send_numbers(StreamPart::rows, path);
    std::string format = file_.text_attribute(path, "encoding-type").value_or("");
    if (format.empty()) format = file_.text_attribute(path, "h5sparse_format").value_or("");
    std::vector<std::uint64_t> shape = file_.integer_attribute(path, "shape");
    if (shape.empty()) shape = file_.integer_attribute(path, "h5sparse_shape");
    const bool by_column = format.starts_with("csc");
    if ((!by_column && !format.starts_with("csr")) || shape.size() != 2) {
      fail_choice(fmt::format("'{}' is a group and no matrix", printable(path)), file_.arrays());
    }
    send_compressed(path, by_column, shape[0], shape[1], "indptr", "indices");
  }

  /// The names of AnnData's `obs` or `var`.
  std::vector<std::string> index_of(const std::string& frame) const {
    if (file_.kind(frame) == Hdf5File::Kind::other) return file_.texts(frame, "index");
    const std::string name = file_.text_attribute(frame, "_index").value_or("_index");
    const std::string path = fmt::format("{}/{}", frame, name);
    if (file_.kind(path) == Hdf5File::Kind::group) return file_.texts(path + "/values");
    return file_.has(path) ? file_.texts(path) : std::vector<std::string>{};
  }

  std::vector<std::string> anndata_arrays() const {
    std::vector<std::string> found;
    for (const char* one : {"X", "raw/X"}) {
      if (file_.has(one)) found.emplace_back(one);
    }
    for (const char* group : {"layers", "obsm"}) {
      for (const std::string& name : file_.members(group)) {
        found.push_back(fmt::format("{}/{}", group, name));
      }
    }
    return found;
  }

  void send_anndata() {
    const std::string path = array_.empty() ? "X" : array_;
    if (!file_.has(path) || path == "obs" || path == "var") {
      fail_choice(fmt::format("there is no matrix '{}' of cells", printable(path)),
                  anndata_arrays());
    }
    send_array(path);
    out_.names(StreamPart::row_names, index_of("obs"));
    const bool raw = path == "raw/X";
    if (!raw && path != "X" && !path.starts_with("layers/")) return;
    out_.names(StreamPart::column_names, index_of(raw ? "raw/var" : "var"));
    out_.gene_counts();
  }

  void send_ten_x(const std::string& group) {
    const std::vector<std::uint64_t> shape = file_.integers(group + "/shape");
    if (shape.size() != 2)
      throw FormatError(ErrorCode::damaged, fmt::format("'{}/shape' has not two numbers", group));
    send_compressed(group, false, shape[1], shape[0], "indptr", "indices");
    out_.names(StreamPart::row_names, file_.texts(group + "/barcodes"));
    const bool newer = file_.has(group + "/features/id");
    const auto ids = file_.texts(group + (newer ? "/features/id" : "/genes"));
    const auto symbols = file_.texts(group + (newer ? "/features/name" : "/gene_names"));
    std::vector<std::array<std::string, 2>> genes;
    for (std::size_t i = 0; i < std::min(ids.size(), symbols.size()); ++i) {
      genes.push_back({ids[i], symbols[i]});
    }
    out_.names(StreamPart::column_names, gene_names(genes));
    out_.gene_counts();
  }

  void send_matlab() {
    std::vector<std::string> names;
    for (const std::string& name : file_.members("")) {
      if (is_matlab_matrix(name)) names.push_back(name);
    }
    const std::string name = chosen_matlab_array(names, array_);
    if (file_.kind(name) != Hdf5File::Kind::group) {
      const std::vector<std::uint64_t> shape = file_.layout(name).shape;
      if (shape.size() != 2) {
        throw FormatError(ErrorCode::unsupported,
                          fmt::format("'{}' has {} indices; reshape it to rows x columns",
                                      printable(name), shape.size()));
      }
      return send_numbers(StreamPart::rows, name, true);
    }
    const std::vector<std::uint64_t> rows = file_.integer_attribute(name, "MATLAB_sparse");
    const std::vector<std::uint64_t> starts = file_.layout(name + "/jc").shape;
    if (rows.size() != 1 || starts.size() != 1 || starts[0] == 0) {
      throw FormatError(ErrorCode::damaged,
                        fmt::format("'{}' is no whole sparse matrix", printable(name)));
    }
    if (!file_.has(name + "/data")) {
      throw FormatError(ErrorCode::damaged, fmt::format("'{}' has only zeros", printable(name)));
    }
    send_compressed(name, true, rows[0], starts[0] - 1, "jc", "ir");
  }

  bool is_matlab_matrix(const std::string& name) const {
    const std::string kind = file_.text_attribute(name, "MATLAB_class").value_or("");
    const bool numbers = kind == "double" || kind == "single" || kind == "logical" ||
                         kind.starts_with("int") || kind.starts_with("uint");
    if (!numbers || !file_.integer_attribute(name, "MATLAB_empty").empty()) return false;
    return file_.kind(name) == Hdf5File::Kind::numbers ||
           !file_.integer_attribute(name, "MATLAB_sparse").empty();
  }

  const Hdf5File& file_;
  std::string array_;
  ArrayStreamWriter& out_;
};

void send_file(std::span<const std::byte> image, const std::string& array,
               QuarantineOutput& output) {
  ArrayStreamWriter out(output);
  try {
    const Hdf5File file(image);
    Hdf5Sender(file, array, out).send();
    out.end();
  } catch (const InvalidArgument& error) {
    out.error(error, true);
  } catch (const Error& error) {
    out.error(error, false);
  }
}

#endif

constexpr std::string_view kMagic = "\x89HDF\r\n\x1a\n";
constexpr std::string_view kMatlab = "MATLAB 7.3";

bool begins(std::span<const std::byte> start, std::string_view magic) {
  return start.size() >= magic.size() && std::memcmp(start.data(), magic.data(), magic.size()) == 0;
}

[[noreturn]] void fail_without_library(const std::string& name, bool is_matlab) {
  const char* program =
      is_matlab ? "import sys, h5py, numpy; numpy.save('X.npy', h5py.File(sys.argv[1])['X'][()].T)"
                : "import sys, anndata, scipy.sparse as s; s.save_npz('cells.npz', "
                  "s.csr_matrix(anndata.read_h5ad(sys.argv[1]).X))";
  throw FormatError(
      ErrorCode::unsupported,
      fmt::format("{}: this is an HDF5 file, which this build does not read; build mbn with it "
                  "(install libhdf5-dev, configure with -DMBN_HDF5=ON), or convert the file: {}",
                  name, python_line(program, name)),
      {.path = name});
}

}  // namespace

bool is_hdf5(std::span<const std::byte> start) {
  return begins(start, kMagic) || begins(start, kMatlab);
}

Table read_hdf5(const MemorySource& source, const std::string& array, bool* has_nan) {
  const std::span<const std::byte> image = source.rest();
  if (!has_hdf5()) fail_without_library(source.name(), begins(image, kMatlab));
#ifdef MBN_HAS_HDF5
  const std::uint64_t limit =
      checked_product(image.size(), kDeflateLimit).value_or(UINT64_MAX / 2) + (1U << 16);
  Quarantine arrays(source.name(), image.size(), limit,
                    [&](QuarantineOutput& output) { send_file(image, array, output); });
  Table table = read_array_stream(arrays, has_nan);
  arrays.finish();
  return table;
#else
  static_cast<void>(array);
  static_cast<void>(has_nan);
  return {};
#endif
}

}  // namespace mbn
