// SPDX-License-Identifier: Apache-2.0
//
// Clusters are split among threads, rows are not, so that sums are the same for any number of
// threads.
#include "describe/cluster_means.hpp"

#include <cmath>
#include <vector>

#include "rows/gather.hpp"

namespace mbn {

namespace {

void add_row(RowsView rows, std::size_t row, std::vector<float>& cells, std::vector<double>& sum,
             std::vector<std::uint64_t>& missing) {
  if (rows.is_sparse()) {
    const auto columns = rows.sparse().indices(row);
    for (std::size_t n = 0; n < columns.size(); ++n) {
      sum[columns[n]] += double{rows.sparse().values(row)[n]};
    }
    return;
  }
  copy_row(rows.dense(), row, cells.data());
  for (std::size_t j = 0; j < cells.size(); ++j) {
    if (std::isnan(cells[j])) {
      ++missing[j];
    } else {
      sum[j] += double{cells[j]};
    }
  }
}

}  // namespace

Matrix cluster_means(RowsView rows, std::span<const std::int32_t> labels, std::uint32_t clusters,
                     Job& job) {
  Matrix means(clusters, rows.columns());
  job.parallel(clusters, [&](std::size_t cluster, unsigned) {
    std::vector<float> cells(rows.columns());
    std::vector<double> sum(rows.columns());
    std::vector<std::uint64_t> missing(rows.columns());
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (labels[i] != static_cast<std::int32_t>(cluster)) continue;
      ++count;
      add_row(rows, i, cells, sum, missing);
    }
    float* const out = means.mutable_row<float>(cluster);
    for (std::size_t j = 0; j < sum.size(); ++j) {
      if (count > missing[j]) out[j] = static_cast<float>(sum[j] / double(count - missing[j]));
    }
  });
  return means;
}

}  // namespace mbn
