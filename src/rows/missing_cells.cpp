// SPDX-License-Identifier: Apache-2.0
#include "rows/missing_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <mbn/error.hpp>

#include "rows/scaler.hpp"

namespace mbn {

namespace {

constexpr std::size_t kBlockRows = 1024;

bool may_have_missing(RowsView rows) {
  return !rows.is_sparse() && rows.dense().type() == ElementType::float32;
}

[[noreturn]] void refuse_sparse() {
  throw InvalidArgument(
      ErrorCode::sparse_rows,
      {option("missing", "partial"),
       " is for dense rows: in sparse rows a cell that is not there is zero; leave it out, or give "
       "dense rows with NaN where a value is missing"},
      {.option = "missing", .value = "partial"});
}

[[noreturn]] void refuse_row(std::size_t row) {
  throw InvalidArgument(
      ErrorCode::not_finite,
      fmt::format("row {} (counted from 1) has no value at all, so it cannot be compared with any "
                  "other; remove such rows",
                  row + 1),
      {.place = {.row = row + 1}});
}

void check_row(const float* row, std::size_t number, std::size_t columns) {
  std::size_t missing = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    if (std::isnan(row[j])) {
      ++missing;
    } else if (!std::isfinite(row[j])) {
      refuse_cell(number, j, row[j]);
    }
  }
  if (missing == columns && columns > 0) refuse_row(number);
}

}  // namespace

bool has_missing(const float* row, std::size_t columns) {
  return std::any_of(row, row + columns, [](float value) { return std::isnan(value); });
}

bool has_missing(MatrixView rows, std::size_t row) {
  return rows.type() == ElementType::float32 && has_missing(rows.row<float>(row), rows.columns());
}

bool has_missing(RowsView rows) {
  if (!may_have_missing(rows)) return false;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (has_missing(rows.dense(), i)) return true;
  }
  return false;
}

void require_values(RowsView rows, MissingValues missing, Job& job) {
  if (missing == MissingValues::refuse) return require_finite(rows, job);
  if (rows.is_sparse()) refuse_sparse();
  if (!may_have_missing(rows)) return;
  const MatrixView cells = rows.dense();
  job.parallel(blocks(rows.rows(), kBlockRows), [&](std::size_t task, unsigned) {
    const std::size_t end = std::min(rows.rows(), (task + 1) * kBlockRows);
    for (std::size_t i = task * kBlockRows; i < end; ++i) {
      check_row(cells.row<float>(i), i, cells.columns());
    }
  });
}

void require_training_values(RowsView rows, MissingValues missing, Job& job) {
  require_values(rows, missing, job);
  if (missing == MissingValues::refuse || !may_have_missing(rows) || rows.rows() == 0) return;
  std::vector<bool> found(rows.columns());
  std::size_t empty = rows.columns();
  for (std::size_t i = 0; i < rows.rows() && empty > 0; ++i) {
    const float* row = rows.dense().row<float>(i);
    for (std::size_t j = 0; j < found.size(); ++j) {
      if (found[j] || std::isnan(row[j])) continue;
      found[j] = true;
      --empty;
    }
  }
  if (empty == 0) return;
  const auto column =
      static_cast<std::size_t>(std::find(found.begin(), found.end(), false) - found.begin());
  throw InvalidArgument(
      ErrorCode::not_finite,
      {fmt::format("column {} (counted from 1) has no value in any row; leave it out", column + 1)},
      {.place = {.column = column + 1}});
}

CellMoments moments_of_cells(MatrixView rows) {
  const std::size_t columns = rows.columns();
  CellMoments moments{std::vector<double>(columns), std::vector<double>(columns)};
  std::vector<double> count(columns);
  const auto for_each_cell = [&](auto&& body) {
    rows.visit([&](const auto* first) {
      for (std::size_t i = 0; i < rows.rows(); ++i) {
        const auto* row = first + i * rows.row_stride();
        for (std::size_t j = 0; j < columns; ++j) {
          const auto value = static_cast<double>(row[j]);
          if (!std::isnan(value)) body(j, value);
        }
      }
    });
  };
  for_each_cell([&](std::size_t j, double value) {
    moments.mean[j] += value;
    count[j] += 1;
  });
  for (std::size_t j = 0; j < columns; ++j) moments.mean[j] /= std::max(1.0, count[j]);
  for_each_cell([&](std::size_t j, double value) {
    const double difference = value - moments.mean[j];
    moments.variance[j] += difference * difference;
  });
  for (std::size_t j = 0; j < columns; ++j) moments.variance[j] /= std::max(1.0, count[j]);
  return moments;
}

}  // namespace mbn
