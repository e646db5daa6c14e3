// SPDX-License-Identifier: Apache-2.0
//
// Compressed rows from the arrays of a SciPy .npz. A small reader on top of the dense one, which
// turns whole numbers into float32: it takes files of up to 2^24 cells, columns and rows, and
// refuses others.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/byte_source.hpp"
#include "input/npz.hpp"

namespace mbn {

namespace {

constexpr float kExact = 16777216.0F;

class CsrArrays {
 public:
  explicit CsrArrays(const std::filesystem::path& path)
      : name_(path.string()), bytes_(load(*open_source(name_))) {
    if (!is_zip(bytes_->peek(4))) fail("it is not a .npz file");
  }

  SparseMatrix read() {
    const Matrix shape = read_npz(*bytes_, "shape");
    const Matrix starts = read_npz(*bytes_, "indptr");
    const Matrix indices = read_npz(*bytes_, "indices");
    const Matrix values = read_npz(*bytes_, "data");
    SparseMatrix rows;
    if (shape.rows() != 2) fail("its shape does not have two numbers");
    rows.columns = whole(shape.at(1, 0));
    if (starts.rows() != std::size_t{whole(shape.at(0, 0))} + 1) fail("indptr is not rows + 1");
    if (indices.rows() != values.rows()) fail("indices and data differ in length");
    rows.starts.clear();
    for (std::size_t i = 0; i < starts.rows(); ++i) rows.starts.push_back(whole(starts.at(i, 0)));
    if (rows.starts.front() != 0 || rows.starts.back() != indices.rows()) {
      fail("indptr does not run from 0 to the number of cells");
    }
    for (std::size_t i = 0; i < indices.rows(); ++i) {
      rows.indices.push_back(whole(indices.at(i, 0)));
      rows.values.push_back(values.at(i, 0));
    }
    check(rows);
    return rows;
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw FormatError(fmt::format(
        "{}: {}; save it with scipy.sparse.save_npz from a csr_matrix with sorted indices", name_,
        problem));
  }

  std::uint32_t whole(float value) const {
    if (!(value >= 0 && value < kExact) || value != std::floor(value)) {
      fail(fmt::format("{} is not a whole number below 2^24", value));
    }
    return static_cast<std::uint32_t>(value);
  }

  void check(const SparseMatrix& rows) const {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (rows.starts[i] > rows.starts[i + 1]) fail("indptr goes down");
      for (std::uint64_t c = rows.starts[i]; c < rows.starts[i + 1]; ++c) {
        const bool ascending = c == rows.starts[i] || rows.indices[c - 1] < rows.indices[c];
        if (!ascending || rows.indices[c] >= rows.columns) {
          fail(
              fmt::format("the columns of row {} are not ascending below {}", i + 1, rows.columns));
        }
      }
    }
  }

  std::string name_;
  std::unique_ptr<MemorySource> bytes_;
};

}  // namespace

SparseMatrix read_sparse(const std::filesystem::path& path) {
  return CsrArrays(path).read();
}

}  // namespace mbn
