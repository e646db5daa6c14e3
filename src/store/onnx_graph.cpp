// SPDX-License-Identifier: Apache-2.0
//
// The field numbers are those of onnx.proto, which has kept them since its first version. The graph
// comes last in the file, so that a file that is cut short anywhere ends within a field.
//
//   ModelProto     1 ir_version, 2 producer_name, 3 producer_version, 7 graph, 8 opset_import,
//                  14 metadata_props
//   GraphProto     1 node, 2 name, 5 initializer, 11 input, 12 output
//   NodeProto      1 input, 2 output, 3 name, 4 op_type, 5 attribute, 7 domain
//   AttributeProto 1 name, 3 i, 8 ints, 20 type
//   TensorProto    1 dims, 2 data_type, 8 name, 9 raw_data, 14 data_location
//   ValueInfoProto 1 name, 2 type { 1 tensor_type { 1 elem_type, 2 shape { 1 dim {
//                  1 dim_value, 2 dim_param } } } }
#include "store/onnx_graph.hpp"

#include <fmt/format.h>

#include <mbn/error.hpp>
#include <mbn/version.hpp>

#include "base/checked.hpp"
#include "store/protobuf.hpp"
#include "store/tensor_header.hpp"

namespace mbn {

namespace {

constexpr std::uint64_t kFloat = 1;    // TensorProto.DataType
constexpr std::uint64_t kInteger = 2;  // AttributeProto.AttributeType
constexpr std::uint64_t kIntegers = 7;
constexpr std::size_t kMaxParts = 10000;  // nodes, tensors, names: far more than a student has

ProtobufWriter encode(const OnnxNode& node) {
  ProtobufWriter writer;
  for (const std::string& input : node.inputs) writer.text(1, input);
  for (const std::string& output : node.outputs) writer.text(2, output);
  writer.text(4, node.operation);
  for (const auto& [name, numbers] : node.numbers) {
    // Only "axes" is a list, even when it has one number.
    const bool list = name == "axes";
    ProtobufWriter attribute;
    attribute.text(1, name);
    for (const std::int64_t number : numbers) {
      attribute.integer(list ? 8 : 3, static_cast<std::uint64_t>(number));
    }
    attribute.integer(20, list ? kIntegers : kInteger);
    writer.message(5, attribute);
  }
  return writer;
}

ProtobufWriter encode(const OnnxTensor& tensor) {
  ProtobufWriter writer;
  for (const std::uint64_t size : tensor.shape) writer.integer(1, size);
  writer.integer(2, kFloat);
  writer.text(8, tensor.name);
  writer.text(9, {reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size()});
  return writer;
}

ProtobufWriter encode(const OnnxRows& rows) {
  ProtobufWriter batch, columns, shape, tensor, type, value;
  batch.text(2, "batch");
  columns.integer(1, rows.columns);
  shape.message(1, batch);
  shape.message(1, columns);
  tensor.integer(1, kFloat);
  tensor.message(2, shape);
  type.message(1, tensor);
  value.text(1, rows.name);
  value.message(2, type);
  return value;
}

class Decoder {
 public:
  explicit Decoder(std::string_view file) : file_(file) {}

  OnnxModel model(std::span<const std::uint8_t> bytes) const {
    OnnxModel model;
    std::uint64_t opset = 0;
    std::span<const std::uint8_t> graph_bytes;
    each(bytes, [&](const ProtobufField& field) {
      if (field.number == 7) graph_bytes = message(field);
      if (field.number == 8) opset = read_opset(message(field));
      if (field.number == 14) add_metadata(message(field), model);
      if (field.number == 25) fail("it has functions of its own, which students have not");
    });
    if (opset != kOnnxOpset) {
      fail(fmt::format("it uses opset {}, and students use {}", opset, kOnnxOpset));
    }
    graph(graph_bytes, model);
    return model;
  }

 private:
  template <class Body>
  void each(std::span<const std::uint8_t> bytes, Body&& body) const {
    ProtobufReader reader(bytes, file_);
    ProtobufField field;
    while (reader.next(field)) body(field);
  }

