// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mbn {

/// The part of ONNX that students are made of. Comparing two of these compares what they compute.
struct OnnxNode {
  std::string operation;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::map<std::string, std::vector<std::int64_t>> numbers{};  ///< attributes: integers only

  bool operator==(const OnnxNode&) const = default;
};

/// A float32 tensor; does not own its bytes.
struct OnnxTensor {
  std::string name;
  std::vector<std::uint64_t> shape;
  std::span<const std::uint8_t> bytes;
};

/// An input or output of float rows: any number of rows, this many columns.
struct OnnxRows {
  std::string name;
  std::uint64_t columns = 0;

  bool operator==(const OnnxRows&) const = default;
};

struct OnnxModel {
  std::map<std::string, std::string, std::less<>> metadata;
  std::vector<OnnxNode> nodes;
  std::vector<OnnxTensor> tensors;
  OnnxRows input;
  OnnxRows output;
};

/// Opset 13, the oldest with every operator in its present form, and its version of the format.
inline constexpr std::uint64_t kOnnxOpset = 13;
inline constexpr std::uint64_t kOnnxFormat = 7;

/// More bytes than this cannot be one message of Protocol Buffers.
inline constexpr std::uint64_t kMaxOnnxBytes = 0x7fffffff;

std::string encode_onnx(const OnnxModel& model);

/// Reads what `encode_onnx` writes, in any order of fields. FormatError, beginning with `file`, for
/// anything else: other types, tensors in other files, several inputs, subgraphs. The tensors point
/// into `bytes` and are as long as their shapes say.
OnnxModel decode_onnx(std::span<const std::uint8_t> bytes, std::string_view file);

}  // namespace mbn
