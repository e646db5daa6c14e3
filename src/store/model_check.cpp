// SPDX-License-Identifier: Apache-2.0
//
// What the network later relies on: indices in range, rows drawn once, columns in order, codes
// below their bound, finite numbers. Each check is one pass over a tensor, which costs less than
// reading it from the disk.
//
// Rows drawn twice by one clustering are found with a mark per kept row: the last clustering that
// drew it. A mark that was never set is a kept row that no clustering drew.
#include "store/model_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <mbn/selection.hpp>

#include "map/joint_space.hpp"
#include "rows/metric.hpp"
#include "rows/row_change.hpp"

namespace mbn {

namespace {

template <class T>
void check_all_finite(const TensorReader& file, const std::string& tensor,
                      std::span<const T> values, std::size_t first = 0) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    file.fail(fmt::format("tensor '{}' has the value {} at element {}; all must be finite", tensor,
                          values[i], first + i));
  }
}

void check_drawn_rows(const TensorReader& file, const std::string& layer, const Draws& draws,
                      std::uint64_t kept_rows) {
  std::vector<std::uint32_t> drawn_by(kept_rows, 0);  // clustering + 1; 0: none
  for (std::uint32_t v = 0; v < draws.clusterings; ++v) {
    for (const std::uint32_t row : draws.rows_of(v)) {
      if (row >= kept_rows) {
        file.fail(fmt::format(
            "'{}.rows' names kept row {} in clustering {}, but there are only {} kept rows", layer,
            row, v, kept_rows));
      }
      if (drawn_by[row] == v + 1) {
        file.fail(fmt::format("'{}.rows' names kept row {} twice in clustering {}", layer, row, v));
      }
      drawn_by[row] = v + 1;
    }
  }
  for (std::size_t row = 0; row < drawn_by.size(); ++row) {
    if (drawn_by[row] != 0) continue;
    file.fail(fmt::format("'{}.pool' has a row {} that no clustering drew", layer, row));
  }
}

void check_drawn_columns(const TensorReader& file, const std::string& layer, const Draws& draws,
                         std::uint64_t input_columns) {
  for (std::uint32_t v = 0; v < draws.clusterings; ++v) {
    std::uint64_t lowest = 0;  // that the next column may be
    for (const std::uint32_t column : draws.columns_of(v)) {
      if (column >= input_columns) {
        file.fail(
            fmt::format("'{}.columns' names column {} in clustering {}, but the layer's "
                        "input has {} columns",
                        layer, column, v, input_columns));
      }
      if (column < lowest) {
        file.fail(fmt::format("'{}.columns' does not ascend at column {} in clustering {}", layer,
                              column, v));
      }
      lowest = std::uint64_t{column} + 1;
    }
  }
}

}  // namespace

void check_finite(const TensorReader& file, const std::string& tensor,
                  std::span<const float> values) {
  check_all_finite(file, tensor, values);
}

void check_finite(const TensorReader& file, const std::string& tensor,
                  std::span<const double> values) {
  check_all_finite(file, tensor, values);
}

void check_cells(const TensorReader& file, const std::string& tensor, MatrixView rows,
                 bool partial) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::span row(rows.row<float>(i), rows.columns());
    const auto there = [](float cell) { return !std::isnan(cell); };
    if (!partial || std::ranges::all_of(row, there)) {
      check_all_finite<float>(file, tensor, row, i * rows.columns());
    } else if (std::ranges::none_of(row, there)) {
      file.fail(fmt::format("tensor '{}' has no value in row {}", tensor, i));
    } else if (std::ranges::any_of(row, [](float cell) { return std::isinf(cell); })) {
      file.fail(fmt::format("tensor '{}' has an infinite value in row {}", tensor, i));
    }
  }
}

void check_votes(const TensorReader& file, const Matrix& votes) {
  const std::span shares(votes.row<float>(0), votes.rows() * votes.columns());
  const auto is_share = [](float vote) { return vote >= 0 && vote <= 1; };
  if (!std::ranges::all_of(shares, is_share)) file.fail("a vote is not a share from 0 to 1");
}

