// SPDX-License-Identifier: Apache-2.0
//
// What scipy.sparse.save_npz writes: a zip archive of the arrays data, indices, indptr, shape and
// format.
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "base/atomic_file.hpp"
#include "input/npy.hpp"
#include "input/zip_writer.hpp"

namespace mbn {

namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

/// One array of an archive: `fill` writes its cells, `cell_bytes` each.
template <class Fill>
void add_array(ZipWriter& archive, const std::string& name, std::string_view type,
               std::size_t cell_bytes, std::span<const std::size_t> shape, Fill&& fill) {
  const std::string header = npy_header(type, shape);
  std::uint64_t bytes = cell_bytes;
  for (const std::size_t length : shape) bytes *= length;
  archive.begin(name + ".npy", header.size() + bytes);
  archive.write(header.data(), header.size());
  fill();
  archive.end();
}

/// Row starts that begin with 0, whatever slice of rows it is, as int32 or int64.
template <class T>
void write_starts(ZipWriter& archive, SparseView rows) {
  T start = 0;
  archive.write(&start, sizeof start);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    start += static_cast<T>(rows.indices(i).size());
    archive.write(&start, sizeof start);
  }
}

}  // namespace

void write_sparse(const std::filesystem::path& path, SparseView rows, const WriteOptions& options) {
  if (path.extension() != ".npz") {
    throw InvalidArgument(ErrorCode::unknown_choice,
                          fmt::format("sparse rows are written as .npz, but the file is called {}; "
                                      "give it that ending",
                                      path.string()),
                          {.path = path});
  }
  AtomicFile file(path, options.overwrite);
  ZipWriter archive(file);
  const std::array<std::size_t, 1> cells = {rows.nonzeros()};
  const std::array<std::size_t, 1> starts = {rows.rows() + 1};
  const std::array<std::size_t, 1> two = {2};
  constexpr std::uint64_t kInt32 = std::numeric_limits<std::int32_t>::max();
  const bool wide = rows.nonzeros() > kInt32 || rows.columns() > kInt32;
  const char* const integer = wide ? "<i8" : "<i4";
  const std::size_t integer_bytes = wide ? 8 : 4;
  add_array(archive, "indices", integer, integer_bytes, cells, [&] {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const auto indices = rows.indices(i);
      if (!wide) {
        archive.write(indices.data(), indices.size_bytes());
      } else {
        const std::vector<std::int64_t> widened(indices.begin(), indices.end());
        archive.write(widened.data(), widened.size() * sizeof(std::int64_t));
      }
    }
  });
  add_array(archive, "indptr", integer, integer_bytes, starts, [&] {
    wide ? write_starts<std::int64_t>(archive, rows) : write_starts<std::int32_t>(archive, rows);
  });
  add_array(archive, "format", "|S3", 3, {}, [&] { archive.write("csr", 3); });
  add_array(archive, "shape", "<i8", sizeof(std::int64_t), two, [&] {
    const std::array<std::int64_t, 2> shape = {static_cast<std::int64_t>(rows.rows()),
                                               static_cast<std::int64_t>(rows.columns())};
    archive.write(shape.data(), sizeof shape);
  });
  add_array(archive, "data", "<f4", sizeof(float), cells, [&] {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      archive.write(rows.values(i).data(), rows.values(i).size_bytes());
    }
  });
  archive.finish();
  file.commit();
}

}  // namespace mbn
