// SPDX-License-Identifier: Apache-2.0
//
// Threads are made for each parallel call and joined before it returns. That costs some tens of
// microseconds, which is nothing beside our tasks, and buys a library that is safe after fork,
// keeps no idle threads and has no global state.
#include "base/job.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include <mbn/error.hpp>

namespace mbn {

namespace {
constexpr auto kProgressInterval = std::chrono::milliseconds(100);
}  // namespace

Job::Job(const RunOptions& run)
    : run_(run), threads_(run.threads.value_or(std::max(1U, std::thread::hardware_concurrency()))) {
  validate(run);
}

void Job::check() const {
  if (run_.cancel != nullptr && run_.cancel->load(std::memory_order_relaxed)) throw Cancelled();
}

void Job::parallel(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& body) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&](unsigned worker) {
    try {
      for (std::size_t task = next++; task < tasks; task = next++) {
        check();
        body(task, worker);
        advance();
      }
    } catch (...) {
      next = tasks;
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  const auto workers = static_cast<unsigned>(std::min<std::size_t>(threads_, tasks));
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

void Job::stage(std::string_view name, double share, std::size_t units, std::uint32_t layer,
                std::uint32_t layers) {
  check();
  const std::lock_guard lock(mutex_);
  stage_start_ += stage_share_;
  stage_share_ = share;
  stage_units_ = std::max<std::size_t>(units, 1);
  stage_done_ = 0;
  stage_name_ = name;
  progress_ = {stage_name_, layer, layers, std::min(stage_start_, 1.0)};
  if (run_.progress) run_.progress(progress_);
}

void Job::advance() {
  if (!run_.progress) return;
  const std::lock_guard lock(mutex_);
  stage_done_ = std::min(stage_done_ + 1, stage_units_);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_call_ < kProgressInterval) return;
  last_call_ = now;
  const double part = static_cast<double>(stage_done_) / static_cast<double>(stage_units_);
  progress_.overall = std::min(stage_start_ + stage_share_ * part, 1.0);
  run_.progress(progress_);
}

void Job::note(Note note) {
  if (run_.note) run_.note(note);
  notes_.push_back(std::move(note));
}

}  // namespace mbn
