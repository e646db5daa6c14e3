// SPDX-License-Identifier: Apache-2.0
//
// One pass over the rows for the sum of every column in every cluster, over the cells that have a
// value. Columns are split among
// threads, rows are not, so that sums are the same for any number of threads.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <mbn/error.hpp>
#include <mbn/marks.hpp>

#include "base/job.hpp"
#include "describe/column_name.hpp"

namespace mbn {

namespace {

// Differences below this are not worth a word.
constexpr double kLeastEffect = 0.25;

// Sums of one column in each cluster and over all rows, and of its squares. Cells are counted from
// `origin`, so that small differences between large numbers are not lost.
class ColumnSums {
 public:
  explicit ColumnSums(std::size_t clusters, double origin = 0)
      : in_cluster_(clusters), missing_in_(clusters), origin_(origin) {}

  void add(std::int32_t label, double cell) {
    if (std::isnan(cell)) {
      ++missing_;
      if (label >= 0) ++missing_in_[static_cast<std::size_t>(label)];
      return;
    }
    if (std::isnan(origin_)) origin_ = cell;
    const double value = cell - origin_;
    if (label >= 0) in_cluster_[static_cast<std::size_t>(label)] += value;
    all_ += value;
    squares_ += value * value;
  }

  // The mark that the column is for a cluster of so many rows.
  Mark mark(std::size_t cluster, std::uint64_t inside, std::uint64_t rows) const {
    Mark found;
    inside -= missing_in_[cluster];
    rows -= missing_;
    if (rows == 0) return found;
    const auto total = static_cast<double>(rows);
    const double mean = all_ / total;
    const double variance = squares_ / total - mean * mean;
    // Below this the difference of two sums is rounding.
    constexpr double kLeastVariance = 1e-12;
    if (inside == 0 || inside == rows || variance <= kLeastVariance * squares_ / total) {
      return found;
    }
    found.inside = origin_ + in_cluster_[cluster] / static_cast<double>(inside);
    found.outside = origin_ + (all_ - in_cluster_[cluster]) / static_cast<double>(rows - inside);
    found.effect = (found.inside - found.outside) / std::sqrt(variance);
    return found;
  }

 private:
  std::vector<double> in_cluster_;
  std::vector<std::uint64_t> missing_in_;  // cells without a value
  std::uint64_t missing_ = 0;
  double origin_;  // NaN: the first cell that has a value
  double all_ = 0;
  double squares_ = 0;
};

std::vector<std::uint64_t> sizes_of(std::span<const std::int32_t> labels, std::uint32_t clusters) {
  std::vector<std::uint64_t> sizes(clusters);
  for (const std::int32_t label : labels) {
    if (label >= static_cast<std::int64_t>(clusters)) {
      throw InvalidArgument(ErrorCode::out_of_range,
                            fmt::format("a label is {}, but there are {} clusters; labels count "
                                        "from 0",
                                        label, clusters));
    }
    if (label >= 0) ++sizes[static_cast<std::size_t>(label)];
  }
  return sizes;
}

// The strongest marks of one cluster, kept in order while columns come.
void keep_strongest(std::vector<Mark>& marks, const Mark& mark, std::uint32_t count) {
  const auto stronger = [](const Mark& a, const Mark& b) {
    if (std::abs(a.effect) != std::abs(b.effect)) return std::abs(a.effect) > std::abs(b.effect);
    return a.column < b.column;
  };
  marks.insert(std::upper_bound(marks.begin(), marks.end(), mark, stronger), mark);
  if (marks.size() > count) marks.pop_back();
}

class MarkFinder {
 public:
  MarkFinder(std::span<const std::int32_t> labels, std::uint32_t clusters, std::uint32_t count)
      : labels_(labels), sizes_(sizes_of(labels, clusters)), count_(count), found_(clusters) {
    for (std::size_t c = 0; c < clusters; ++c) found_[c].rows = sizes_[c];
  }

  std::vector<ClusterMarks> of_dense(MatrixView rows, Job& job) {
    // About as many columns as fit a cache line of every row.
    constexpr std::size_t kColumns = 16;
    if (rows.rows() == 0) return std::move(found_);
    const std::size_t tasks = blocks(rows.columns(), kColumns);
    std::vector<std::vector<ColumnSums>> sums(tasks);
    job.parallel(tasks, [&](std::size_t task, unsigned) {
      const std::size_t first = task * kColumns;
      const std::size_t width = std::min(kColumns, rows.columns() - first);
      for (std::size_t j = 0; j < width; ++j) {
        sums[task].emplace_back(sizes_.size(), double{rows.at(0, first + j)});
      }
      rows.visit([&](const auto* cells) {
        for (std::size_t i = 0; i < rows.rows(); ++i) {
          const auto* row = cells + i * rows.row_stride() + first;
          for (std::size_t j = 0; j < width; ++j) {
            sums[task][j].add(labels_[i], static_cast<double>(row[j]));
          }
        }
      });
    });
    for (std::size_t task = 0; task < tasks; ++task) {
      for (std::size_t j = 0; j < sums[task].size(); ++j) {
        consider(task * kColumns + j, sums[task][j], kLeastEffect, true);
      }
    }
    return std::move(found_);
  }

