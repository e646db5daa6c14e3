// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mbn {

/// Bytes that come one after the other: from a mapped file, a pipe, or through a decompressor.
/// Readers parse from it, so they need not know where the bytes come from.
class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// What to call the source in messages: the path of the file.
  const std::string& name() const { return name_; }

  /// Up to `count` of the next bytes; 0 only at the end.
  virtual std::size_t read(void* bytes, std::size_t count) = 0;
  /// The next bytes without taking them; fewer than `count` only at the end.
  virtual std::span<const std::byte> peek(std::size_t count) = 0;
  /// Upper bound of the bytes that can still come. What a header declares is checked against it
  /// before anything is allocated.
  virtual std::uint64_t limit() const = 0;
  /// Takes the next `count` bytes without copying them when they lie in memory that can live on;
  /// otherwise takes nothing and returns null.
  virtual std::shared_ptr<const std::byte> take_shared(std::size_t count) = 0;

  virtual void skip(std::uint64_t count);
  virtual void release() {}

  /// Exactly `count` bytes, or a FormatError that says what is cut short.
  void read_exactly(void* bytes, std::size_t count, const char* what);
  /// FormatError unless all bytes were taken. Compressed sources check their CRC here.
  void expect_end();

 private:
  std::string name_;
};

/// Bytes in memory, kept alive by `owner` (a mapped file, a vector). With an empty `owner` the
/// caller keeps them alive, and `take_shared` returns null.
class MemorySource final : public ByteSource {
 public:
  /// `mapped`: they are those of a file, and can be read from it again.
  MemorySource(std::string name, std::shared_ptr<const void> owner,
               std::span<const std::byte> bytes, bool mapped = false)
      : ByteSource(std::move(name)),
        owner_(std::move(owner)),
        bytes_(bytes),
        all_(bytes),
        mapped_(mapped) {}

  std::size_t read(void* bytes, std::size_t count) override;
  std::span<const std::byte> peek(std::size_t count) override;
  std::uint64_t limit() const override { return bytes_.size(); }
  std::shared_ptr<const std::byte> take_shared(std::size_t count) override;

  /// All bytes that are left; a reader that needs random access (zip) works on them.
  std::span<const std::byte> rest() const { return bytes_; }
  /// Takes the next `count` bytes, or all that are left, without looking at them.
  void skip(std::uint64_t count) override {
    bytes_ = bytes_.subspan(std::min<std::uint64_t>(count, bytes_.size()));
  }
  /// Lets the system have the memory of the bytes that were taken, if they are those of a file.
  void release() override;

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
  std::span<const std::byte> all_;
  bool mapped_;
};

/// A source whose bytes are made on demand by `fill`.
class BufferedSource : public ByteSource {
 public:
  using ByteSource::ByteSource;

  std::size_t read(void* bytes, std::size_t count) final;
  std::span<const std::byte> peek(std::size_t count) final;
  std::shared_ptr<const std::byte> take_shared(std::size_t) final { return nullptr; }

 protected:
  /// Up to `count` more bytes; 0 only at the end, then and every time after.
  virtual std::size_t fill(void* bytes, std::size_t count) = 0;

 private:
  std::vector<std::byte> peeked_;
  std::size_t taken_ = 0;
};

/// An open file that cannot be mapped: standard input or a pipe.
class DescriptorSource final : public BufferedSource {
 public:
  /// Closes `descriptor` at the end if it is `owned`.
  DescriptorSource(std::string name, int descriptor, bool owned);
  ~DescriptorSource() override;

  std::uint64_t limit() const override { return UINT64_MAX; }

 protected:
  std::size_t fill(void* bytes, std::size_t count) override;

 private:
  int descriptor_;
  bool owned_;
};

/// Opens a file: mapped when it is a regular one, as a stream otherwise; "-" is standard input.
std::unique_ptr<ByteSource> open_source(const std::string& path);

/// Reads all that is left of a source into memory, which grows only as bytes arrive.
std::unique_ptr<MemorySource> load(ByteSource& source);

}  // namespace mbn
