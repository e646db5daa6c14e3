// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/error.hpp>

#include "store/tensor_header.hpp"

namespace mbn {

using ByteSink = std::function<void(const void*, std::size_t)>;

/// A tensor to be written; `bytes` must stay valid until it is. A tensor that is not in memory as
/// it stands in the file has `pieces` instead, which hands the bytes to a sink, the same at each
/// call.
struct TensorSource {
  std::string name;
  TensorType type = TensorType::u8;
  std::vector<std::uint64_t> shape;
  const void* bytes = nullptr;
  std::function<void(const ByteSink&)> pieces = nullptr;
};

/// How many rows are worked on at a time: pieces that fit into the cache, and at least one row.
std::uint64_t rows_per_piece(std::uint64_t row_bytes);

/// Writes a safetensors file with a checksum for every tensor and one for the header. Tensors with
/// larger elements come first, so that each is aligned; ties keep their order.
void write_tensor_file(const std::filesystem::path& path, Metadata metadata,
                       std::vector<TensorSource> tensors, bool overwrite);
/// The same bytes, in memory.
std::vector<std::uint8_t> encode_tensors(Metadata metadata, std::vector<TensorSource> tensors);

/// 16 hexadecimal digits that tell these tensors and this metadata from others; "library_version"
/// does not count, so that a model keeps its digits when a newer library writes it.
std::string tensors_checksum(Metadata metadata, std::vector<TensorSource> tensors);

/// `ignore` is for the fuzzer, which cannot guess hashes.
enum class Checksums : std::uint8_t { verify, ignore };

/// Random access to the bytes of a file.
class RandomAccessBytes {
 public:
  RandomAccessBytes() = default;
  RandomAccessBytes(const RandomAccessBytes&) = delete;
  RandomAccessBytes& operator=(const RandomAccessBytes&) = delete;
  virtual ~RandomAccessBytes() = default;
  virtual std::uint64_t size() const = 0;
  /// `offset + count` must not exceed `size()`.
  virtual void read(std::uint64_t offset, void* to, std::size_t count) const = 0;
};

/// An open safetensors file of ours. Opening reads the header only and checks it in full: after
/// that every tensor is known to lie in the file and to be as long as its shape says, so memory
/// for it can be taken. All errors are FormatErrors that begin with the name of the file.
class TensorReader {
 public:
  explicit TensorReader(const std::filesystem::path& path);
  /// Reads from memory, which must outlive the reader.
  TensorReader(std::span<const std::uint8_t> bytes, std::string name,
               Checksums checksums = Checksums::verify);

  const std::string& name() const { return name_; }
  const Metadata& metadata() const { return header_.metadata; }
  const std::vector<TensorInfo>& tensors() const { return header_.tensors; }
  /// Null when there is no such tensor.
  const TensorInfo* find(std::string_view name) const;
  /// Copies the tensor's bytes, `end - begin` of them, and checks their checksum.
  void read(const TensorInfo& tensor, void* to) const;
  /// The same for a tensor with two extents, in pieces of some whole rows, with `slack` readable
  /// bytes behind each. `body` sees bytes whose checksum is not known yet.
  void read_rows(const TensorInfo& tensor, std::size_t slack,
                 const std::function<void(std::span<const std::uint8_t>)>& body) const;

  /// Throws FormatError "<file>: <problem>".
  [[noreturn]] void fail(std::string_view problem, ErrorCode code = ErrorCode::damaged) const;

 private:
  void open();
  std::string read_header_text() const;
  void check_checksum(const TensorInfo& tensor, const std::string& seen) const;

  std::unique_ptr<RandomAccessBytes> source_;
  std::string name_;
  Checksums checksums_;
  TensorHeader header_;
  std::uint64_t data_begin_ = 0;
  std::map<std::string_view, std::size_t> index_;  ///< of `header_.tensors`, by name
};

}  // namespace mbn