  std::span<const std::uint8_t> message(const ProtobufField& field) const {
    if (field.type != WireType::bytes) fail("a field is a number where a message is expected");
    return field.bytes;
  }

  std::string text(const ProtobufField& field) const {
    if (field.type != WireType::bytes) fail("a field is a number where text is expected");
    return std::string(field.text());
  }

  std::uint64_t number(const ProtobufField& field) const {
    if (field.type != WireType::varint) fail("a field is not a number where one is expected");
    return field.integer;
  }

  /// A list of numbers is written one by one; one that is packed into one field is refused.
  template <class Number>
  void add_numbers(const ProtobufField& field, std::vector<Number>& to) const {
    if (to.size() >= kMaxParts) fail("it has too many numbers in a list");
    if (field.type == WireType::varint) {
      to.push_back(static_cast<Number>(field.integer));
    } else {
      fail("a list of numbers is packed, which students' files do not do");
    }
  }

  std::uint64_t read_opset(std::span<const std::uint8_t> bytes) const {
    std::string domain;
    std::uint64_t version = 0;
    each(bytes, [&](const ProtobufField& field) {
      if (field.number == 1) domain = text(field);
      if (field.number == 2) version = number(field);
    });
    if (!domain.empty() && domain != "ai.onnx") {
      fail(fmt::format("it uses operators of {}, and students use only ONNX's own",
                       in_quotes(domain)));
    }
    return version;
  }

  void add_metadata(std::span<const std::uint8_t> bytes, OnnxModel& model) const {
    std::string key, value;
    each(bytes, [&](const ProtobufField& field) {
      if (field.number == 1) key = text(field);
      if (field.number == 2) value = text(field);
    });
    if (model.metadata.size() >= kMaxParts) fail("it has too much metadata");
    if (!model.metadata.emplace(key, value).second) {
      fail(fmt::format("it has the metadata {} twice", in_quotes(key)));
    }
  }

  void graph(std::span<const std::uint8_t> bytes, OnnxModel& model) const {
    each(bytes, [&](const ProtobufField& field) {
      if (field.number == 1) model.nodes.push_back(node(message(field)));
      if (field.number == 5) model.tensors.push_back(tensor(message(field)));
      if (field.number == 11) add_rows(message(field), model.input);
      if (field.number == 12) add_rows(message(field), model.output);
      if (field.number == 15) fail("it has sparse tensors, which students have not");
      if (model.nodes.size() > kMaxParts || model.tensors.size() > kMaxParts) {
        fail("it has too many nodes or tensors");
      }
    });
  }

  OnnxNode node(std::span<const std::uint8_t> bytes) const {
    OnnxNode node;
    each(bytes, [&](const ProtobufField& field) {
      if (node.inputs.size() + node.outputs.size() > kMaxParts) fail("a node has too many names");
      if (field.number == 1) node.inputs.push_back(text(field));
      if (field.number == 2) node.outputs.push_back(text(field));
      if (field.number == 4) node.operation = text(field);
      if (field.number == 5) add_attribute(message(field), node);
      if (field.number == 7 && !text(field).empty()) {
        fail(fmt::format("a node is of the domain {}, and students use only ONNX's own",
                         in_quotes(field.text())));
      }
    });
    return node;
  }

  void add_attribute(std::span<const std::uint8_t> bytes, OnnxNode& node) const {
    std::string name;
    std::vector<std::int64_t> numbers;
    std::uint64_t type = 0;
    each(bytes, [&](const ProtobufField& field) {
      if (field.number == 1) name = text(field);
      if (field.number == 3 || field.number == 8) add_numbers(field, numbers);
      if (field.number == 20) type = number(field);
    });
    if (type != (name == "axes" ? kIntegers : kInteger)) {
      fail(fmt::format("the attribute {} of a node is not of the kind that students have",
                       in_quotes(name)));
    }
    if (!node.numbers.emplace(name, numbers).second) {
      fail(fmt::format("a node has the attribute {} twice", in_quotes(name)));
    }
  }

