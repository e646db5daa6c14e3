// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/atomic_file.hpp"

namespace mbn {

/// A zip archive, written from front to back; of any size (zip64 from 4 GB on). The same members
/// give the same bytes: dates are 1980-01-01. One compressed member is in memory at a time.
class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file);
  ~ZipWriter();
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  /// Begins a member that will hold `bytes` bytes.
  void begin(const std::string& path, std::uint64_t bytes);
  /// Adds to the member that was begun.
  void write(const void* bytes, std::size_t count);
  void end();

  /// Writes the directory of the archive. The file is not committed.
  void finish();

 private:
  struct Sink;
  void check(int code) const;

  std::unique_ptr<Sink> sink_;
  void* archive_ = nullptr;
};

}  // namespace mbn
