// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/options.hpp>

namespace mbn {

/// One piece of work under RunOptions: threads, progress, cancellation and notes. It lives for one
/// public call; nothing of it is global, and no thread outlives a call of `parallel`.
class Job {
 public:
  explicit Job(const RunOptions& run);

  unsigned threads() const { return threads_; }
  std::optional<std::uint64_t> memory_limit() const { return run_.memory_limit; }

  /// Throws Cancelled when the caller asked to stop.
  void check() const;

  /// Calls `body(task, worker)` for every task 0 .. tasks-1, each exactly once, on up to
  /// `threads()` threads; `worker` is below `threads()` and names a work space. Tasks are handed
  /// out in order. The first exception of a task is rethrown here; cancellation is checked before
  /// every task. Results must not depend on which worker ran a task.
  void parallel(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& body);

  /// The next stage of the work, which is `share` of the whole (all shares add up to 1) and has
  /// `units` equal steps. Every task of `parallel` is one step.
  void stage(std::string_view name, double share, std::size_t units, std::uint32_t layer = 0,
             std::uint32_t layers = 0);

  void note(Note note);
  const std::vector<Note>& notes() const { return notes_; }

 private:
  void advance();

  const RunOptions run_;
  unsigned threads_;
  std::vector<Note> notes_;

  std::mutex mutex_;
  Progress progress_;
  std::string stage_name_;
  double stage_start_ = 0;
  double stage_share_ = 0;
  std::size_t stage_units_ = 1;
  std::size_t stage_done_ = 0;
  std::chrono::steady_clock::time_point last_call_;
};

/// Splits `count` items into tasks of `block` items: task t covers [t * block, ...).
inline std::size_t blocks(std::size_t count, std::size_t block) {
  return (count + block - 1) / block;
}

}  // namespace mbn
