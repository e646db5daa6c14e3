// SPDX-License-Identifier: Apache-2.0
//
// Threads are made for each parallel call and joined before it returns. That costs some tens of
// microseconds, which is nothing beside our tasks, and buys a library that is safe after fork,
// keeps no idle threads and has no global state.
#include "base/threads.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <mbn/error.hpp>

namespace mbn {

Threads::Threads(const RunOptions& run)
    : count_(run.threads.value_or(std::max(1U, std::thread::hardware_concurrency()))),
      cancel_(run.cancel) {}

void Threads::check() const {
  if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) throw Cancelled();
}

void Threads::parallel(std::size_t tasks,
                       const std::function<void(std::size_t, unsigned)>& body) const {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&](unsigned worker) {
    try {
      for (std::size_t task = next++; task < tasks; task = next++) {
        check();
        body(task, worker);
      }
    } catch (...) {
      next = tasks;
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  const auto workers = static_cast<unsigned>(std::min<std::size_t>(count_, tasks));
  std::vector<std::thread> others;
  others.reserve(workers);
  try {
    for (unsigned worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
  } catch (const std::exception&) {
    // The system gives no more threads, or no memory for them (system_error, bad_alloc): those that
    // started, and this one, do all the work.
  }
  work(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mbn
