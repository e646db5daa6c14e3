// SPDX-License-Identifier: Apache-2.0
//
// Column statistics are computed for blocks of rows, each block by one task, and the results are
// merged in order of the blocks: the same sums for any number of threads. Mean and variance are
// merged by
//
//     delta = mean_b - mean_a,   M2 = M2_a + M2_b + delta^2 n_a n_b / (n_a + n_b)
//
// (Chan et al.), with M2 the sum of squared deviations, which loses no digits when a column has a
// large mean. Missing cells (NaN) are left out: n counts the cells that are there.
#include "rows/scaler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <mbn/error.hpp>

#include "rows/row_change.hpp"

namespace mbn {

namespace {

constexpr std::size_t kBlockRows = 1024;

struct BlockStatistics {
  std::vector<double> mean, squares, minimum, maximum, count;
};

// Takes missing cells off the counts of their columns.
void count_cells(MatrixView block, std::vector<double>& count) {
  if (block.type() != ElementType::float32) return;
  for (std::size_t i = 0; i < block.rows(); ++i) {
    const float* row = block.row<float>(i);
    for (std::size_t j = 0; j < count.size(); ++j) {
      if (std::isnan(row[j])) count[j] -= 1;
    }
  }
}

// Two passes over a block that is still in the cache.
BlockStatistics block_statistics(MatrixView block) {
  const std::size_t columns = block.columns();
  BlockStatistics result{std::vector<double>(columns), std::vector<double>(columns),
                         std::vector<double>(columns, std::numeric_limits<double>::infinity()),
                         std::vector<double>(columns, -std::numeric_limits<double>::infinity()),
                         std::vector<double>(columns, static_cast<double>(block.rows()))};
  block.visit([&](const auto* first) {
    const auto for_each_cell = [&](auto&& body) {
      for (std::size_t i = 0; i < block.rows(); ++i) {
        const auto* row = first + i * block.row_stride();
        for (std::size_t j = 0; j < columns; ++j) {
          const auto value = static_cast<double>(row[j]);
          if (!std::isnan(value)) body(j, value);
        }
      }
    };
    count_cells(block, result.count);
    for_each_cell([&](std::size_t j, double value) {
      result.mean[j] += value;
      result.minimum[j] = std::min(result.minimum[j], value);
      result.maximum[j] = std::max(result.maximum[j], value);
    });
    for (std::size_t j = 0; j < columns; ++j) result.mean[j] /= std::max(1.0, result.count[j]);
    for_each_cell([&](std::size_t j, double value) {
      const double difference = value - result.mean[j];
      result.squares[j] += difference * difference;
    });
  });
  return result;
}

void merge(BlockStatistics& all, const BlockStatistics& block) {
  for (std::size_t j = 0; j < all.mean.size(); ++j) {
    const double cells = all.count[j] + block.count[j];
    if (cells == 0) continue;
    const double delta = block.mean[j] - all.mean[j];
    all.mean[j] += delta * block.count[j] / cells;
    all.squares[j] += block.squares[j] + delta * delta * all.count[j] * block.count[j] / cells;
    all.count[j] = cells;
    all.minimum[j] = std::min(all.minimum[j], block.minimum[j]);
    all.maximum[j] = std::max(all.maximum[j], block.maximum[j]);
  }
}

}  // namespace

namespace {

// Sums over the nonzeros only; the zeros are added at the end by their number.
ColumnStatistics sparse_statistics(SparseView rows) {
  const auto count = static_cast<double>(rows.rows());
  ColumnStatistics result{std::vector<double>(rows.columns()), std::vector<double>(rows.columns()),
                          std::vector<double>(rows.columns()), std::vector<double>(rows.columns())};
  std::vector<std::uint64_t> nonzeros(rows.columns());
  const auto for_each_cell = [&](auto&& body) {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const auto at = rows.indices(i);
      const auto values = rows.values(i);
      for (std::size_t n = 0; n < at.size(); ++n) body(at[n], static_cast<double>(values[n]));
    }
  };
  for_each_cell([&](std::size_t j, double value) {
    result.mean[j] += value;
    result.minimum[j] = nonzeros[j] == 0 ? value : std::min(result.minimum[j], value);
    result.maximum[j] = nonzeros[j] == 0 ? value : std::max(result.maximum[j], value);
    ++nonzeros[j];
  });
  for (double& mean : result.mean) mean /= count;
  for_each_cell([&](std::size_t j, double value) {
    result.variance[j] += (value - result.mean[j]) * (value - result.mean[j]);
  });
  for (std::size_t j = 0; j < rows.columns(); ++j) {
    const double zeros = count - static_cast<double>(nonzeros[j]);
    result.variance[j] = (result.variance[j] + zeros * result.mean[j] * result.mean[j]) / count;
    if (zeros == 0) continue;
    result.minimum[j] = std::min(result.minimum[j], 0.0);
    result.maximum[j] = std::max(result.maximum[j], 0.0);
  }
  return result;
}

}  // namespace

