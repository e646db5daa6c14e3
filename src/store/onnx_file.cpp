// SPDX-License-Identifier: Apache-2.0
//
// A student's graph is
//
//     rows [-> steps] [-> ReduceL2 -> Max -> Div] -> Sub -> Mul -> (Gemm -> Relu) x hidden -> Gemm
//     [-> Softmax]
//
// where the steps are what the teacher does to rows (none in format version 1), the three nodes
// scale rows to unit norm for a teacher with the metric cosine, and Softmax stands at the end of a
// student of clusters. One function makes the list of nodes of a student (store/student_nodes.cpp);
// the reader takes the numbers from the tensors, makes the list anew, and refuses a file whose own
// list is another. So nothing in a graph can be misunderstood.
#include "store/onnx_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include <mbn/error.hpp>
#include <mbn/version.hpp>

#include "base/atomic_file.hpp"
#include "store/coding_json.hpp"
#include "store/names_json.hpp"
#include "store/onnx_graph.hpp"
#include "store/options_json.hpp"
#include "store/student_json.hpp"
#include "store/student_nodes.hpp"
#include "store/tensor_header.hpp"

namespace mbn {

namespace {

constexpr std::string_view kFormat = "mbn-student";
/// Students without steps are written as version 1, which all versions of mbn read.
constexpr std::string_view kPlainVersion = "1";
constexpr std::string_view kStepsVersion = "2";
/// The steps of a teacher's preparation, with room to spare.
constexpr std::size_t kMaxSteps = 16;

/// Checksum of the metadata and all tensors: finds accidental changes.
std::string checksum_of(const OnnxModel& model) {
  std::string text;
  for (const auto& [key, value] : model.metadata) {
    if (key != "checksum") text += fmt::format("{}\n{}\n", key, value);
  }
  for (const OnnxTensor& tensor : model.tensors) {
    text +=
        fmt::format("{}\n{}\n", tensor.name, xxh3_hex(tensor.bytes.data(), tensor.bytes.size()));
  }
  return xxh3_hex(text.data(), text.size());
}

/// Points at the student's own memory.
OnnxModel model_of(const StudentData& student) {
  OnnxModel model;
  model.metadata["format"] = kFormat;
  model.metadata["format_version"] = student.input.steps.empty() ? kPlainVersion : kStepsVersion;
  if (!student.input.steps.empty()) model.metadata["input"] = steps_to_json(student.input.steps);
  model.metadata["options"] = compress_options_to_json(student.info.options);
  model.metadata["teacher_options"] = options_to_json(student.info.teacher_options);
  model.metadata["teacher_checksum"] = student.info.teacher_checksum;
  model.metadata["training"] = training_to_json(student.info);
  if (!student.info.column_names.empty()) {
    model.metadata["column_names"] = names_to_json(student.info.column_names);
  }
  if (!student.info.column_means.empty()) {
    model.metadata["column_means"] = means_to_json(student.info.column_means);
  }
  if (!student.info.coding.empty()) {
    model.metadata["column_kinds"] = coding_to_json(student.info.coding);
  }
  if (student.centres.rows() > 0) model.metadata["centres"] = centres_to_json(student.centres);
  model.nodes = student_nodes(student);
  model.tensors = student_tensors(student);
  model.input = {"rows", student.input.columns()};
  model.output = {student.softmax() ? "probabilities" : "embedding", student.layers.back().outputs};
  model.metadata["checksum"] = checksum_of(model);
  return model;
}

class Reading {
 public:
  Reading(const OnnxModel& model, std::string_view file) : model_(model), file_(file) {}

  StudentData student(bool ignore_checksum) const {
    if (text("format") != kFormat) {
      fail(fmt::format("its metadata 'format' is {}", in_quotes(text("format"))),
           ErrorCode::not_this_format);
    }
    const std::string_view version = text("format_version");
    if (version != kPlainVersion && version != kStepsVersion) {
      fail(fmt::format("it has the format version {}, and this version of mbn reads {} and {}",
                       in_quotes(version), kPlainVersion, kStepsVersion),
           ErrorCode::too_new);
    }
    if (!ignore_checksum && text("checksum") != checksum_of(model_)) {
      fail("checksum mismatch; the file is damaged or was changed");
    }
    StudentData student;
    StudentInfo& info = student.info;
    info.options = compress_options_from_json(text("options"), file_);
    // A student's options are settled, and 0 reads as what is not given.
    info.options.dropout = info.options.dropout.value_or(0);
    info.teacher_options = options_from_json(text("teacher_options"), file_);
    info.teacher_checksum = text("teacher_checksum");
    training_from_json(text("training"), file_, info);
    if (version == kStepsVersion) {
      student.input.steps = steps_from_json(text("input"), file_, kMaxSteps);
    }
    read_tensors(student);
    const std::size_t columns = student.input.columns();
    const std::size_t components = student.layers.back().outputs;
    if (model_.metadata.contains("centres")) {
      student.centres = centres_from_json(text("centres"), file_, components);
    }
    info.column_names = column_names_from(model_.metadata, columns, file_);
    info.column_means = column_means_from(model_.metadata, columns, file_);
    info.coding = coding_from(model_.metadata, columns, file_);
    info.teacher_options.blocks = blocks_of(info.coding);
    check_graph(student);
    return student;
  }

