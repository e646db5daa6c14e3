// SPDX-License-Identifier: Apache-2.0
//
// Regular files are mapped privately and read-only: a big matrix costs no copy, and pages that are
// not looked at are not read. Pipes and standard input are streamed through `read`, with a small
// buffer in front so that the kind of a file can be told from its first bytes.
#include "input/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <mbn/error.hpp>

namespace mbn {
namespace {

[[noreturn]] void fail_to_read(const std::string& name, int code) {
  throw IoError(
      code, fmt::format("cannot read {}: {}", name, std::generic_category().message(code)), name);
}

std::unique_ptr<ByteSource> map_file(const std::string& path, int descriptor, std::size_t size) {
  if (size == 0) return std::make_unique<MemorySource>(path, nullptr, std::span<const std::byte>());
  void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) fail_to_read(path, errno);
  std::shared_ptr<const void> owner(
      address, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
  return std::make_unique<MemorySource>(
      path, std::move(owner), std::span(static_cast<const std::byte*>(address), size), true);
}

}  // namespace

void ByteSource::read_exactly(void* bytes, std::size_t count, const char* what) {
  auto* to = static_cast<std::byte*>(bytes);
  std::size_t done = 0;
  while (done < count) {
    const std::size_t got = read(to + done, count - done);
    if (got == 0) {
      throw FormatError(
          ErrorCode::damaged,
          fmt::format("{}: the file ends inside {}: {} of {} bytes are there; it is cut short or "
                      "damaged, fetch or write it again",
                      name(), what, done, count),
          {.path = name()});
    }
    done += got;
  }
}

void ByteSource::skip(std::uint64_t count) {
  std::byte passed[4096];
  while (count > 0) {
    const std::size_t got = read(passed, std::min<std::uint64_t>(count, sizeof passed));
    if (got == 0) return;
    count -= got;
  }
}

void ByteSource::expect_end() {
  if (peek(1).empty()) return;
  throw FormatError(
      ErrorCode::damaged,
      fmt::format("{}: there are more bytes after the array than its header declares; the file is "
                  "damaged or holds several arrays, write it again with one",
                  name()),
      {.path = name()});
}

std::size_t MemorySource::read(void* bytes, std::size_t count) {
  const std::size_t got = std::min(count, bytes_.size());
  if (got > 0) std::memcpy(bytes, bytes_.data(), got);
  bytes_ = bytes_.subspan(got);
  return got;
}

std::span<const std::byte> MemorySource::peek(std::size_t count) {
  return bytes_.first(std::min(count, bytes_.size()));
}

std::shared_ptr<const std::byte> MemorySource::take_shared(std::size_t count) {
  if (!owner_ || count > bytes_.size()) return nullptr;
  std::shared_ptr<const std::byte> taken(owner_, bytes_.data());
  bytes_ = bytes_.subspan(count);
  return taken;
}

// Pages that were read are clean, so that the system has them in the file.
void MemorySource::release() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t taken = (all_.size() - bytes_.size()) / page * page;
  if (!mapped_ || taken == 0) return;
  ::madvise(const_cast<std::byte*>(all_.data()), taken, MADV_DONTNEED);
  all_ = all_.subspan(taken);
}

std::size_t BufferedSource::read(void* bytes, std::size_t count) {
  if (taken_ == peeked_.size()) return fill(bytes, count);
  const std::size_t got = std::min(count, peeked_.size() - taken_);
  if (got > 0) std::memcpy(bytes, peeked_.data() + taken_, got);
  taken_ += got;
  return got;
}

std::span<const std::byte> BufferedSource::peek(std::size_t count) {
  peeked_.erase(peeked_.begin(), peeked_.begin() + static_cast<std::ptrdiff_t>(taken_));
  taken_ = 0;
  while (peeked_.size() < count) {
    const std::size_t before = peeked_.size();
    peeked_.resize(count);
    const std::size_t got = fill(peeked_.data() + before, count - before);
    peeked_.resize(before + got);
    if (got == 0) break;
  }
  return std::span<const std::byte>(peeked_).first(std::min(count, peeked_.size()));
}

DescriptorSource::DescriptorSource(std::string name, int descriptor, bool owned)
    : BufferedSource(std::move(name)), descriptor_(descriptor), owned_(owned) {}

DescriptorSource::~DescriptorSource() {
  if (owned_) ::close(descriptor_);
}

std::size_t DescriptorSource::fill(void* bytes, std::size_t count) {
  while (true) {
    const ssize_t got = ::read(descriptor_, bytes, count);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail_to_read(name(), errno);
  }
}

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  if (path == "-") {
    return std::make_unique<DescriptorSource>("standard input", STDIN_FILENO, false);
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_to_read(path, errno);
  auto stream = std::make_unique<DescriptorSource>(path, descriptor, true);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail_to_read(path, errno);
  if (S_ISDIR(status.st_mode)) fail_to_read(path, EISDIR);
  // Files of /proc have size 0, but hold bytes: they are streamed.
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return stream;
  return map_file(path, descriptor, static_cast<std::size_t>(status.st_size));
}

std::unique_ptr<MemorySource> load(ByteSource& source) {
  constexpr std::size_t kFirstBytes = std::size_t{1} << 16;
  auto bytes = std::make_shared<std::vector<std::byte>>();
  std::size_t used = 0;
  while (true) {
    if (used == bytes->size()) bytes->resize(std::max(kFirstBytes, used + used / 2));
    const std::size_t got = source.read(bytes->data() + used, bytes->size() - used);
    if (got == 0) break;
    used += got;
  }
  const std::span<const std::byte> all(bytes->data(), used);
  return std::make_unique<MemorySource>(source.name(), std::move(bytes), all);
}

}  // namespace mbn