ColumnStatistics column_statistics(RowsView given, Job& job) {
  if (given.is_sparse()) return sparse_statistics(given.sparse());
  const MatrixView rows = given.dense();
  // Blocks are handled in groups, so that memory does not grow with the number of rows.
  const std::size_t group = std::size_t{job.threads()} * 4;
  const std::size_t all_blocks = blocks(rows.rows(), kBlockRows);
  BlockStatistics all;
  for (std::size_t base = 0; base < all_blocks; base += group) {
    const std::size_t count = std::min(group, all_blocks - base);
    std::vector<BlockStatistics> parts(count);
    const auto block_of = [&](std::size_t t) {
      const std::size_t first = (base + t) * kBlockRows;
      return rows.slice(first, std::min(kBlockRows, rows.rows() - first));
    };
    job.parallel(count, [&](std::size_t t, unsigned) { parts[t] = block_statistics(block_of(t)); });
    for (std::size_t t = 0; t < count; ++t) {
      if (base + t == 0) {
        all = std::move(parts[0]);
      } else {
        merge(all, parts[t]);
      }
    }
  }
  for (std::size_t j = 0; j < all.squares.size(); ++j) {
    all.squares[j] /= std::max(1.0, all.count[j]);
  }
  return {std::move(all.mean), std::move(all.squares), std::move(all.minimum),
          std::move(all.maximum)};
}

namespace {

// Two random rows differ in a category with levels of shares p_j by 2 (1 - sum p_j^2) on average,
// which is twice the sum of the variances; in a column of variance 1 by 2. But the nearest of many
// rows differ by far less than that in numbers, and in a category by all or nothing, so that it
// would decide who is near: it gets half the factor (docs/adr/0029-columns-of-words.md), which is
// the weight of its block.
void scale_block(const ColumnStatistics& statistics, const ColumnBlock& block, Scaler& scaler) {
  double variance = 0;
  for (std::size_t j = block.first; j < block.first + block.count; ++j) {
    variance += statistics.variance[j];
  }
  // A boolean is a category of two levels of which one column is left out.
  const double range = block.count == 1 ? 1.0 : std::sqrt(0.5);
  const double wanted =
      scaler.scale == Scale::standard ? double{block.weight} / std::sqrt(variance) : range;
  const double factor = variance > 0 && std::isfinite(wanted) ? wanted : 0.0;
  std::fill_n(scaler.factor.begin() + block.first, block.count, factor);
}

}  // namespace

