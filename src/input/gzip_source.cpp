// SPDX-License-Identifier: Apache-2.0
//
// zlib inflates and checks the CRC-32 and the length at the end of each gzip member. A member is
// followed by another one (files joined with `cat` or made by bgzip), by zero padding (tapes), or
// by nothing; anything else is refused. A file that was cut short ends inside a member, so it is
// never taken for a shorter file.
#include "input/gzip_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>

#include <mbn/error.hpp>

#include "base/checked.hpp"

namespace mbn {
namespace {

constexpr std::size_t kInputBytes = std::size_t{1} << 16;
constexpr int kZlibWindow = 15;       // the largest
constexpr int kGzipWindow = 15 + 16;  // the same, and a gzip header

}  // namespace

GzipSource::GzipSource(std::unique_ptr<ByteSource> packed, Packing packing)
    : BufferedSource(packed->name()),
      packed_(std::move(packed)),
      packing_(packing),
      limit_(checked_product(packed_->limit(), kDeflateLimit).value_or(UINT64_MAX)),
      input_(kInputBytes) {
  if (inflateInit2(&stream_, packing == Packing::gzip ? kGzipWindow : kZlibWindow) != Z_OK)
    throw std::bad_alloc();
}

GzipSource::~GzipSource() {
  inflateEnd(&stream_);
}

std::uint64_t GzipSource::limit() const {
  return limit_;
}

std::size_t GzipSource::fill(void* bytes, std::size_t count) {
  if (done_ || count == 0) return 0;
  const auto wanted =
      static_cast<uInt>(std::min<std::size_t>(count, std::numeric_limits<uInt>::max()));
  stream_.next_out = static_cast<Bytef*>(bytes);
  stream_.avail_out = wanted;
  while (stream_.avail_out == wanted) {
    if (stream_.avail_in == 0) {
      stream_.next_in = input_.data();
      stream_.avail_in = static_cast<uInt>(packed_->read(input_.data(), input_.size()));
      if (stream_.avail_in == 0) fail("it is cut short");
    }
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      fail(stream_.msg != nullptr ? stream_.msg : "it does not hold gzip data");
    }
    if (code == Z_STREAM_END && !next_member()) {
      done_ = true;
      break;
    }
  }
  return wanted - stream_.avail_out;
}

/// True when another member follows, false at the end of the file.
bool GzipSource::next_member() {
  if (packing_ == Packing::zlib) return false;
  while (true) {
    if (stream_.avail_in == 0) {
      stream_.next_in = input_.data();
      stream_.avail_in = static_cast<uInt>(packed_->read(input_.data(), input_.size()));
      if (stream_.avail_in == 0) return false;
    }
    if (*stream_.next_in != 0) break;
    ++stream_.next_in;
    --stream_.avail_in;
  }
  constexpr unsigned char kFirstByte = 0x1f;
  if (*stream_.next_in != kFirstByte) fail("something else follows the compressed data");
  if (inflateReset(&stream_) != Z_OK) fail("it does not hold gzip data");
  return true;
}

void GzipSource::fail(const char* reason) const {
  if (packing_ == Packing::zlib) {
    throw FormatError(ErrorCode::damaged,
                      fmt::format("{}: the packed data cannot be read: {}; fetch or write it again",
                                  name(), reason),
                      {.path = name()});
  }
  throw FormatError(
      ErrorCode::damaged,
      fmt::format(
          "{}: the gzip data cannot be read: {}; test the file with 'gzip -t' and fetch it again",
          name(), reason),
      {.path = name()});
}

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source) {
  const auto start = source->peek(2);
  const bool gzip = start.size() == 2 && start[0] == std::byte{0x1f} && start[1] == std::byte{0x8b};
  if (!gzip) return source;
  if (source->limit() == UINT64_MAX) source = load(*source);
  return std::make_unique<GzipSource>(std::move(source));
}

}  // namespace mbn
