// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <memory>

#include "input/byte_source.hpp"

namespace mbn {

/// Deflate cannot shrink anything by more than this factor, so a file of known size has a limit
/// for what can come out of it.
constexpr std::uint64_t kDeflateLimit = 1032;

/// What stands in a gzip file of one or more members. A file that is cut short or damaged is a
/// FormatError, never a shorter result.
class GzipSource final : public BufferedSource {
 public:
  enum class Packing : std::uint8_t { gzip, zlib };  ///< zlib: one member with a shorter header

  explicit GzipSource(std::unique_ptr<ByteSource> packed, Packing packing = Packing::gzip);
  ~GzipSource() override;

  std::uint64_t limit() const override;

 protected:
  std::size_t fill(void* bytes, std::size_t count) override;

 private:
  bool next_member();
  [[noreturn]] void fail(const char* reason) const;

  std::unique_ptr<ByteSource> packed_;
  Packing packing_;
  std::uint64_t limit_;
  std::vector<unsigned char> input_;
  z_stream stream_{};
  bool done_ = false;
};

/// The source itself, or what stands in it when it begins like gzip.
std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source);

}  // namespace mbn
