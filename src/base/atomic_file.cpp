// SPDX-License-Identifier: Apache-2.0
//
// How a file appears whole or not at all: bytes are collected in a buffer, written to a new file
// without a name in the same folder (O_TMPFILE: the system drops it if the process is killed),
// flushed to the disk, and given its name. Where a file system has no such files, the temporary one
// is `.name.<process>-<counter>.tmp`, made with O_EXCL, and renamed at the end.
//
// Whether the target exists is checked twice: in the constructor, before the caller does the work,
// and when the file gets its name, which does not replace another (a hard link, or
// RENAME_NOREPLACE). So a file that appeared in between is not lost either. To replace a file, the
// new one gets a temporary name for the moment before its rename.
//
// Devices and pipes cannot be the target of a rename and are written to directly. Standard output
// is always the descriptor that the process was given, because opening /dev/stdout anew would
// truncate a file that the shell redirected it to.
#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <system_error>

#include <mbn/error.hpp>

namespace mbn {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
/// Temporary names that are tried before giving up.
constexpr int kTries = 1000;

/// The descriptor that a path like /dev/stdout names, or -1.
int standing_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  constexpr std::string_view kFolder = "/dev/fd/";
  if (!path.starts_with(kFolder)) return -1;
  int number = -1;
  const char* end = path.data() + path.size();
  const auto parsed = std::from_chars(path.data() + kFolder.size(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end && number >= 0 ? number : -1;
}

void write_all(int descriptor, const char* bytes, std::size_t count, int& error) {
  error = 0;
  while (count > 0) {
    const ssize_t written = ::write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error = errno;
      return;
    }
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
}

/// Moves `from` to `to` only if there is nothing at `to`. Returns 0 or an errno.
int rename_without_replacing(const char* from, const char* to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != ENOSYS && errno != EINVAL) return errno;
#endif
  if (::link(from, to) == 0) {
    ::unlink(from);
    return 0;
  }
  if (errno == EEXIST) return EEXIST;
  // A file system that has neither: a check just before the rename is the best possible.
  struct stat status {};
  if (::lstat(to, &status) == 0) return EEXIST;
  return ::rename(from, to) == 0 ? 0 : errno;
}

/// Makes a rename survive a power cut. Not every file system supports it; the contents of the file
/// are safe without it.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path, bool overwrite)
    : path_(std::move(path)), overwrite_(overwrite) {
  const bool exists = check_target();
  if (direct_) return;
  open_temporary();
  // A file that is replaced keeps its permissions. If that fails, the new file has the default
  // ones.
  struct stat status {};
  if (exists && ::stat(path_.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
      ::fchmod(descriptor_, status.st_mode & 0777) != 0) {
    errno = 0;
  }
}

AtomicFile::AtomicFile(std::filesystem::path path, bool overwrite, std::filesystem::path part,
                       std::uint64_t kept)
    : path_(std::move(path)), overwrite_(overwrite) {
  check_target();
  if (direct_) {
    throw IoError(ErrorCode::not_a_file,
                  fmt::format("what goes to {} cannot go on after an interruption; give a file",
                              path_.string()),
                  {.path = path_});
  }
  stays_ = true;
  temporary_ = std::move(part);
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("cannot write to", errno);
  const off_t there = ::lseek(descriptor_, 0, SEEK_END);
  if (there < 0) fail("cannot write to", errno);
  if (static_cast<std::uint64_t>(there) < kept) {
    throw IoError(ErrorCode::system,
                  fmt::format("{} has {} bytes, but {} were written to it; remove the checkpoint "
                              "to start anew",
                              temporary_.string(), there, kept),
                  {.path = temporary_});
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(kept)) != 0 ||
      ::lseek(descriptor_, static_cast<off_t>(kept), SEEK_SET) < 0) {
    fail("cannot write to", errno);
  }
}

// Whether there is a file that will be replaced. Opens what is written to directly.
bool AtomicFile::check_target() {
  if (path_.empty()) {
    throw IoError(ErrorCode::not_a_file, "cannot write to a file without a name; give its path");
  }
  const int standing = standing_descriptor(path_.string());
  if (standing >= 0) {
    // What was printed before must come first.
    if (standing == STDOUT_FILENO) std::fflush(stdout);
    descriptor_ = ::fcntl(standing, F_DUPFD_CLOEXEC, 3);
    if (descriptor_ < 0) fail("cannot write to", errno);
    direct_ = true;
    return true;
  }

  struct stat status {};
  if (::lstat(path_.c_str(), &status) != 0) {
    if (errno != ENOENT) fail("cannot write to", errno);
    return false;
  }
  if (S_ISLNK(status.st_mode)) {
    // The file behind a link is replaced, not the link.
    std::error_code error;
    const auto target = std::filesystem::canonical(path_, error);
    if (!error) path_ = target;
    if (!error && ::stat(path_.c_str(), &status) != 0) fail("cannot write to", errno);
  }
  if (S_ISDIR(status.st_mode)) fail("cannot write to", EISDIR);
  if (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot write to", errno);
    direct_ = true;
    return true;
  }
  if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
    throw IoError(ErrorCode::not_a_file,
                  fmt::format("cannot write to {}: it is neither a file, a pipe nor a terminal",
                              path_.string()),
                  {.path = path_});
  }
  if (!overwrite_) fail_exists();
  return true;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty() && !stays_) ::unlink(temporary_.c_str());
}

