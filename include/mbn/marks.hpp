// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <mbn/column_coding.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

namespace mbn {

/// A column that sets the rows of a cluster apart from all other rows.
struct Mark {
  std::uint32_t column = 0;
  /// The mean inside minus the mean outside, in standard deviations of the whole column.
  double effect = 0;
  double inside = 0;
  double outside = 0;

  bool operator==(const Mark&) const = default;
};

struct ClusterMarks {
  std::uint64_t rows = 0;
  std::vector<Mark> marks;  ///< strongest first

  bool operator==(const ClusterMarks&) const = default;
};

/// What sets each of `clusters` clusters apart: at most `count` columns whose effect is at least a
/// quarter of a standard deviation. Of sparse rows (words, genes) the means are shares of rows in
/// which the column is not zero, and only columns that a cluster has more often are marks.
/// `labels` has a number below `clusters` for each row; negative: the row is in none.
std::vector<ClusterMarks> cluster_marks(RowsView rows, std::span<const std::int32_t> labels,
                                        std::uint32_t clusters, std::uint32_t count = 5,
                                        const RunOptions& run = {});

/// A sentence: "high petal length (5.55, others 2.64), low sepal width (2.77, others 3.18)", or for
/// shares "car (62 % of its rows, 3 % of the others), engine (41 %, 2 %)". Empty without marks.
/// A column without a name is called by its number, from 1. With the coding of the columns, levels
/// have shares, "colour = red (80 %, others 12 %)", and dates are written as dates.
std::string describe(const ClusterMarks& cluster, std::span<const std::string> columns,
                     bool shares = false, const TableCoding& coding = {});

}  // namespace mbn
