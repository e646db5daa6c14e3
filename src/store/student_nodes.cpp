// SPDX-License-Identifier: Apache-2.0
//
// The steps as nodes of opset 13:
//
//     logarithm       Add (one) -> Log
//     word-logarithm  Max (one) -> Log, Min (one), and the Add of both
//     shares          ReduceL1 -> Max (least_length) -> Div -> Mul (size)
//     unit-norm       ReduceL2 -> Max (least_length) -> Div
//     affine          Sub (shift) -> Mul (factor)
//     product         Gemm
#include "store/student_nodes.hpp"

#include <fmt/format.h>

#include <map>

namespace mbn {

namespace {

using Numbers = std::map<std::string, std::vector<std::int64_t>>;

std::string layer_tensor(std::size_t layer, std::string_view part) {
  return fmt::format("layer{}.{}", layer + 1, part);
}

/// A chain of nodes: each takes the result of the one before.
class Chain {
 public:
  void add(std::string operation, std::vector<std::string> others, std::string to,
           Numbers numbers = {}) {
    others.insert(others.begin(), at_);
    nodes_.push_back({std::move(operation), std::move(others), {to}, std::move(numbers)});
    at_ = std::move(to);
  }
  /// Each row divided by its norm, which the node `reduce` makes.
  void divide_by(std::string reduce, const std::string& length, const std::string& safe,
                 std::string to) {
    const std::string rows = at_;
    add(std::move(reduce), {}, length, {{"axes", {1}}, {"keepdims", {1}}});
    add("Max", {"least_length"}, safe);
    at_ = rows;
    add("Div", {safe}, std::move(to));
  }
  void add_step(const InputStep& step, const std::string& name) {
    const std::string rows = at_;
    switch (step.kind) {
      case InputStepKind::logarithm:
        add("Add", {"one"}, name + ".more");
        return add("Log", {}, name + ".rows");
      case InputStepKind::word_logarithm:
        add("Max", {"one"}, name + ".counts");
        add("Log", {}, name + ".logarithm");
        at_ = rows;
        add("Min", {"one"}, name + ".present");
        return add("Add", {name + ".logarithm"}, name + ".rows");
      case InputStepKind::shares:
        divide_by("ReduceL1", name + ".sum", name + ".safe_sum", name + ".shares");
        return add("Mul", {name + ".size"}, name + ".rows");
      case InputStepKind::unit_norm:
        return divide_by("ReduceL2", name + ".length", name + ".safe_length", name + ".rows");
      case InputStepKind::affine:
        add("Sub", {name + ".shift"}, name + ".centred");
        return add("Mul", {name + ".factor"}, name + ".rows");
      case InputStepKind::product:
        return add("Gemm", {name + ".weights", name + ".bias"}, name + ".rows", {{"transB", {1}}});
    }
  }
  std::vector<OnnxNode> take() { return std::move(nodes_); }

 private:
  std::vector<OnnxNode> nodes_;
  std::string at_ = "rows";
};

OnnxTensor tensor_of(std::string name, std::vector<std::uint64_t> shape, const float* cells) {
  std::size_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  return {std::move(name),
          std::move(shape),
          {reinterpret_cast<const std::uint8_t*>(cells), count * sizeof(float)}};
}

OnnxTensor vector_of(std::string name, const std::vector<float>& cells) {
  return tensor_of(std::move(name), {cells.size()}, cells.data());
}

void add_layer(const DenseLayer& layer, const std::string& name, std::vector<OnnxTensor>& tensors) {
  tensors.push_back(
      tensor_of(name + ".weights", {layer.outputs, layer.inputs}, layer.weights.data()));
  tensors.push_back(vector_of(name + ".bias", layer.bias));
}

void add_constants(const std::vector<OnnxNode>& nodes, std::vector<OnnxTensor>& tensors) {
  for (const auto& [name, value] : kConstantTensors) {
    for (const OnnxNode& node : nodes) {
      if (std::find(node.inputs.begin(), node.inputs.end(), name) == node.inputs.end()) continue;
      tensors.push_back(tensor_of(std::string(name), {1}, &value));
      break;
    }
  }
}

}  // namespace

std::string step_name(std::size_t index) {
  return fmt::format("step{}", index + 1);
}

std::vector<OnnxNode> student_nodes(const StudentData& student) {
  Chain chain;
  for (std::size_t i = 0; i < student.input.steps.size(); ++i) {
    chain.add_step(student.input.steps[i], step_name(i));
  }
  if (student.input.unit_norm) chain.divide_by("ReduceL2", "length", "safe_length", "unit_rows");
  chain.add("Sub", {"input.shift"}, "centred");
  chain.add("Mul", {"input.factor"}, "scaled");
  for (std::size_t l = 0; l < student.layers.size(); ++l) {
    const bool last = l + 1 == student.layers.size();
    const std::string sums = !last               ? layer_tensor(l, "sums")
                             : student.softmax() ? "logits"
                                                 : "embedding";
    chain.add("Gemm", {layer_tensor(l, "weights"), layer_tensor(l, "bias")}, sums,
              {{"transB", {1}}});
    if (!last) chain.add("Relu", {}, layer_tensor(l, "outputs"));
  }
  if (student.softmax()) chain.add("Softmax", {}, "probabilities", {{"axis", {1}}});
  return chain.take();
}

std::vector<OnnxTensor> student_tensors(const StudentData& student) {
  std::vector<OnnxTensor> tensors;
  add_constants(student_nodes(student), tensors);
  for (std::size_t i = 0; i < student.input.steps.size(); ++i) {
    const InputStep& step = student.input.steps[i];
    if (step.kind == InputStepKind::shares) {
      tensors.push_back(tensor_of(step_name(i) + ".size", {1}, &step.size));
    }
    if (step.kind == InputStepKind::affine) {
      tensors.push_back(vector_of(step_name(i) + ".shift", step.shift));
      tensors.push_back(vector_of(step_name(i) + ".factor", step.factor));
    }
    if (step.kind == InputStepKind::product) add_layer(step.layer, step_name(i), tensors);
  }
  tensors.push_back(vector_of("input.shift", student.input.shift));
  tensors.push_back(vector_of("input.factor", student.input.factor));
  for (std::size_t l = 0; l < student.layers.size(); ++l) {
    add_layer(student.layers[l], fmt::format("layer{}", l + 1), tensors);
  }
  return tensors;
}

}  // namespace mbn
