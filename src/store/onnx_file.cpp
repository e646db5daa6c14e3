// SPDX-License-Identifier: Apache-2.0
//
// A student's graph is
//
//     rows [-> ReduceL2 -> Max -> Div] -> Sub -> Mul -> (Gemm -> Relu) x hidden -> Gemm [->
//     Softmax]
//
// where the first three nodes scale rows to unit norm for a teacher with the metric cosine, and
// Softmax stands at the end of a student of clusters. One function makes the list of nodes of a
// student; the reader takes the numbers from the tensors, makes the list anew, and refuses a file
// whose own list is another. So nothing in a graph can be misunderstood.
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
#include "store/tensor_header.hpp"

namespace mbn {

namespace {

constexpr std::string_view kFormat = "mbn-student";
constexpr std::string_view kFormatVersion = "1";
constexpr std::string_view kLeastLengthName = "least_length";

std::string layer_tensor(std::size_t layer, std::string_view part) {
  return fmt::format("layer{}.{}", layer + 1, part);
}

std::vector<OnnxNode> nodes_of(const StudentData& student) {
  std::vector<OnnxNode> nodes;
  std::string rows = "rows";
  const auto add = [&](std::string operation, std::vector<std::string> others, std::string to,
                       std::map<std::string, std::vector<std::int64_t>> numbers = {}) {
    others.insert(others.begin(), rows);
    nodes.push_back({std::move(operation), std::move(others), {to}, std::move(numbers)});
    rows = std::move(to);
  };
  if (student.input.unit_norm) {
    add("ReduceL2", {}, "length", {{"axes", {1}}, {"keepdims", {1}}});
    add("Max", {std::string(kLeastLengthName)}, "safe_length");
    rows = "rows";
    add("Div", {"safe_length"}, "unit_rows");
  }
  add("Sub", {"input.shift"}, "centred");
  add("Mul", {"input.factor"}, "scaled");
  for (std::size_t l = 0; l < student.layers.size(); ++l) {
    const bool last = l + 1 == student.layers.size();
    const std::string sums = !last               ? layer_tensor(l, "sums")
                             : student.softmax() ? "logits"
                                                 : "embedding";
    add("Gemm", {layer_tensor(l, "weights"), layer_tensor(l, "bias")}, sums, {{"transB", {1}}});
    if (!last) add("Relu", {}, layer_tensor(l, "outputs"));
  }
  if (student.softmax()) add("Softmax", {}, "probabilities", {{"axis", {1}}});
  return nodes;
}

OnnxTensor tensor_of(std::string name, std::vector<std::uint64_t> shape, const float* cells) {
  std::size_t count = 1;
  for (const std::uint64_t size : shape) count *= size;
  return {std::move(name),
          std::move(shape),
          {reinterpret_cast<const std::uint8_t*>(cells), count * sizeof(float)}};
}

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
  model.metadata["format_version"] = kFormatVersion;
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
  model.nodes = nodes_of(student);
  const std::uint64_t columns = student.input.shift.size();
  if (student.input.unit_norm) {
    model.tensors.push_back(tensor_of(std::string(kLeastLengthName), {1}, &kLeastLength));
  }
  model.tensors.push_back(tensor_of("input.shift", {columns}, student.input.shift.data()));
  model.tensors.push_back(tensor_of("input.factor", {columns}, student.input.factor.data()));
  for (std::size_t l = 0; l < student.layers.size(); ++l) {
    const DenseLayer& layer = student.layers[l];
    model.tensors.push_back(
        tensor_of(layer_tensor(l, "weights"), {layer.outputs, layer.inputs}, layer.weights.data()));
    model.tensors.push_back(tensor_of(layer_tensor(l, "bias"), {layer.outputs}, layer.bias.data()));
  }
  model.input = {"rows", columns};
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
    if (text("format_version") != kFormatVersion) {
      fail(fmt::format("it has the format version {}, and this version of mbn reads {}",
                       in_quotes(text("format_version")), kFormatVersion),
           ErrorCode::too_new);
    }
    if (!ignore_checksum && text("checksum") != checksum_of(model_)) {
      fail("checksum mismatch; the file is damaged or was changed");
    }
    StudentData student;
    StudentInfo& info = student.info;
    info.options = compress_options_from_json(text("options"), file_);
    info.teacher_options = options_from_json(text("teacher_options"), file_);
    info.teacher_checksum = text("teacher_checksum");
    training_from_json(text("training"), file_, info);
    read_tensors(student);
    const std::size_t components = student.layers.back().outputs;
    if (model_.metadata.contains("centres")) {
      student.centres = centres_from_json(text("centres"), file_, components);
    }
    info.column_names = column_names_from(model_.metadata, student.layers.front().inputs, file_);
    info.column_means = column_means_from(model_.metadata, student.layers.front().inputs, file_);
    info.coding = coding_from(model_.metadata, student.layers.front().inputs, file_);
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
    if (!model_.tensors.empty() && model_.tensors[0].name == kLeastLengthName) {
      const std::vector<float> least = cells(next++, std::string(kLeastLengthName), 1, 1);
      if (least[0] != kLeastLength) fail("the tensor 'least_length' has another value");
      student.input.unit_norm = true;
    }
    student.input.shift = cells(next++, "input.shift", 1, 0);
    student.input.factor = cells(next++, "input.factor", 1, student.input.shift.size());
    std::size_t width = student.input.shift.size();
    student.info.sizes.push_back(static_cast<std::uint32_t>(width));
    for (std::size_t l = 0; next < model_.tensors.size(); ++l) {
      DenseLayer layer;
      layer.inputs = width;
      layer.weights = cells(next++, layer_tensor(l, "weights"), 2, 0);
      if (model_.tensors[next - 1].shape[1] != width) {
        fail(fmt::format("layer {} takes {} numbers, but gets {}", l + 1,
                         model_.tensors[next - 1].shape[1], width));
      }
      width = layer.outputs = layer.weights.size() / width;
      layer.bias = cells(next++, layer_tensor(l, "bias"), 1, width);
      student.info.sizes.push_back(static_cast<std::uint32_t>(width));
      student.info.weights += layer.weights.size() + layer.bias.size();
      student.layers.push_back(std::move(layer));
    }
    if (student.layers.empty()) fail("it has no layers");
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
