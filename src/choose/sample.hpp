// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "rows/kinds.hpp"

namespace mbn {

/// A random sample of rows for pilots, prepared as the network would prepare them, and the options
/// of a network for this few rows: no pool, and a number of clusters.
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

/// Whether columns differ so much in size that their units decide the distances: the largest
/// standard deviation is more than 5 times the usual one. For dense rows.
bool columns_differ_in_size(RowsView rows, Job& job);

}  // namespace mbn
