// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include <mbn/options.hpp>

#include "base/progress_meter.hpp"
#include "base/threads.hpp"

namespace mbn {

/// One piece of work: its threads with their cancellation, and the meter that every parallel task
/// advances. It lives for one public call; nothing of it is global.
class Job {
 public:
  /// InvalidArgument when a run option is out of its range.
  explicit Job(const RunOptions& run);

  unsigned threads() const { return threads_.count(); }
  /// Throws Cancelled when the caller asked to stop.
  void check() const { threads_.check(); }

  /// Threads::parallel; every task is one step of the current stage.
  void parallel(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& body);

  /// ProgressMeter::stage, after a look whether the caller asked to stop.
  void stage(std::string_view name, double share, std::size_t steps, std::uint32_t layer = 0,
             std::uint32_t layers = 0);
  /// One step that was done elsewhere; throws Cancelled as `check` does.
  void advance();

 private:
  Threads threads_;
  ProgressMeter progress_;
};

/// For a part of a work whose progress is told elsewhere.
inline RunOptions without_progress(RunOptions run) {
  run.progress = nullptr;
  return run;
}

/// Splits `count` items into tasks of `block` items: task t covers [t * block, ...).
inline std::size_t blocks(std::size_t count, std::size_t block) {
  return (count + block - 1) / block;
}

}  // namespace mbn