void check_walk(const TensorReader& file, std::span<const double> values, std::uint64_t kept_rows) {
  const bool whole = values[0] >= 1 && values[0] <= static_cast<double>(kept_rows) &&
                     values[0] == std::floor(values[0]);
  if (!whole || values[1] < 0 || values[2] < 0 || values[3] < 0 || values[3] > 1 ||
      (values.size() > 4 && values[4] < 0)) {
    file.fail(
        fmt::format("tensor 'bottom.search' is [{}]; it must hold a list length from 1 to "
                    "{}, two numbers from 0 up, a share, and a number from 0 up",
                    fmt::join(values, ", "), kept_rows));
  }
}

void check_draws(const TensorReader& file, const std::string& layer, const Draws& draws,
                 std::uint64_t kept_rows, std::uint64_t input_columns) {
  check_drawn_rows(file, layer, draws, kept_rows);
  check_drawn_columns(file, layer, draws, input_columns);
}

RankingDirections ranking_directions_from(const TensorReader& file, std::span<const float> values,
                                          std::uint64_t columns) {
  RankingDirections directions;
  bool whole = true;
  for (const float value : values) {
    whole &= value >= -32768 && value <= 32767 && value == std::floor(value);
  }
  if (whole) {
    const auto centre_end = values.begin() + static_cast<std::ptrdiff_t>(columns);
    directions.count = static_cast<std::uint32_t>(values.size() / columns - 1);
    directions.centre.assign(values.begin(), centre_end);
    directions.cells.assign(centre_end, values.end());
  }
  if (!whole || directions.count == 0 || directions.count % 2 != 0 || !directions.sound()) {
    file.fail("tensor 'bottom.directions' does not hold orthogonal directions in whole numbers");
  }
  return directions;
}

void check_sparse(const TensorReader& file, const std::string& tensor, const SparseMatrix& rows) {
  check_all_finite<float>(file, tensor + ".values", rows.values);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::uint64_t lowest = 0;  // that the next column may be
    for (const std::uint32_t column : rows.view().indices(i)) {
      if (column >= rows.columns) {
        file.fail(fmt::format("'{}.indices' names column {} in row {}, but there are {} columns",
                              tensor, column, i, rows.columns));
      }
      if (column < lowest) {
        file.fail(
            fmt::format("'{}.indices' does not ascend at column {} in row {}", tensor, column, i));
      }
      lowest = std::uint64_t{column} + 1;
    }
  }
}

void check_codes(const TensorReader& file, const std::string& tensor, const CodeMatrix& codes) {
  codes.visit([&](const auto* cells) {
    const std::size_t count = codes.rows() * codes.clusterings();
    // A loop without exits is several times as fast. Another one looks for the place.
    auto highest = cells[0];
    for (std::size_t i = 1; i < count; ++i) highest = std::max(highest, cells[i]);
    if (highest < codes.centroids()) return;
    for (std::size_t i = 0; i < count; ++i) {
      if (cells[i] < codes.centroids()) continue;
      file.fail(fmt::format("tensor '{}' has the code {} in row {}, but its layer has {} centroids",
                            tensor, cells[i], i / codes.clusterings(), codes.centroids()));
    }
  });
}

void check_options(const TensorReader& file, const FitOptions& options) {
  if (!options.clusterings) file.fail("the options leave the clusterings open");
  if (is_open(options) || !options.decay || !options.feature_fraction) {
    file.fail(
        "the options leave decay, scale, feature fraction or clusters open; a trained network has "
        "them");
  }
  if ((options.scale != Scale::none && !allows_scale(options.metric)) ||
      (options.directions.is_number() && !has_dot_form(options.metric)) ||
      (options.metric == Metric::precomputed && options.weighting != Weighting::counts)) {
    file.fail("the options have a metric that is not for scaled columns or directions");
  }
}

void check_joint_space(const TensorReader& file, const JointSpace& space) {
  constexpr double kLargestFactor = 1e30;
  for (const double factor : {space.input_factor, space.network_factor}) {
    if (factor >= 0 && factor <= kLargestFactor) continue;
    file.fail(fmt::format("tensor 'map.factors' holds {}; a factor is from 0 to {}", factor,
                          kLargestFactor));
  }
  const std::uint32_t directions = space.input.directions.count();
  if (directions <= kMapDirections) return;
  file.fail(fmt::format("tensor 'map.directions.basis' has {} columns; it has {} at most",
                        directions, kMapDirections));
}

}  // namespace mbn
