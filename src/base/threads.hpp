// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include <mbn/options.hpp>

namespace mbn {

/// The threads of one public call, and its cancellation. No thread outlives a call of `parallel`.
class Threads {
 public:
  explicit Threads(const RunOptions& run);

  unsigned count() const { return count_; }

  /// Throws Cancelled when the caller asked to stop.
  void check() const;

  /// Calls `body(task, worker)` for every task 0 .. tasks-1, each exactly once, on up to `count()`
  /// threads; `worker` is below `count()` and names a workspace. Tasks are handed out in order.
  /// The first exception of a task is rethrown here; cancellation is checked before every task.
  /// Results must not depend on which worker ran a task.
  void parallel(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& body) const;

 private:
  unsigned count_;
  const std::atomic<bool>* cancel_;
};

}  // namespace mbn