 private:
  std::string_view text(std::string_view key) const {
    const auto found = model_.metadata.find(key);
    if (found == model_.metadata.end()) fail(fmt::format("it lacks the metadata '{}'", key));
    return found->second;
  }

  void read_tensors(StudentData& student) const {
    std::size_t next = 0;
    InputStage& input = student.input;
    for (const auto& [name, value] : kConstantTensors) {
      if (next >= model_.tensors.size() || model_.tensors[next].name != name) continue;
      const std::vector<float> cell = cells(next++, std::string(name), 1, 1);
      if (cell[0] != value) fail(fmt::format("the tensor '{}' has another value", name));
    }
    for (std::size_t i = 0; i < input.steps.size(); ++i) read_step(i, input.steps[i], next);
    input.shift = cells(next++, "input.shift", 1, 0);
    input.factor = cells(next++, "input.factor", 1, input.shift.size());
    for (const OnnxNode& node : model_.nodes) {
      if (!node.outputs.empty() && node.outputs[0] == "unit_rows") input.unit_norm = true;
    }
    check_steps(input);
    std::size_t width = input.shift.size();
    student.info.sizes.push_back(static_cast<std::uint32_t>(input.columns()));
    for (std::size_t l = 0; next < model_.tensors.size(); ++l) {
      DenseLayer layer = read_layer(next, "layer" + std::to_string(l + 1), width);
      width = layer.outputs;
      student.info.sizes.push_back(static_cast<std::uint32_t>(width));
      student.info.weights += layer.weights.size() + layer.bias.size();
      student.layers.push_back(std::move(layer));
    }
    if (student.layers.empty()) fail("it has no layers");
    if (input.product() != nullptr) student.info.weights += input.product()->layer.weights.size();
  }

  void read_step(std::size_t index, InputStep& step, std::size_t& next) const {
    const std::string name = step_name(index);
    if (step.kind == InputStepKind::shares) step.size = cells(next++, name + ".size", 1, 1)[0];
    if (step.kind == InputStepKind::affine) {
      step.shift = cells(next++, name + ".shift", 1, 0);
      step.factor = cells(next++, name + ".factor", 1, step.shift.size());
    }
    if (step.kind == InputStepKind::product) step.layer = read_layer(next, name, 0);
  }

  /// `inputs` is what the layer must take, or 0.
  DenseLayer read_layer(std::size_t& next, const std::string& name, std::size_t inputs) const {
    DenseLayer layer;
    layer.weights = cells(next++, name + ".weights", 2, 0);
    layer.inputs = model_.tensors[next - 1].shape[1];
    if (inputs != 0 && layer.inputs != inputs) {
      fail(fmt::format("{} takes {} numbers, but gets {}", name, layer.inputs, inputs));
    }
    layer.outputs = layer.weights.size() / layer.inputs;
    layer.bias = cells(next++, name + ".bias", 1, layer.outputs);
    return layer;
  }

  /// Every step takes as many numbers as it gets, and directions stand there once.
  void check_steps(const InputStage& input) const {
    std::size_t width = input.columns();
    std::size_t products = 0;
    for (const InputStep& step : input.steps) {
      const std::size_t taken = step.kind == InputStepKind::affine    ? step.shift.size()
                                : step.kind == InputStepKind::product ? step.layer.inputs
                                                                      : width;
      if (taken != width) fail(fmt::format("a step takes {} numbers, but gets {}", taken, width));
      if (step.kind != InputStepKind::product) continue;
      width = step.layer.outputs;
      ++products;
    }
    if (products > 1 || width != input.shift.size()) {
      fail("the steps before its first layer do not fit together");
    }
  }

