// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include <mbn/options.hpp>

namespace mbn {

/// Tells RunOptions::progress where the work stands, at most ten times a second. May be advanced
/// from many threads.
class ProgressMeter {
 public:
  explicit ProgressMeter(const RunOptions& run) : tell_(run.progress) {}

  /// The next stage of the work, which is `share` of the whole (all shares add up to 1) and has
  /// `steps` equal steps.
  void stage(std::string_view name, double share, std::size_t steps, std::uint32_t layer = 0,
             std::uint32_t layers = 0);
  /// One step is done.
  void advance();

 private:
  const std::function<void(const Progress&)> tell_;
  std::mutex mutex_;
  Progress progress_;
  std::string name_;
  double start_ = 0;
  double share_ = 0;
  std::size_t steps_ = 1;
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point last_call_;
};

}  // namespace mbn
