// SPDX-License-Identifier: Apache-2.0
//
// A block of rows goes through all layers on one thread, so threads never wait for each other. With
// 96 rows at a time a weight that comes from memory is used 96 times.
#include "compress/packed_network.hpp"

#include <algorithm>
#include <cmath>

#include "compress/input_rows.hpp"
#include "kernels/dense_product.hpp"

namespace mbn {

namespace {

constexpr std::size_t kBlockRows = 16 * kLeftPanel;
constexpr std::size_t kBlockColumns = 16 * kRightPanel;

void finish_layer(const DenseLayer& layer, bool last, std::size_t rows, float* cells) {
  for (std::size_t i = 0; i < rows; ++i) {
    float* const row = cells + i * layer.outputs;
    for (std::size_t j = 0; j < layer.outputs; ++j) {
      row[j] += layer.bias[j];
      if (!last) row[j] = std::max(row[j], 0.0F);
    }
  }
}

void softmax(float* row, std::size_t count) {
  const float highest = *std::max_element(row, row + count);
  float sum = 0;
  for (std::size_t j = 0; j < count; ++j) sum += row[j] = std::exp(row[j] - highest);
  for (std::size_t j = 0; j < count; ++j) row[j] /= sum;
}

}  // namespace

struct PackedNetwork::Space {
  LargeArray<float> cells, packed;
  InputRows::Space input;
};

PackedNetwork::PackedNetwork(const StudentData& student)
    : student_(student), input_(student.input), widest_(input_.columns()) {
  for (const DenseLayer& layer : student.layers) {
    widest_ = std::max({widest_, layer.inputs, layer.outputs});
    const std::size_t panels = right_panels(layer.outputs);
    LargeArray<float>& packed = weights_.emplace_back(panels * kRightPanel * layer.inputs);
    pack_right({layer.weights.data(), 1, layer.inputs}, layer.inputs, layer.outputs, 0, panels,
               packed.data());
  }
}

std::size_t PackedNetwork::tasks(std::size_t rows) {
  return blocks(rows, kBlockRows);
}

Matrix PackedNetwork::run(RowsView rows, Job& job) const {
  Matrix outputs(rows.rows(), student_.layers.back().outputs);
  std::vector<Space> spaces(job.threads());
  job.parallel(tasks(rows.rows()), [&](std::size_t task, unsigned worker) {
    Space& space = spaces[worker];
    if (space.cells.empty()) {
      space.cells.resize(kBlockRows * widest_);
      space.packed.resize(kBlockRows * widest_);
    }
    const std::size_t first = task * kBlockRows;
    run_block(rows, first, std::min(kBlockRows, rows.rows() - first), space,
              outputs.mutable_row<float>(first));
  });
  return outputs;
}

void PackedNetwork::run_block(RowsView rows, std::size_t first, std::size_t count, Space& space,
                              float* outputs) const {
  float* cells = space.cells.data();
  for (std::size_t i = 0; i < count; ++i) {
    copy_dense_row(rows, first + i, cells + i * rows.columns());
  }
  input_.apply(cells, count, space.input);
  for (std::size_t l = 0; l < student_.layers.size(); ++l) {
    const DenseLayer& layer = student_.layers[l];
    const bool last = l + 1 == student_.layers.size();
    pack_left({cells, layer.inputs, 1}, count, layer.inputs, 0, left_panels(count),
              space.packed.data());
    float* const to = last ? outputs : cells;
    for (std::size_t column = 0; column < layer.outputs; column += kBlockColumns) {
      multiply_packed(space.packed.data(), weights_[l].data(), layer.inputs,
                      {0, count, column, std::min(kBlockColumns, layer.outputs - column)}, to,
                      layer.outputs);
    }
    finish_layer(layer, last, count, to);
  }
  if (!student_.softmax()) return;
  const std::size_t width = student_.layers.back().outputs;
  for (std::size_t i = 0; i < count; ++i) softmax(outputs + i * width, width);
}

}  // namespace mbn