std::filesystem::path AtomicFile::temporary_name() const {
  static std::atomic<unsigned> counter{0};
  return folder_of(path_) / fmt::format(".{}.{}-{}.tmp", path_.filename().string().substr(0, 200),
                                        ::getpid(),
                                        counter.fetch_add(1, std::memory_order_relaxed));
}

bool AtomicFile::open_nameless() {
#ifdef O_TMPFILE
  // It gets its name through /proc.
  if (::access("/proc/self/fd", X_OK) != 0) return false;
  descriptor_ = ::open(folder_of(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#endif
  return descriptor_ >= 0;
}

void AtomicFile::open_temporary() {
  if (open_nameless()) return;
  for (int i = 0; i < kTries; ++i) {
    const auto candidate = temporary_name();
    descriptor_ = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) {
      temporary_ = candidate;
      return;
    }
    if (errno == ENOENT) {
      throw IoError(ENOENT,
                    fmt::format("cannot write to {}: the folder {} does not exist; make it first",
                                path_.string(), folder_of(path_).string()),
                    path_);
    }
    if (errno != EEXIST && errno != EINTR) fail("cannot write to", errno);
  }
  fail("cannot find a free name for a temporary file beside", EEXIST);
}

int AtomicFile::name_it(const std::filesystem::path& name) const {
  const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0 ? 0
                                                                                          : errno;
}

void AtomicFile::write(const void* bytes, std::size_t count) {
  const char* text = static_cast<const char*>(bytes);
  if (count < kBufferBytes) {
    buffer_.append(text, count);
    if (buffer_.size() >= kBufferBytes) flush();
    return;
  }
  flush();
  int error = 0;
  write_all(descriptor_, text, count, error);
  if (error != 0) fail("cannot write to", error);
}

void AtomicFile::flush() {
  int error = 0;
  write_all(descriptor_, buffer_.data(), buffer_.size(), error);
  buffer_.clear();
  if (error != 0) fail("cannot write to", error);
}

void AtomicFile::rewrite_start(std::string_view text) {
  flush();
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written =
        ::pwrite(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write to", errno);
    done += static_cast<std::size_t>(written);
  }
}

// Some file systems do not support fsync and report it; that is no reason to lose the file.
void AtomicFile::sync() const {
  if (direct_ || ::fsync(descriptor_) == 0) return;
  if (errno != EINVAL && errno != ENOTSUP && errno != ENOSYS) fail("cannot write to", errno);
}

std::uint64_t AtomicFile::save() {
  flush();
  sync();
  const off_t there = ::lseek(descriptor_, 0, SEEK_CUR);
  if (there < 0) fail("cannot write to", errno);
  return static_cast<std::uint64_t>(there);
}

void AtomicFile::commit() {
  flush();
  sync();
  if (!direct_) publish();
  const int descriptor = descriptor_;
  descriptor_ = -1;
  // After EINTR the descriptor is closed on Linux, and the bytes were flushed above.
  if (::close(descriptor) != 0 && errno != EINTR) fail("cannot write to", errno);
}

void AtomicFile::publish() {
  int error = 0;
  if (temporary_.empty() && !overwrite_) {
    error = name_it(path_);
  } else {
    for (int i = 0; temporary_.empty() && i < kTries; ++i) {
      const auto candidate = temporary_name();
      error = name_it(candidate);
      if (error == 0) temporary_ = candidate;
      if (error != EEXIST) break;
    }
    if (error != 0) fail("cannot write to", error);
    error = overwrite_ ? (::rename(temporary_.c_str(), path_.c_str()) == 0 ? 0 : errno)
                       : rename_without_replacing(temporary_.c_str(), path_.c_str());
  }
  if (error == EEXIST && !overwrite_) fail_exists();
  if (error != 0) fail("cannot write to", error);
  temporary_.clear();
  sync_folder(folder_of(path_));
}

void AtomicFile::fail(const char* action, int code) const {
  throw IoError(
      code, fmt::format("{} {}: {}", action, path_.string(), std::generic_category().message(code)),
      path_);
}

void AtomicFile::fail_exists() const {
  throw IoError(ErrorCode::file_exists,
                {path_.string() + " exists already; allow overwriting it (",
                 option("overwrite", "true"), ") or choose another name"},
                {.option = "overwrite", .path = path_, .system_code = EEXIST});
}

}  // namespace mbn
