// SPDX-License-Identifier: Apache-2.0
//
// Python handles signals only on its main thread, and the library calls back from any of its own.
// So the calling thread does no work but watches: the worker leaves its newest progress report in
// one place, and whoever is late sees only the newest. No thread of the library ever takes the GIL.
#include "watch.hpp"

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "convert.hpp"

namespace mbn::python {

namespace {
constexpr auto kSignalInterval = std::chrono::milliseconds(50);
}  // namespace

Watch::Watch(const nb::dict& run) {
  nb::dict plain;
  for (const auto& [key, value] : run) {
    if (nb::cast<std::string>(key) == "callback") {
      callback_ = nb::borrow(value);
    } else {
      plain[key] = value;
    }
  }
  options_ = run_options(plain);
  options_.cancel = &cancel_;
  if (!callback_.is_valid() || callback_.is_none()) return;
  options_.progress = [this](const Progress& progress) {
    const std::lock_guard lock(mutex_);
    report_ = {std::string(progress.stage), progress.layer, progress.layers, progress.overall};
    wake_.notify_one();
  };
}

void Watch::run(const std::function<void()>& work) {
  std::exception_ptr failure;
  const auto whole = [&] {
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_ = true;
    wake_.notify_one();
  };
  {
    const nb::gil_scoped_release released;
    std::thread worker;
    try {
      worker = std::thread(whole);
    } catch (const std::system_error&) {
      whole();  // No thread to be had: do it here, and see to signals afterwards.
    }
    wait_and_serve();
    if (worker.joinable()) worker.join();
  }
  if (interrupt_) std::rethrow_exception(interrupt_);
  if (failure) std::rethrow_exception(failure);
}

void Watch::wait_and_serve() {
  for (bool done = false; !done;) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, kSignalInterval, [this] { return done_ || report_.has_value(); });
    done = done_;
    const std::optional<Report> report = std::exchange(report_, std::nullopt);
    lock.unlock();
    serve(report);
  }
}

void Watch::serve(const std::optional<Report>& report) {
  if (interrupt_) return;
  const nb::gil_scoped_acquire acquired;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (report) callback_(report->stage, report->layer, report->layers, report->overall);
  } catch (...) {
    interrupt_ = std::current_exception();
    cancel_ = true;
  }
}

}  // namespace mbn::python
