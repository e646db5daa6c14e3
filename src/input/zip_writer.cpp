// SPDX-License-Identifier: Apache-2.0
//
// minizip writes a member's header before its data and comes back to fill in sizes and checksum,
// while an AtomicFile may be a pipe that cannot go back. So what minizip writes is kept until the
// member is complete and then handed on. minizip is C: an exception must not pass through it, so it
// is kept too and thrown when minizip has returned.
#include "input/zip_writer.hpp"

#include <minizip/zip.h>

#include <algorithm>
#include <exception>
#include <new>

namespace mbn {

struct ZipWriter::Sink {
  AtomicFile& file;
  std::string pending;        // bytes from `written` on
  std::uint64_t written = 0;  // bytes that the file has
  std::uint64_t position = 0;
  std::exception_ptr failure;

  void put(const char* bytes, std::size_t count) {
    const auto place = static_cast<std::size_t>(position - written);
    const std::size_t over = std::min(count, pending.size() - place);
    pending.replace(place, over, bytes, count);
    position += count;
  }

  void hand_on() {
    file.write(pending);
    written += pending.size();
    pending.clear();
  }
};

namespace {

// Compressed data can be a little longer than plain data.
constexpr std::uint64_t kZip64From = (std::uint64_t{1} << 32) - (std::uint64_t{1} << 24);
constexpr uLong kDate = 0x21UL << 16;  // 1980-01-01
constexpr std::size_t kChunk = std::size_t{1} << 20;

}  // namespace

ZipWriter::ZipWriter(AtomicFile& file) : sink_(new Sink{file, {}, 0, 0, nullptr}) {
  zlib_filefunc64_def functions{};
  functions.opaque = sink_.get();
  functions.zopen64_file = [](void* opaque, const void*, int) { return opaque; };
  functions.zread_file = [](void*, void*, void*, uLong) -> uLong { return 0; };
  functions.zwrite_file = [](void*, void* stream, const void* bytes, uLong count) -> uLong {
    auto& sink = *static_cast<Sink*>(stream);
    try {
      sink.put(static_cast<const char*>(bytes), count);
      return count;
    } catch (...) {
      sink.failure = std::current_exception();
      return 0;
    }
  };
  functions.ztell64_file = [](void*, void* stream) -> ZPOS64_T {
    return static_cast<Sink*>(stream)->position;
  };
  functions.zseek64_file = [](void*, void* stream, ZPOS64_T offset, int origin) -> long {
    auto& sink = *static_cast<Sink*>(stream);
    const std::uint64_t end = sink.written + sink.pending.size();
    if (origin == ZLIB_FILEFUNC_SEEK_CUR) offset += sink.position;
    if (origin == ZLIB_FILEFUNC_SEEK_END) offset += end;
    if (offset < sink.written || offset > end) return -1;
    sink.position = offset;
    return 0;
  };
  functions.zclose_file = [](void*, void*) { return 0; };
  functions.zerror_file = [](void*, void*) { return 0; };
  archive_ = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
  if (archive_ == nullptr) throw std::bad_alloc();
}

ZipWriter::~ZipWriter() {
  // Not finished: only minizip's own memory is to be given back.
  if (archive_ != nullptr) zipClose(archive_, nullptr);
}

void ZipWriter::check(int code) const {
  if (sink_->failure) std::rethrow_exception(sink_->failure);
  // The sink reports its own failures, and our arguments are valid: only memory is left.
  if (code != ZIP_OK) throw std::bad_alloc();
}

void ZipWriter::begin(const std::string& path, std::uint64_t bytes) {
  zip_fileinfo info{};
  info.dosDate = kDate;
  check(zipOpenNewFileInZip64(archive_, path.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                              Z_DEFLATED, Z_DEFAULT_COMPRESSION, bytes >= kZip64From ? 1 : 0));
}

void ZipWriter::write(const void* bytes, std::size_t count) {
  const auto* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const std::size_t part = std::min(count, kChunk);
    check(zipWriteInFileInZip(archive_, from, static_cast<unsigned>(part)));
    from += part;
    count -= part;
  }
}

void ZipWriter::end() {
  check(zipCloseFileInZip(archive_));
  sink_->hand_on();
}

void ZipWriter::finish() {
  void* const archive = archive_;
  archive_ = nullptr;
  check(zipClose(archive, nullptr));
  sink_->hand_on();
}

}  // namespace mbn
