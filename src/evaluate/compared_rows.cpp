// SPDX-License-Identifier: Apache-2.0
#include "evaluate/compared_rows.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include <fmt/format.h>

#include <mbn/error.hpp>

#include "base/random.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"
#include "rows/row_change.hpp"
#include "search/cosine.hpp"

namespace mbn {

namespace {

// In float32, as the distances of rows/metric.hpp want them, changed by the metric.
Matrix changed_rows(MatrixView rows, Metric metric) {
  Matrix changed(rows.rows(), rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    copy_row(rows, i, changed.mutable_row<float>(i));
    change_row(metric, changed.mutable_row<float>(i), rows.columns());
  }
  return changed;
}

}  // namespace

ComparedRows::ComparedRows(MatrixView rows, Metric metric)
    : view_(rows), metric_(has_dot_form(metric) ? Metric::euclidean : metric) {
  if (metric == Metric::euclidean) return;
  if (metric == Metric::precomputed) {
    throw InvalidArgument(ErrorCode::conflict,
                          {option("metric", "precomputed"),
                           " is for networks; scores compare the rows that distances come from"},
                          {.option = "metric", .value = "precomputed"});
  }
  require_values_for(metric, rows);
  if (metric == Metric::cosine) {
    changed_ = unit_rows(rows, "the data");
  } else if (changes_rows(metric) || rows.type() != ElementType::float32) {
    changed_ = changed_rows(rows, metric);
  } else {
    return;
  }
  view_ = changed_;
}

void require_usable(double distance, const char* what, std::size_t row, std::size_t other) {
  if (std::isfinite(distance)) return;
  throw InvalidArgument(
      ErrorCode::not_finite,
      fmt::format("the {} has no distance between rows {} and {} (counted from 0): a cell is not "
                  "finite or too large; replace such cells first",
                  what, row, other),
      {.place = {.row = row + 1}});
}

double squared_distance(MatrixView rows, std::size_t a, std::size_t b, const char* what) {
  const double distance = rows.visit([&](auto* cells) {
    using T = std::remove_cvref_t<decltype(*cells)>;
    return squared_distance(rows.row<T>(a), rows.row<T>(b), rows.columns());
  });
  require_usable(distance, what, a, b);
  return distance;
}

double compared_distance(MatrixView rows, Metric metric, std::size_t a, std::size_t b,
                         const char* what) {
  if (metric == Metric::euclidean) return squared_distance(rows, a, b, what);
  const double d = distance(metric, rows.row<float>(a), rows.row<float>(b), rows.columns());
  require_usable(d, what, a, b);
  return d;
}

void require_pair(MatrixView data, MatrixView embedding) {
  if (data.rows() != embedding.rows()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format(
            "the data has {} rows but the embedding has {}; give the embedding of this data",
            data.rows(), embedding.rows()));
  }
  if (data.rows() == 0 || data.columns() == 0 || embedding.columns() == 0) {
    throw InvalidArgument(
        ErrorCode::too_small,
        fmt::format("data of {} x {} and an embedding of {} x {} have no neighbourhoods; give at "
                    "least one row and one column",
                    data.rows(), data.columns(), embedding.rows(), embedding.columns()));
  }
  if (data.rows() > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument(ErrorCode::too_large,
                          fmt::format("{} rows are too many to score; give at most {}", data.rows(),
                                      std::numeric_limits<std::uint32_t>::max()));
  }
}

void require_labels(std::span<const std::int32_t> labels, std::size_t rows) {
  if (labels.size() == rows) return;
  throw InvalidArgument(
      ErrorCode::does_not_fit,
      fmt::format("there are {} labels for {} rows; give one for every row", labels.size(), rows));
}

std::vector<std::uint32_t> sampled_rows(std::size_t rows, std::uint32_t sample) {
  const auto count = static_cast<std::uint32_t>(rows);
  if (sample != 0 && sample < count) {
    Random random(0, Purpose::sample);
    return draw_without_replacement(random, count, sample);
  }
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace mbn
