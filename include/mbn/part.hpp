// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/input.hpp>

namespace mbn {

/// Part `number` (from 1) of `count` random parts of some rows. The parts share no row and differ
/// in size by one at most; which rows a part holds depends on these numbers and on how many rows
/// there are, so that data, labels and groups from different files are divided alike.
struct Part {
  std::uint32_t number = 1;
  std::uint32_t count = 1;
  std::uint64_t seed = 0;

  bool whole() const { return count == 1; }
  /// The numbers of the part's rows, of `all` rows, ascending. InvalidArgument when `number` is not
  /// in 1 .. count or there are fewer rows than parts.
  std::vector<std::uint32_t> rows(std::size_t all) const;
};

/// These rows, in this order.
Table gather_rows(const Table& table, std::span<const std::uint32_t> rows);
Labels gather_rows(const Labels& labels, std::span<const std::uint32_t> rows);
SparseMatrix gather_rows(SparseView sparse, std::span<const std::uint32_t> rows);

}  // namespace mbn
