// SPDX-License-Identifier: Apache-2.0
#include "map/joint_space.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rows/gather.hpp"
#include "rows/missing_cells.hpp"

namespace mbn {

namespace {

// Rows with more columns than this, and compressed rows, are compared along so many directions.
constexpr std::uint64_t kManyColumns = 200;
// The deviation of the network's half; that of the input's is 1. Few columns say all by themselves,
// and clusterings on half of them say less.
constexpr double kNetworkShare = 0.8;
constexpr double kNetworkShareOfColumns = 0.2;

bool takes_directions(std::uint64_t columns, bool sparse) {
  return sparse || columns >= kManyColumns;
}

// The input's half before it is scaled; compressed rows without variance have none.
Rows input_half(const JointSpace& space, RowsView prepared, Job& job) {
  const bool none = prepared.is_sparse() && space.input.directions.empty();
  if (none || !space.sees_input) return Matrix(prepared.rows(), 0);
  return prepare_rows(space.input, prepared, job);
}

// 1 / sqrt(variance), or 0 when there is none. Sums are in the order of rows and columns.
double factor_of(MatrixView rows) {
  std::vector<double> mean(rows.columns());
  std::vector<float> row(rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    copy_row(rows, i, row.data());
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += double{row[j]};
  }
  for (double& value : mean) value /= static_cast<double>(rows.rows());
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    copy_row(rows, i, row.data());
    for (std::size_t j = 0; j < mean.size(); ++j) {
      const double difference = double{row[j]} - mean[j];
      sum += difference * difference;
    }
  }
  const double variance = sum / static_cast<double>(rows.rows());
  // Numbers so small that their variance is lost are taken for none.
  constexpr double kLeastVariance = 1e-58;
  return variance > kLeastVariance ? 1 / std::sqrt(variance) : 0;
}

// Sums of squares of such cells are finite in float32. A column of huge numbers that are all the
// same tells no rows apart, here as elsewhere. What is not a number counts as zero, and so does
// -0.0.
float bounded(double value) {
  constexpr double kLargest = 1e15;
  if (std::isnan(value)) return 0;
  return static_cast<float>(std::clamp(value, -kLargest, kLargest)) + 0.0F;
}

}  // namespace

std::optional<Message> map_note(Metric metric) {
  if (has_dot_form(metric)) return std::nullopt;
  const char* what =
      !map_sees_input(metric) ? "the map is laid out by what the network makes of the rows alone"
      : metric == Metric::jaccard ? "beside the network, the map goes by the cosine between sets"
      : metric == Metric::chi_squared ? "beside the network, the map goes by Hellinger's distance"
                                      : "beside the network, the map goes by Euclidean distance";
  return Message{what, ", because it has no place for ",
                 option("metric", std::string(name_of(metric)))};
}

void fill_missing_cells(MatrixView kept, Preparation& input) {
  input.partial = true;
  if (input.directions.empty()) input.fill = moments_of_cells(kept).mean;
}

JointSpace fit_joint_space(RowsView kept, bool as_columns, MatrixView components, Metric metric,
                           bool partial, Job& job) {
  JointSpace space;
  space.input.sparse = kept.is_sparse();
  set_metric(space, metric);
  if (space.sees_input && takes_directions(kept.columns(), kept.is_sparse())) {
    const Rows given = gather(kept, direction_sample(kept.rows(), kept.is_sparse()));
    const Rows sample = prepare_rows(space.input, given, job);
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        {kMapDirections, kept.columns(), std::max<std::uint64_t>(1, kept.rows() - 1)}));
    space.input.directions = find_directions(sample, count, map_compared_by(metric), job);
  }
  if (partial) fill_missing_cells(kept.dense(), space.input);
  const Rows half = input_half(space, kept, job);
  space.input_factor = factor_of(half.view().dense());
  const bool columns = as_columns && space.sees_input && space.input.directions.empty();
  space.network_factor = (columns ? kNetworkShareOfColumns : kNetworkShare) * factor_of(components);
  return space;
}

Matrix joint_rows(const JointSpace& space, RowsView prepared, MatrixView components, Job& job) {
  const Rows half = input_half(space, prepared, job);
  const MatrixView input = half.view().dense();
  Matrix joint(input.rows(), input.columns() + components.columns());
  constexpr std::size_t kBlock = 1024;
  job.parallel(blocks(joint.rows(), kBlock), [&](std::size_t task, unsigned) {
    const std::size_t last = std::min(joint.rows(), (task + 1) * kBlock);
    for (std::size_t i = task * kBlock; i < last; ++i) {
      float* out = joint.mutable_row<float>(i);
      copy_row(input, i, out);
      copy_row(components, i, out + input.columns());
      for (std::size_t j = 0; j < joint.columns(); ++j) {
        const double factor = j < input.columns() ? space.input_factor : space.network_factor;
        out[j] = bounded(double{out[j]} * factor);
      }
    }
  });
  return joint;
}

std::uint64_t joint_columns(std::uint64_t prepared_columns, bool sparse, std::uint64_t components,
                            Metric metric) {
  if (!map_sees_input(metric)) return components;
  const std::uint64_t input = takes_directions(prepared_columns, sparse)
                                  ? std::min(kMapDirections, prepared_columns)
                                  : prepared_columns;
  return input + components;
}

}  // namespace mbn
