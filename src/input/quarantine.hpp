// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "input/byte_source.hpp"

namespace mbn {

/// Where quarantined work writes to. When nobody reads any more, the process ends.
class QuarantineOutput {
 public:
  explicit QuarantineOutput(int descriptor) : descriptor_(descriptor) {}

  void write(const void* bytes, std::size_t count);

 private:
  int descriptor_;
};

/// What `work` writes, as a source of bytes. The work is done in a child process that, where the
/// kernel allows to say so, can compute, allocate memory and write to its pipe, and nothing else:
/// no files, no network, no processes. For libraries that were not made for files of strangers:
/// when they crash, hang (2 to 10 seconds of work without a byte, by the size of the file) or take
/// more memory than a file of `file_bytes` explains, there is a FormatError, and nothing happens to
/// this process. Nor do threads and other users of such a library see its global state.
///
/// The work ends by itself or by an exception, after which nothing more is written: what it writes
/// must tell whether it is complete, and must not be trusted.
class Quarantine final : public BufferedSource {
 public:
  using Work = std::function<void(QuarantineOutput&)>;

  /// `limit` is an upper bound of what an honest child can write.
  Quarantine(std::string name, std::uint64_t file_bytes, std::uint64_t limit, const Work& work);
  ~Quarantine() override;

  std::uint64_t limit() const override { return limit_; }
  /// The end of what is written; FormatError unless the work came to its end.
  void finish();

 protected:
  std::size_t fill(void* bytes, std::size_t count) override;

 private:
  [[noreturn]] void refuse_to_wait() const;
  bool ended_well();
  double worked_seconds() const;

  pid_t child_ = -1;
  int descriptor_ = -1;
  std::uint64_t limit_;
  double most_work_seconds_;
};

}  // namespace mbn