  /// The numbers of tensor `index`, all finite. It must have this name, this many dimensions, and,
  /// unless `count` is 0, `count` numbers.
  std::vector<float> cells(std::size_t index, const std::string& name, std::size_t dimensions,
                           std::size_t count) const {
    if (index >= model_.tensors.size() || model_.tensors[index].name != name) {
      fail(fmt::format("tensor number {} is not '{}'", index + 1, name));
    }
    const OnnxTensor& tensor = model_.tensors[index];
    std::vector<float> values(tensor.bytes.size() / sizeof(float));
    if (tensor.shape.size() != dimensions || values.empty() ||
        (count != 0 && values.size() != count)) {
      fail(fmt::format("the tensor '{}' has another shape than a student's", name));
    }
    std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
    for (const float value : values) {
      if (!std::isfinite(value)) {
        fail(fmt::format("the tensor '{}' holds a value that is not finite", name));
      }
    }
    return values;
  }

  void check_graph(const StudentData& student) const {
    const OnnxModel expected = model_of(student);
    for (std::size_t i = 0; i < std::min(model_.nodes.size(), expected.nodes.size()); ++i) {
      if (model_.nodes[i] == expected.nodes[i]) continue;
      fail(fmt::format("node {} is {}, and not the {} that a student has there", i + 1,
                       in_quotes(model_.nodes[i].operation), expected.nodes[i].operation));
    }
    if (model_.nodes.size() != expected.nodes.size()) {
      fail(fmt::format("it has {} nodes, and a student of its kind {}", model_.nodes.size(),
                       expected.nodes.size()));
    }
    if (model_.input != expected.input || model_.output != expected.output) {
      fail("its input or output has another name or another number of columns");
    }
  }

  [[noreturn]] void fail(std::string_view problem, ErrorCode code = ErrorCode::damaged) const {
    throw FormatError(code, fmt::format("{}: not a student of mbn: {}", file_, problem),
                      {.path = file_});
  }

  const OnnxModel& model_;
  std::string_view file_;
};

std::vector<std::uint8_t> bytes_of_file(const std::filesystem::path& path) {
  std::error_code problem;
  const std::filesystem::file_status status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) {
    throw IoError(ErrorCode::file_missing,
                  fmt::format("{}: cannot open it: there is no such file", path.string()),
                  {.path = path, .system_code = ENOENT});
  }
  // A pipe would block, and has no size.
  if (!std::filesystem::is_regular_file(status)) {
    throw IoError(ErrorCode::not_a_file,
                  fmt::format("{}: not a regular file; a student must be one", path.string()),
                  {.path = path});
  }
  const std::uintmax_t size = std::filesystem::file_size(path, problem);
  if (problem) {
    throw IoError(problem.value(), fmt::format("{}: {}", path.string(), problem.message()), path);
  }
  if (size > kMaxOnnxBytes) {
    throw FormatError(ErrorCode::too_large,
                      fmt::format("{}: {} bytes are more than an ONNX file can have ({})",
                                  path.string(), size, kMaxOnnxBytes),
                      {.path = path});
  }
  std::vector<std::uint8_t> bytes(size);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) {
    throw IoError(ErrorCode::system, fmt::format("{}: cannot read it", path.string()),
                  {.path = path});
  }
  return bytes;
}

std::string encode(const StudentData& student) {
  std::string bytes = encode_onnx(model_of(student));
  if (bytes.size() > kMaxOnnxBytes) {
    throw InvalidArgument(
        ErrorCode::too_large,
        {fmt::format("the student takes {} bytes, but an ONNX file can have {}; ask for fewer "
                     "hidden units (",
                     bytes.size(), kMaxOnnxBytes),
         option("hidden"), ")"},
        {.option = "hidden"});
  }
  return bytes;
}

}  // namespace

void write_student_file(const std::filesystem::path& path, const StudentData& student,
                        bool overwrite) {
  AtomicFile file(path, overwrite);
  file.write(encode(student));
  file.commit();
}

StudentData read_student_file(const std::filesystem::path& path) {
  return decode_student(bytes_of_file(path), path.string());
}

std::vector<std::uint8_t> encode_student(const StudentData& student) {
  const std::string bytes = encode(student);
  return {bytes.begin(), bytes.end()};
}

StudentData decode_student(std::span<const std::uint8_t> bytes, std::string_view file,
                           bool ignore_checksum) {
  return Reading(decode_onnx(bytes, file), file).student(ignore_checksum);
}

}  // namespace mbn
