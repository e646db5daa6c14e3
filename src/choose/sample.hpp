// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "rows/kinds.hpp"

namespace mbn {

/// Rows drawn at random for pilots, prepared as the network would prepare them, and the options of
/// a network for so few rows: the same shape, no pool, a number of clusters.
class Sample {
 public:
  Sample(RowsView rows, const FitOptions& options, std::size_t most, Job& job);

  RowsView rows() const { return prepared_.view(); }
  const FitOptions& options() const { return options_; }

 private:
  Rows drawn_;
  Rows worked_on_;
  Rows prepared_;
  FitOptions options_;
};

/// Whether columns are so different in size that the choice of units would decide: the largest
/// deviation is more than 5 times the usual one. Never for sparse rows, for bytes, and for more
/// than 200 columns, which are rarely 200 different quantities.
bool columns_differ_in_size(RowsView rows, Job& job);

}  // namespace mbn
