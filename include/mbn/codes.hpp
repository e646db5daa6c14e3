// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

namespace mbn {

/// The output of a layer: for every row and clustering, the number of the drawn row nearest to it,
/// 0 .. centroids-1 in drawn order. Row-major, in the smallest unsigned type that fits.
class CodeMatrix {
 public:
  CodeMatrix() = default;
  CodeMatrix(std::size_t rows, std::size_t clusterings, std::size_t centroids)
      : rows_(rows), clusterings_(clusterings), centroids_(centroids) {
    if (element_bytes(centroids) == 1) {
      cells_.emplace<std::vector<std::uint8_t>>(rows * clusterings);
    } else if (element_bytes(centroids) == 2) {
      cells_.emplace<std::vector<std::uint16_t>>(rows * clusterings);
    } else {
      cells_.emplace<std::vector<std::uint32_t>>(rows * clusterings);
    }
  }

  /// Bytes of one code when each clustering has `centroids` drawn rows.
  static constexpr std::size_t element_bytes(std::size_t centroids) {
    if (centroids <= std::size_t{std::numeric_limits<std::uint8_t>::max()} + 1) return 1;
    if (centroids <= std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1) return 2;
    return 4;
  }

  std::size_t rows() const { return rows_; }
  std::size_t clusterings() const { return clusterings_; }
  /// Number of drawn rows per clustering: every code is below it.
  std::size_t centroids() const { return centroids_; }
  std::size_t bytes() const { return rows_ * clusterings_ * element_bytes(centroids_); }

  /// Calls `body(cells)` with a pointer to the first code, typed uint8_t, uint16_t or uint32_t.
  template <class Body>
  decltype(auto) visit(Body&& body) const {
    return std::visit([&](const auto& cells) { return body(cells.data()); }, cells_);
  }
  template <class Body>
  decltype(auto) visit(Body&& body) {
    return std::visit([&](auto& cells) { return body(cells.data()); }, cells_);
  }

  std::uint32_t at(std::size_t row, std::size_t clustering) const {
    assert(row < rows_ && clustering < clusterings_);
    return visit([&](const auto* cells) {
      return static_cast<std::uint32_t>(cells[row * clusterings_ + clustering]);
    });
  }

  /// Writes all rows of `source`, codes of the same layer, from row `first` on.
  void copy_rows(std::size_t first, const CodeMatrix& source) {
    assert(source.clusterings_ == clusterings_ && source.centroids_ == centroids_ &&
           first + source.rows_ <= rows_);
    std::visit(
        [&](auto& cells) {
          const auto& from = std::get<std::remove_reference_t<decltype(cells)>>(source.cells_);
          std::copy(from.begin(), from.end(), cells.begin() + first * clusterings_);
        },
        cells_);
  }

  /// The rows with these numbers, in this order.
  CodeMatrix gather(std::span<const std::uint32_t> numbers) const {
    CodeMatrix gathered(numbers.size(), clusterings_, centroids_);
    std::visit(
        [&](auto& cells) {
          const auto& from = std::get<std::remove_reference_t<decltype(cells)>>(cells_);
          auto out = cells.begin();
          for (const std::uint32_t row : numbers) {
            out = std::copy_n(from.begin() + row * clusterings_, clusterings_, out);
          }
        },
        gathered.cells_);
    return gathered;
  }

  bool operator==(const CodeMatrix&) const = default;

 private:
  std::size_t rows_ = 0;
  std::size_t clusterings_ = 0;
  std::size_t centroids_ = 0;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>
      cells_;
};

}  // namespace mbn
