// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/options.hpp>
#include <mbn/pool.hpp>
#include <mbn/rows.hpp>

namespace mbn {

/// The rows that a network is made from.
struct Pool {
  std::vector<std::uint32_t> numbers;  ///< among all rows, ascending; empty: all
  Rows rows;                           ///< a copy of these, or a view of all

  bool is_part() const { return !numbers.empty(); }
};

/// `all` must outlive it. InvalidArgument when there are more rows than can be numbered.
Pool draw_pool(RowsView all, const FitOptions& options);

}  // namespace mbn