Scaler make_scaler(const ColumnStatistics& statistics, Scale scale, Metric metric,
                   std::span<const ColumnBlock> blocks) {
  Scaler scaler{scale, metric, {}, {}};
  if (scale == Scale::none) return scaler;
  const std::size_t columns = statistics.mean.size();
  scaler.shift = scale == Scale::standard ? statistics.mean : statistics.minimum;
  scaler.factor.resize(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const double spread = scale == Scale::standard ? std::sqrt(statistics.variance[j])
                                                   : statistics.maximum[j] - statistics.minimum[j];
    // A constant column becomes zeros, also in new rows: the network learned nothing from it. So
    // does a column whose spread is too small to divide by.
    const bool constant = statistics.maximum[j] == statistics.minimum[j];
    const double factor = 1.0 / spread;
    scaler.factor[j] = constant || !std::isfinite(factor) ? 0.0 : factor;
  }
  for (const ColumnBlock& block : blocks) scale_block(statistics, block, scaler);
  return scaler;
}

void scale_row(const Scaler& scaler, float* row, std::size_t columns) {
  if (scaler.scale != Scale::none) {
    for (std::size_t j = 0; j < columns; ++j) {
      row[j] = static_cast<float>((double{row[j]} - scaler.shift[j]) * scaler.factor[j]);
    }
  }
  change_row(scaler.metric, row, columns);
}

void refuse_cell(std::size_t row, std::size_t column, float value) {
  const std::string seen = fmt::to_string(value);
  Message message{fmt::format("row {}, column {} (counted from 1) is ", row + 1, column + 1),
                  option_value(seen),
                  "; every value must be finite: remove such rows or fill them in"};
  if (std::isnan(value)) {
    message += Message{", as the reader of files does with ",
                       option("missing", "drop"),
                       " or ",
                       option("missing", "mean"),
                       "; a network takes such rows when it is trained with ",
                       option("missing", "partial")};
  }
  throw InvalidArgument(ErrorCode::not_finite, std::move(message),
                        {.value = seen, .place = {.row = row + 1, .column = column + 1}});
}

void require_finite(RowsView given, Job& job) {
  if (given.is_sparse()) {
    require_sound(given.sparse());
    for (std::size_t i = 0; i < given.rows(); ++i) {
      const auto values = given.sparse().values(i);
      for (std::size_t n = 0; n < values.size(); ++n) {
        if (!std::isfinite(values[n])) refuse_cell(i, given.sparse().indices(i)[n], values[n]);
      }
    }
    return;
  }
  const MatrixView rows = given.dense();
  if (rows.type() != ElementType::float32) return;
  job.parallel(blocks(rows.rows(), kBlockRows), [&](std::size_t task, unsigned) {
    const std::size_t end = std::min(rows.rows(), (task + 1) * kBlockRows);
    for (std::size_t i = task * kBlockRows; i < end; ++i) {
      const float* row = rows.row<float>(i);
      for (std::size_t j = 0; j < rows.columns(); ++j) {
        if (std::isfinite(row[j])) continue;
        refuse_cell(i, j, row[j]);
      }
    }
  });
}

std::optional<Message> dominance_note(const ColumnStatistics& statistics) {
  constexpr double kNearlyAll = 0.9;
  const std::size_t columns = statistics.variance.size();
  if (columns < 3) return std::nullopt;
  std::vector<std::size_t> order(columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return statistics.variance[a] > statistics.variance[b];
  });
  const double total = std::accumulate(statistics.variance.begin(), statistics.variance.end(), 0.0);
  if (!(total > 0)) return std::nullopt;
  const std::size_t few = std::max<std::size_t>(1, columns / 10);
  double sum = 0;
  std::size_t count = 0;
  while (count < few && sum < kNearlyAll * total) sum += statistics.variance[order[count++]];
  if (sum < kNearlyAll * total) return std::nullopt;
  const std::string who = count == 1
                              ? fmt::format("column {} carries", order[0] + 1)
                              : fmt::format("{} of {} columns (the largest is column {}) carry",
                                            count, columns, order[0] + 1);
  return Message{
      fmt::format(
          "{} {:.1f} % of the variance and will decide almost every distance; if the columns have "
          "different units, ",
          who, 100 * sum / total),
      option("scale", "standard"), " will change the result more than any other option"};
}

}  // namespace mbn