  std::vector<ClusterMarks> of_sparse(SparseView rows) {
    std::vector<ColumnSums> sums(rows.columns(), ColumnSums(sizes_.size()));
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const auto values = rows.values(i);
      const auto columns = rows.indices(i);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        if (values[k] != 0) sums[columns[k]].add(labels_[i], 1);
      }
    }
    for (std::size_t j = 0; j < sums.size(); ++j) consider(j, sums[j], kLeastEffect, false);
    return std::move(found_);
  }

 private:
  void consider(std::size_t column, const ColumnSums& sums, double least, bool below_too) {
    for (std::size_t c = 0; c < found_.size(); ++c) {
      Mark mark = sums.mark(c, sizes_[c], labels_.size());
      mark.column = static_cast<std::uint32_t>(column);
      const double strength = below_too ? std::abs(mark.effect) : mark.effect;
      if (strength >= least) keep_strongest(found_[c].marks, mark, count_);
    }
  }

  std::span<const std::int32_t> labels_;
  std::vector<std::uint64_t> sizes_;
  std::uint32_t count_;
  std::vector<ClusterMarks> found_;
};

}  // namespace

std::vector<ClusterMarks> cluster_marks(RowsView rows, std::span<const std::int32_t> labels,
                                        std::uint32_t clusters, std::uint32_t count,
                                        const RunOptions& run) {
  if (labels.size() != rows.rows()) {
    throw InvalidArgument(ErrorCode::does_not_fit,
                          fmt::format("there are {} labels for {} rows; give one for each row",
                                      labels.size(), rows.rows()));
  }
  Job job(run);
  MarkFinder finder(labels, clusters, count);
  return rows.is_sparse() ? finder.of_sparse(rows.sparse()) : finder.of_dense(rows.dense(), job);
}

namespace {

// The kind of each column of numbers.
std::vector<ColumnKind> kinds_of(const TableCoding& coding) {
  std::vector<ColumnKind> kinds;
  for (const ColumnCoding& column : coding) kinds.insert(kinds.end(), column.width(), column.kind);
  return kinds;
}

std::string as_date(double days) {
  constexpr double kFarthest = 3'000'000;  // days; thousands of years
  if (!(std::abs(days) < kFarthest)) return fmt::format("{:.3g}", days);
  const std::chrono::sys_days date{std::chrono::days(static_cast<long>(std::floor(days)))};
  const std::chrono::year_month_day day(date);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

std::string describe_mark(const Mark& mark, const std::string& name, ColumnKind kind) {
  switch (kind) {
    case ColumnKind::category:
      return fmt::format("{} ({:.0f} %, others {:.0f} %)", name, 100 * mark.inside,
                         100 * mark.outside);
    case ColumnKind::date:
    case ColumnKind::dmy:
    case ColumnKind::mdy:
      return fmt::format("{} {} ({}, others {})", mark.effect > 0 ? "late" : "early", name,
                         as_date(mark.inside), as_date(mark.outside));
    default:
      return fmt::format("{} {} ({:.3g}, others {:.3g})", mark.effect > 0 ? "high" : "low", name,
                         mark.inside, mark.outside);
  }
}

}  // namespace

std::string describe(const ClusterMarks& cluster, std::span<const std::string> columns, bool shares,
                     const TableCoding& coding) {
  const std::vector<ColumnKind> kinds = kinds_of(coding);
  std::vector<std::string> numbered;
  if (columns.empty()) numbered = coded_names(coding, true);
  std::vector<std::string> parts;
  for (const Mark& mark : cluster.marks) {
    const std::string name = column_name(columns.empty() ? numbered : columns, mark.column);
    if (!shares) {
      const bool known = mark.column < kinds.size();
      parts.push_back(describe_mark(mark, name, known ? kinds[mark.column] : ColumnKind::number));
    } else if (parts.empty()) {
      parts.push_back(fmt::format("{} ({:.0f} % of its rows, {:.0f} % of the others)", name,
                                  100 * mark.inside, 100 * mark.outside));
    } else {
      parts.push_back(
          fmt::format("{} ({:.0f} %, {:.0f} %)", name, 100 * mark.inside, 100 * mark.outside));
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace mbn