  OnnxTensor tensor(std::span<const std::uint8_t> bytes) const {
    OnnxTensor tensor;
    std::uint64_t type = 0;
    each(bytes, [&](const ProtobufField& field) {
      if (field.number == 1) add_numbers(field, tensor.shape);
      if (field.number == 2) type = number(field);
      if (field.number == 8) tensor.name = text(field);
      if (field.number == 9) tensor.bytes = message(field);
      if (field.number == 13 || (field.number == 14 && number(field) != 0)) {
        fail(fmt::format("the tensor {} is in another file, and students hold their own",
                         in_quotes(tensor.name)));
      }
    });
    if (type != kFloat) {
      fail(fmt::format("the tensor {} is of type {}, not float", in_quotes(tensor.name), type));
    }
    std::uint64_t needed = sizeof(float);
    for (const std::uint64_t size : tensor.shape) {
      needed = checked_product(needed, size).value_or(kMaxOnnxBytes + 1);
      if (needed > kMaxOnnxBytes) break;
    }
    if (needed != tensor.bytes.size()) {
      fail(fmt::format("the tensor {} has {} bytes, which is not what its shape says",
                       in_quotes(tensor.name), tensor.bytes.size()));
    }
    return tensor;
  }

  void add_rows(std::span<const std::uint8_t> bytes, OnnxRows& rows) const {
    if (!rows.name.empty()) fail("it has more than one input or output");
    each(bytes, [&](const ProtobufField& field) {
      if (field.number == 1) rows.name = text(field);
      if (field.number == 2) rows.columns = tensor_columns(message(field));
    });
  }

  std::uint64_t tensor_columns(std::span<const std::uint8_t> bytes) const {
    std::vector<std::uint64_t> sizes;  // 0 for a free one
    std::uint64_t type = 0;
    each(bytes, [&](const ProtobufField& kind) {
      if (kind.number != 1) return;
      each(message(kind), [&](const ProtobufField& field) {
        if (field.number == 1) type = number(field);
        if (field.number == 2) add_sizes(message(field), sizes);
      });
    });
    if (type != kFloat || sizes.size() != 2 || sizes[0] != 0 || sizes[1] == 0) {
      fail("an input or output is not float rows, any number of them");
    }
    return sizes[1];
  }

  void add_sizes(std::span<const std::uint8_t> bytes, std::vector<std::uint64_t>& sizes) const {
    each(bytes, [&](const ProtobufField& dimension) {
      if (dimension.number != 1 || sizes.size() > 2) return;
      std::uint64_t size = 0;
      each(message(dimension), [&](const ProtobufField& field) {
        if (field.number == 1) size = number(field);
      });
      sizes.push_back(size);
    });
  }

  [[noreturn]] void fail(std::string_view problem) const {
    throw FormatError(ErrorCode::not_this_format,
                      fmt::format("{}: not a student of mbn: {}", file_, problem), {.path = file_});
  }

  std::string_view file_;
};

}  // namespace

std::string encode_onnx(const OnnxModel& model) {
  ProtobufWriter graph;
  for (const OnnxNode& node : model.nodes) graph.message(1, encode(node));
  graph.text(2, "student");
  for (const OnnxTensor& tensor : model.tensors) graph.message(5, encode(tensor));
  graph.message(11, encode(model.input));
  graph.message(12, encode(model.output));

  ProtobufWriter opset;
  opset.text(1, "");
  opset.integer(2, kOnnxOpset);

  ProtobufWriter writer;
  writer.integer(1, kOnnxFormat);
  writer.text(2, "mbn");
  writer.text(3, version());
  writer.message(8, opset);
  for (const auto& [key, value] : model.metadata) {
    ProtobufWriter entry;
    entry.text(1, key);
    entry.text(2, value);
    writer.message(14, entry);
  }
  writer.message(7, graph);
  return writer.take();
}

OnnxModel decode_onnx(std::span<const std::uint8_t> bytes, std::string_view file) {
  return Decoder(file).model(bytes);
}

}  // namespace mbn
