// SPDX-License-Identifier: Apache-2.0
//
// The teacher sees a row only through its preparation: weights for counts, norm 1, coordinates
// along directions. A student that begins with the same preparation need not learn it, and what the
// directions leave out cannot mislead it.
//
// Sums over rows are made in a fixed number of parts and added in order, so that threads cannot
// change them. Rows are prepared a block at a time; sparse rows are never all dense at once.
#include "compress/input_rows.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/logarithm.hpp"
#include "kernels/dense_product.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"
#include "rows/unit_norm.hpp"

namespace mbn {

namespace {

constexpr std::size_t kParts = 16;

// Divided in float32, as the nodes Max and Div of the ONNX graph do it (rows/unit_norm.hpp).
void to_unit_norm(float* row, std::size_t columns) {
  const float length = std::max(static_cast<float>(norm(row, columns)), kLeastLength);
  for (std::size_t j = 0; j < columns; ++j) row[j] /= length;
}

void to_shares(float* row, std::size_t columns, float size) {
  double sum = 0;
  for (std::size_t j = 0; j < columns; ++j) sum += std::abs(double{row[j]});
  const float whole = std::max(static_cast<float>(sum), kLeastLength);
  for (std::size_t j = 0; j < columns; ++j) row[j] = row[j] / whole * size;
}

void apply_step(const InputStep& step, float* row, std::size_t columns) {
  switch (step.kind) {
    case InputStepKind::logarithm:
      for (std::size_t j = 0; j < columns; ++j) {
        if (row[j] != 0) row[j] = static_cast<float>(natural_log(1 + double{row[j]}));
      }
      return;
    case InputStepKind::word_logarithm:
      for (std::size_t j = 0; j < columns; ++j) {
        if (row[j] > 1) row[j] = static_cast<float>(1 + natural_log(double{row[j]}));
      }
      return;
    case InputStepKind::shares:
      return to_shares(row, columns, step.size);
    case InputStepKind::unit_norm:
      return to_unit_norm(row, columns);
    case InputStepKind::affine:
      for (std::size_t j = 0; j < columns; ++j) row[j] = (row[j] - step.shift[j]) * step.factor[j];
      return;
    case InputStepKind::product:
      return;  // InputRows::multiply
  }
}

InputStep affine(std::span<const double> shift, std::span<const double> factor) {
  InputStep step{.kind = InputStepKind::affine};
  step.factor.assign(factor.begin(), factor.end());
  step.shift.assign(factor.size(), 0.0F);
  std::copy(shift.begin(), shift.end(), step.shift.begin());
  return step;
}

void add_weights(const Weights& weights, std::vector<InputStep>& steps) {
  switch (weights.weighting) {
    case Weighting::counts:
      return;
    case Weighting::logarithm:
      steps.push_back({.kind = InputStepKind::logarithm});
      return;
    case Weighting::cells:
      steps.push_back({.kind = InputStepKind::shares, .size = static_cast<float>(weights.size)});
      steps.push_back({.kind = InputStepKind::logarithm});
      return;
    case Weighting::log_tfidf:
      steps.push_back({.kind = InputStepKind::word_logarithm});
      [[fallthrough]];
    case Weighting::tfidf:
      steps.push_back(affine({}, weights.frequency));
      steps.push_back({.kind = InputStepKind::unit_norm});
      return;
  }
}

InputStep coordinates(const Directions& directions) {
  InputStep step{.kind = InputStepKind::product};
  DenseLayer& layer = step.layer;
  layer.inputs = directions.basis.rows();
  layer.outputs = directions.count();
  layer.weights.resize(layer.inputs * layer.outputs);
  std::vector<double> bias(layer.outputs);
  for (std::size_t j = 0; j < layer.inputs; ++j) {
    const float* const row = directions.basis.row<float>(j);
    for (std::size_t d = 0; d < layer.outputs; ++d) {
      layer.weights[d * layer.inputs + j] = row[d];
      if (!directions.centre.empty()) bias[d] -= double{directions.centre[j]} * double{row[d]};
    }
  }
  layer.bias.assign(bias.begin(), bias.end());
  return step;
}

// The steps of the teacher's preparation. Without one, and for metrics that change rows in other
// ways than by their norm, columns are taken as they are.
void add_preparation(const Teacher& teacher, InputStage& stage) {
  const Preparation* const preparation = teacher.preparation;
  const bool cosine = teacher.options.metric == Metric::cosine;
  const bool known = cosine || !changes_rows(teacher.options.metric);
  if (preparation == nullptr || !known || preparation->partial || !preparation->drawn.empty()) {
    stage.unit_norm = cosine && teacher.options.scale == Scale::none;
    return;
  }
  add_weights(preparation->weights, stage.steps);
  const bool directions = !preparation->directions.empty();
  const Scaler& scaler = preparation->scaler;
  if (scaler.scale != Scale::none && (cosine || directions)) {
    stage.steps.push_back(affine(scaler.shift, scaler.factor));
  }
  stage.unit_norm = cosine;
  if (!directions) return;
  if (cosine) stage.steps.push_back({.kind = InputStepKind::unit_norm});
  stage.steps.push_back(coordinates(preparation->directions));
}

struct Sums {
  std::vector<double> sum, square;
  explicit Sums(std::size_t columns) : sum(columns), square(columns) {}
};

Sums add_up(const InputRows& input, RowsView rows, std::span<const std::uint32_t> chosen,
            Job& job) {
  const std::size_t widest = std::max(input.columns(), input.width());
  std::vector<Sums> parts(kParts, Sums(input.width()));
  job.parallel(kParts, [&](std::size_t part, unsigned) {
    InputRows::Space space;
    std::vector<float> row(widest);
    Sums& sums = parts[part];
    for (std::size_t i = chosen.size() * part / kParts; i < chosen.size() * (part + 1) / kParts;
         ++i) {
      copy_dense_row(rows, chosen[i], row.data());
      input.apply(row.data(), 1, space);
      for (std::size_t j = 0; j < input.width(); ++j) {
        sums.sum[j] += double{row[j]};
        sums.square[j] += double{row[j]} * double{row[j]};
      }
    }
  });
  for (std::size_t part = 1; part < kParts; ++part) {
    for (std::size_t j = 0; j < input.width(); ++j) {
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

InputRows::InputRows(const InputStage& stage)
    : stage_(stage), columns_(stage.columns()), width_(stage.shift.size()) {
  const InputStep* const product = stage.product();
  if (product == nullptr) return;
  const DenseLayer& layer = product->layer;
  const std::size_t panels = right_panels(layer.outputs);
  basis_.resize(panels * kRightPanel * layer.inputs);
  pack_right({layer.weights.data(), 1, layer.inputs}, layer.inputs, layer.outputs, 0, panels,
             basis_.data());
}

void InputRows::apply(float* cells, std::size_t rows, Space& space) const {
  std::size_t columns = columns_;
  for (const InputStep& step : stage_.steps) {
    if (step.kind == InputStepKind::product) {
      multiply(step.layer, cells, rows, space);
      columns = step.layer.outputs;
      continue;
    }
    for (std::size_t i = 0; i < rows; ++i) apply_step(step, cells + i * columns, columns);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    float* const row = cells + i * columns;
    if (stage_.unit_norm) to_unit_norm(row, columns);
    for (std::size_t j = 0; j < columns; ++j) {
      row[j] = (row[j] - stage_.shift[j]) * stage_.factor[j];
    }
  }
}

void InputRows::multiply(const DenseLayer& layer, float* cells, std::size_t rows,
                         Space& space) const {
  const std::size_t cells_needed = left_panels(rows) * kLeftPanel * layer.inputs;
  if (space.packed.size() < cells_needed) space.packed.resize(cells_needed);
  pack_left({cells, layer.inputs, 1}, rows, layer.inputs, 0, left_panels(rows),
            space.packed.data());
  for (std::size_t column = 0; column < layer.outputs; column += kProductColumns) {
    multiply_packed(space.packed.data(), basis_.data(), layer.inputs,
                    {0, rows, column, std::min(kProductColumns, layer.outputs - column)}, cells,
                    layer.outputs);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t d = 0; d < layer.outputs; ++d) cells[i * layer.outputs + d] += layer.bias[d];
  }
}

Matrix InputRows::prepare(RowsView rows, Job& job) const {
  Matrix prepared(rows.rows(), width_);
  job.parallel(blocks(rows.rows(), kProductRows), [&](std::size_t task, unsigned) {
    const std::size_t first = task * kProductRows;
    const std::size_t count = std::min(kProductRows, rows.rows() - first);
    Space space;
    std::vector<float> cells(count * std::max(columns_, width_));
    for (std::size_t i = 0; i < count; ++i) {
      copy_dense_row(rows, first + i, cells.data() + i * columns_);
    }
    apply(cells.data(), count, space);
    std::copy_n(cells.data(), count * width_, prepared.mutable_row<float>(first));
  });
  return prepared;
}

InputStage make_input_stage(const Teacher& teacher, RowsView rows,
                            std::span<const std::uint32_t> chosen, Job& job) {
  InputStage stage;
  add_preparation(teacher, stage);
  const InputStep* const product = stage.product();
  const std::size_t width = product != nullptr ? product->layer.outputs : rows.columns();
  stage.shift.assign(width, 0.0F);
  stage.factor.assign(width, 1.0F);
  const Sums sums = add_up(InputRows(stage), rows, chosen, job);
  const auto count = static_cast<double>(chosen.size());
  std::vector<double> variance(width);
  double total = 0;
  for (std::size_t j = 0; j < width; ++j) {
    const double mean = sums.sum[j] / count;
    stage.shift[j] = static_cast<float>(mean);
    variance[j] = std::max(0.0, sums.square[j] / count - mean * mean);
    total += variance[j];
  }
  if (teacher.options.scale == Scale::none || !stage.steps.empty()) {
    std::fill(variance.begin(), variance.end(), total / static_cast<double>(width));
  }
  for (std::size_t j = 0; j < width; ++j) {
    // A column that is constant in training gets the factor 0: it is ignored.
    const auto factor = static_cast<float>(1 / std::sqrt(variance[j]));
    stage.factor[j] = std::isfinite(factor) ? factor : 0.0F;
  }
  return stage;
}

}  // namespace mbn
