// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include <mbn/options.hpp>

namespace mbn::python {

namespace nb = nanobind;

/// Runs work of the library for a Python thread. The work runs on a thread of its own without the
/// GIL; the calling thread sleeps, and wakes now and then to let Python handle its signals (Ctrl-C)
/// and to call `callback(stage, layer, layers, overall)`. Both happen on the calling thread, so a
/// callback may use anything that Python code may. An exception of either stops the work.
class Watch {
 public:
  /// `run` holds threads, memory_limit and callback; None or absent values are the defaults.
  explicit Watch(const nb::dict& run);

  template <class Work>
  auto operator()(Work&& work) {
    std::optional<decltype(work(options_))> result;
    run([&] { result.emplace(work(options_)); });
    return *std::move(result);
  }

  /// The same for work that may end early with something worth having: Ctrl-C then gives that, and
  /// raises only when there is nothing yet.
  template <class Work>
  auto or_best(Work&& work) {
    std::optional<decltype(work(options_))> result;
    try {
      run([&] { result.emplace(work(options_)); });
    } catch (const nb::python_error& error) {
      if (!result || !error.matches(PyExc_KeyboardInterrupt)) throw;
    }
    return *std::move(result);
  }

 private:
  struct Report {
    std::string stage;
    std::uint32_t layer = 0;
    std::uint32_t layers = 0;
    double overall = 0;
  };

  void run(const std::function<void()>& work);
  void wait_and_serve();
  void serve(const std::optional<Report>& report);

  RunOptions options_;
  nb::object callback_;
  std::atomic<bool> cancel_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::optional<Report> report_;
  std::exception_ptr interrupt_;
};

}  // namespace mbn::python
