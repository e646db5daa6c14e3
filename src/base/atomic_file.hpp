// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace mbn {

/// A file that appears whole or not at all: bytes go to a temporary file in the same folder, and
/// `commit` flushes it and gives it its name. Without `commit` (an exception, an interrupt, a
/// killed process where the file system allows files without a name) nothing is left of it. All
/// failures are IoErrors that name the path and the system's reason. For one thread at a time.
class AtomicFile {
 public:
  /// Refuses to replace an existing file unless `overwrite`. A path that is a device or a pipe
  /// (/dev/stdout, /dev/null) is written to directly.
  AtomicFile(std::filesystem::path path, bool overwrite);
  /// Bytes go to the file `part`, which has a name and stays without `commit`; the first `kept`
  /// bytes of it are taken over. IoError when it has fewer.
  AtomicFile(std::filesystem::path path, bool overwrite, std::filesystem::path part,
             std::uint64_t kept);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* bytes, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Replaces bytes at the start, which must have been written. Not for devices and pipes.
  void rewrite_start(std::string_view text);
  /// Brings all bytes so far to the disk. Returns how many there are.
  std::uint64_t save();
  void commit();
  /// Whether it is a device or a pipe.
  bool is_direct() const { return direct_; }

 private:
  bool check_target();
  std::filesystem::path temporary_name() const;
  /// False where the system or the file system has no files without a name.
  bool open_nameless();
  void open_temporary();
  /// Gives the file without a name this one. Returns 0 or an errno.
  int name_it(const std::filesystem::path& name) const;
  void flush();
  void sync() const;
  void publish();
  [[noreturn]] void fail(const char* action, int code) const;
  [[noreturn]] void fail_exists() const;

  std::filesystem::path path_;
  /// Empty while the temporary file has no name.
  std::filesystem::path temporary_;
  std::string buffer_;
  int descriptor_ = -1;
  bool direct_ = false;
  bool stays_ = false;  // the temporary file is a part file
  bool overwrite_ = false;
};

}  // namespace mbn
