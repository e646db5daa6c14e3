// SPDX-License-Identifier: Apache-2.0
//
// Tensors in the safetensors layout: 8 bytes of header length, the header, then the tensors' bytes
// without gaps. Everything is little-endian.
//
// Writing hashes every tensor first, because the hashes stand in the header before the data; the
// bytes themselves are streamed and never copied. Reading takes the header, checks that the file is
// exactly as long as it says, and fetches each tensor straight to where the caller wants it, so
// loading a model needs no second copy of it. Packed tensors are not in memory as they stand in the
// file; they go through a buffer that fits into the cache, both ways.
#include "store/tensor_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

#include <mbn/error.hpp>

#include "base/atomic_file.hpp"
#include "base/checked.hpp"
#include "store/xxh3.hpp"

namespace mbn {

namespace {

static_assert(std::endian::native == std::endian::little,
              "tensors are written as they lie in memory, which must be little-endian");

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kPieceBytes = 1U << 18;

std::string checksum_key(std::string_view tensor) {
  return fmt::format("xxh3:{}", tensor);
}

std::uint64_t bytes_of(const TensorSource& tensor) {
  std::uint64_t bytes = element_bytes(tensor.type);
  for (const std::uint64_t extent : tensor.shape) {
    const auto product = checked_product(bytes, extent);
    if (!product) {
      throw InvalidArgument(ErrorCode::too_large,
                            fmt::format("tensor {} of shape [{}] is too large for a file",
                                        in_quotes(tensor.name), fmt::join(tensor.shape, ", ")));
    }
    bytes = *product;
  }
  return bytes;
}

void write_to(const ByteSink& sink, const TensorSource& tensor) {
  if (tensor.pieces) {
    tensor.pieces(sink);
  } else {
    sink(tensor.bytes, bytes_of(tensor));
  }
}

std::string hash_of(const TensorSource& tensor) {
  if (!tensor.pieces) return xxh3_hex(tensor.bytes, bytes_of(tensor));
  Xxh3 hash;
  write_to([&](const void* bytes, std::size_t count) { hash.add(bytes, count); }, tensor);
  return hash.hex();
}

// Sorts the tensors into the order of the file; returns their offsets and checksums.
TensorHeader lay_out(Metadata metadata, std::vector<TensorSource>& tensors) {
  std::ranges::stable_sort(tensors, std::greater{},
                           [](const TensorSource& tensor) { return element_bytes(tensor.type); });
  TensorHeader header{.metadata = std::move(metadata), .tensors = {}};
  std::uint64_t place = 0;
  for (const TensorSource& tensor : tensors) {
    const std::uint64_t bytes = bytes_of(tensor);
    header.metadata[checksum_key(tensor.name)] = hash_of(tensor);
    header.tensors.push_back({tensor.name, tensor.type, tensor.shape, place, place + bytes});
    place += bytes;
  }
  return header;
}

class MemoryBytes final : public RandomAccessBytes {
 public:
  explicit MemoryBytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t offset, void* to, std::size_t count) const override {
    assert(offset <= bytes_.size() && count <= bytes_.size() - offset);
    if (count != 0) std::memcpy(to, bytes_.data() + offset, count);
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

class FileBytes final : public RandomAccessBytes {
 public:
  explicit FileBytes(const std::filesystem::path& path) : name_(path.string()) {
    // A pipe would block in open(), so the kind of file is looked at first.
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) fail("cannot open it");
    if (!S_ISREG(status.st_mode)) {
      throw IoError(ErrorCode::not_a_file,
                    fmt::format("{}: not a regular file; a model must be one", name_),
                    {.path = name_});
    }
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot open it");
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~FileBytes() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t offset, void* to, std::size_t count) const override {
    auto* place = static_cast<char*>(to);
    while (count != 0) {
      const ssize_t got = ::pread(descriptor_, place, count, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot read it");
      if (got == 0) {
        throw IoError(ErrorCode::damaged,
                      fmt::format("{}: it became shorter while being read", name_),
                      {.path = name_});
      }
      place += got;
      offset += static_cast<std::uint64_t>(got);
      count -= static_cast<std::size_t>(got);
    }
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    const int code = errno;
    throw IoError(code, fmt::format("{}: {}: {}", name_, what, std::strerror(code)), name_);
  }

  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace

std::uint64_t rows_per_piece(std::uint64_t row_bytes) {
  return std::max<std::uint64_t>(1, kPieceBytes / std::max<std::uint64_t>(1, row_bytes));
}

void write_tensor_file(const std::filesystem::path& path, Metadata metadata,
                       std::vector<TensorSource> tensors, bool overwrite) {
  // The file comes first: a name that is taken should be refused before all bytes are hashed.
  AtomicFile file(path, overwrite);
  file.write(encode_header(lay_out(std::move(metadata), tensors)));
  for (const TensorSource& tensor : tensors) {
    write_to([&](const void* from, std::size_t count) { file.write(from, count); }, tensor);
  }
  file.commit();
}

std::vector<std::uint8_t> encode_tensors(Metadata metadata, std::vector<TensorSource> tensors) {
  const TensorHeader header = lay_out(std::move(metadata), tensors);
  const std::string text = encode_header(header);
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() + (header.tensors.empty() ? 0 : header.tensors.back().end));
  bytes.insert(bytes.end(), text.begin(), text.end());
  for (const TensorSource& tensor : tensors) {
    const auto append = [&](const void* from, std::size_t count) {
      const auto* first = static_cast<const std::uint8_t*>(from);
      bytes.insert(bytes.end(), first, first + count);
    };
    write_to(append, tensor);
  }
  return bytes;
}

std::string tensors_checksum(Metadata metadata, std::vector<TensorSource> tensors) {
  metadata.erase("library_version");
  std::string text;
  for (const auto& [key, value] : lay_out(std::move(metadata), tensors).metadata) {
    text += fmt::format("{}\n{}\n", key, value);
  }
  return xxh3_hex(text.data(), text.size());
}

TensorReader::TensorReader(const std::filesystem::path& path)
    : source_(std::make_unique<FileBytes>(path)),
      name_(path.string()),
      checksums_(Checksums::verify) {
  open();
}

TensorReader::TensorReader(std::span<const std::uint8_t> bytes, std::string name,
                           Checksums checksums)
    : source_(std::make_unique<MemoryBytes>(bytes)), name_(std::move(name)), checksums_(checksums) {
  open();
}

void TensorReader::open() {
  const std::string text = read_header_text();
  data_begin_ = kLengthBytes + text.size();
  header_ = decode_header(text, name_);
  if (checksums_ == Checksums::verify) {
    const auto recorded = header_.metadata.find(kHeaderChecksum);
    if (recorded == header_.metadata.end()) {
      fail("not an mbn model: a safetensors file without the header_xxh3 entry that ours have",
           ErrorCode::not_this_format);
    }
    // The digits are compared as text: in capitals they would be another, damaged, file.
    if (recorded->second != header_checksum(text)) {
      fail("the header does not match its checksum; the file is damaged: copy or write it again");
    }
  }
  check_layout(header_, source_->size() - data_begin_, name_);
  for (std::size_t i = 0; i < header_.tensors.size(); ++i) {
    index_.emplace(header_.tensors[i].name, i);
  }
}

std::string TensorReader::read_header_text() const {
  const std::uint64_t size = source_->size();
  if (size < kLengthBytes) {
    fail(fmt::format("not an mbn model: it has only {} bytes", size), ErrorCode::not_this_format);
  }
  std::uint64_t length = 0;
  source_->read(0, &length, sizeof length);
  if (length > kMaxHeaderBytes) {
    fail(fmt::format("not an mbn model: its first 8 bytes ask for a header of {} bytes, and {} "
                     "are allowed",
                     length, kMaxHeaderBytes),
         ErrorCode::not_this_format);
  }
  if (length > size - kLengthBytes) {
    fail(fmt::format("the header should have {} bytes, but only {} follow; the file was cut "
                     "short or is not an mbn model",
                     length, size - kLengthBytes),
         ErrorCode::damaged);
  }
  std::string text(length, '\0');
  source_->read(kLengthBytes, text.data(), text.size());
  if (text.empty() || text.front() != '{') {
    fail("not an mbn model: no JSON header follows the first 8 bytes", ErrorCode::not_this_format);
  }
  return text;
}

const TensorInfo* TensorReader::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &header_.tensors[found->second];
}

void TensorReader::read(const TensorInfo& tensor, void* to) const {
  const std::uint64_t count = tensor.end - tensor.begin;
  source_->read(data_begin_ + tensor.begin, to, count);
  if (checksums_ == Checksums::verify) check_checksum(tensor, xxh3_hex(to, count));
}

void TensorReader::read_rows(const TensorInfo& tensor, std::size_t slack,
                             const std::function<void(std::span<const std::uint8_t>)>& body) const {
  assert(tensor.shape.size() == 2);
  const std::uint64_t row_bytes = tensor.shape[1] * element_bytes(tensor.type);
  const std::uint64_t bytes = tensor.end - tensor.begin;
  const std::uint64_t most = std::min(bytes, rows_per_piece(row_bytes) * row_bytes);
  std::vector<std::uint8_t> piece(most + slack);
  Xxh3 hash;
  for (std::uint64_t first = 0; first < bytes; first += most) {
    const std::uint64_t count = std::min(most, bytes - first);
    source_->read(data_begin_ + tensor.begin + first, piece.data(), count);
    if (checksums_ == Checksums::verify) hash.add(piece.data(), count);
    body(std::span(piece).first(count));
  }
  if (checksums_ == Checksums::verify) check_checksum(tensor, hash.hex());
}

void TensorReader::check_checksum(const TensorInfo& tensor, const std::string& seen) const {
  const auto recorded = header_.metadata.find(checksum_key(tensor.name));
  if (recorded == header_.metadata.end()) {
    fail(fmt::format("tensor {} has no checksum; the file is not one that mbn wrote",
                     in_quotes(tensor.name)),
         ErrorCode::not_this_format);
  }
  if (recorded->second != seen) {
    fail(
        fmt::format("tensor {} does not match its checksum; the file is damaged: copy or write "
                    "it again",
                    in_quotes(tensor.name)));
  }
}

void TensorReader::fail(std::string_view problem, ErrorCode code) const {
  throw FormatError(code, fmt::format("{}: {}", name_, problem), {.path = name_});
}

}  // namespace mbn
