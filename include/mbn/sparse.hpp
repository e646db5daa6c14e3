// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mbn {

/// Rows of which most cells are zero, as compressed rows (CSR): the nonzeros of row i are in the
/// columns `indices[starts[i]] .. indices[starts[i + 1] - 1]`, strictly ascending within a row,
/// with their values at the same places of `values`. Does not own the arrays; valid while the owner
/// lives.
class SparseView {
 public:
  SparseView() = default;
  /// `starts` has one number more than there are rows and begins with any number, so that a slice
  /// of rows is a view too.
  SparseView(std::span<const std::uint64_t> starts, std::span<const std::uint32_t> indices,
             std::span<const float> values, std::size_t columns)
      : starts_(starts), indices_(indices), values_(values), columns_(columns) {}

  std::size_t rows() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  std::size_t columns() const { return columns_; }
  /// Stored entries; the readers store no zeros.
  std::uint64_t nonzeros() const { return rows() == 0 ? 0 : starts_.back() - starts_.front(); }

  std::span<const std::uint32_t> indices(std::size_t row) const {
    return indices_.subspan(starts_[row], starts_[row + 1] - starts_[row]);
  }
  std::span<const float> values(std::size_t row) const {
    return values_.subspan(starts_[row], starts_[row + 1] - starts_[row]);
  }

  /// The `count` rows that begin with row `first`.
  SparseView slice(std::size_t first, std::size_t count) const {
    assert(first + count <= rows());
    return {starts_.subspan(first, count + 1), indices_, values_, columns_};
  }

 private:
  std::span<const std::uint64_t> starts_;
  std::span<const std::uint32_t> indices_;
  std::span<const float> values_;
  std::size_t columns_ = 0;
};

/// Bytes of compressed rows with this many nonzeros.
constexpr std::uint64_t sparse_bytes(std::uint64_t nonzeros, std::uint64_t rows) {
  return nonzeros * (sizeof(std::uint32_t) + sizeof(float)) + (rows + 1) * sizeof(std::uint64_t);
}

/// Compressed rows that own their memory, which grows with the number of nonzeros.
struct SparseMatrix {
  std::size_t columns = 0;
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> indices;
  std::vector<float> values;

  std::size_t rows() const { return starts.size() - 1; }
  SparseView view() const { return {starts, indices, values, columns}; }
  // NOLINTNEXTLINE(google-explicit-constructor): a matrix is a view wherever one is asked for.
  operator SparseView() const { return view(); }
  bool operator==(const SparseMatrix&) const = default;
};

}  // namespace mbn
