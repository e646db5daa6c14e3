// SPDX-License-Identifier: Apache-2.0
//
// Sums over rows are made in a fixed number of parts and added in order, so that threads cannot
// change them. Sparse rows are made dense one at a time, never all at once.
#include "compress/input_rows.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "rows/gather.hpp"
#include "rows/unit_norm.hpp"

namespace mbn {

namespace {

constexpr std::size_t kParts = 16;

// Divided in float32, as the nodes Max and Div of the ONNX graph do it (rows/unit_norm.hpp).
void to_unit_norm(float* row, std::size_t columns) {
  const float length = std::max(static_cast<float>(norm(row, columns)), kLeastLength);
  for (std::size_t j = 0; j < columns; ++j) row[j] /= length;
}

struct Sums {
  std::vector<double> sum, square;
  explicit Sums(std::size_t columns) : sum(columns), square(columns) {}
};

Sums add_up(RowsView rows, std::span<const std::uint32_t> chosen, bool unit_norm, Job& job) {
  const std::size_t columns = rows.columns();
  std::vector<Sums> parts(kParts, Sums(columns));
  job.parallel(kParts, [&](std::size_t part, unsigned) {
    std::vector<float> row(columns);
    Sums& sums = parts[part];
    for (std::size_t i = chosen.size() * part / kParts; i < chosen.size() * (part + 1) / kParts;
         ++i) {
      copy_dense_row(rows, chosen[i], row.data());
      if (unit_norm) to_unit_norm(row.data(), columns);
      for (std::size_t j = 0; j < columns; ++j) {
        sums.sum[j] += double{row[j]};
        sums.square[j] += double{row[j]} * double{row[j]};
      }
    }
  });
  for (std::size_t part = 1; part < kParts; ++part) {
    for (std::size_t j = 0; j < columns; ++j) {
      parts[0].sum[j] += parts[part].sum[j];
      parts[0].square[j] += parts[part].square[j];
    }
  }
  return parts[0];
}

}  // namespace

void copy_dense_row(RowsView rows, std::size_t index, float* to) {
  if (rows.is_sparse()) {
    std::fill_n(to, rows.columns(), 0.0F);
    const auto indices = rows.sparse().indices(index);
    const auto values = rows.sparse().values(index);
    for (std::size_t c = 0; c < indices.size(); ++c) to[indices[c]] = values[c];
  } else {
    copy_row(rows.dense(), index, to);
  }
}

void apply_input_stage(const InputStage& stage, float* row) {
  const std::size_t columns = stage.shift.size();
  if (stage.unit_norm) to_unit_norm(row, columns);
  for (std::size_t j = 0; j < columns; ++j) row[j] = (row[j] - stage.shift[j]) * stage.factor[j];
}

InputStage make_input_stage(RowsView rows, std::span<const std::uint32_t> chosen,
                            const FitOptions& teacher, Job& job) {
  InputStage stage;
  stage.unit_norm = teacher.metric == Metric::cosine && teacher.scale == Scale::none;
  const std::size_t columns = rows.columns();
  const auto count = static_cast<double>(chosen.size());
  const Sums sums = add_up(rows, chosen, stage.unit_norm, job);
  std::vector<double> variance(columns);
  double total = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    const double mean = sums.sum[j] / count;
    stage.shift.push_back(static_cast<float>(mean));
    variance[j] = std::max(0.0, sums.square[j] / count - mean * mean);
    total += variance[j];
  }
  if (teacher.scale == Scale::none) {
    std::fill(variance.begin(), variance.end(), total / static_cast<double>(columns));
  }
  for (std::size_t j = 0; j < columns; ++j) {
    // A column that is constant in training gets the factor 0: it is ignored.
    const auto factor = static_cast<float>(1 / std::sqrt(variance[j]));
    stage.factor.push_back(std::isfinite(factor) ? factor : 0.0F);
  }
  return stage;
}

}  // namespace mbn
