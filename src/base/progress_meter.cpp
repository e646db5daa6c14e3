// SPDX-License-Identifier: Apache-2.0
#include "base/progress_meter.hpp"

#include <algorithm>

namespace mbn {

namespace {
constexpr auto kInterval = std::chrono::milliseconds(100);
}  // namespace

void ProgressMeter::stage(std::string_view name, double share, std::size_t steps,
                          std::uint32_t layer, std::uint32_t layers) {
  const std::lock_guard lock(mutex_);
  start_ += share_;
  share_ = share;
  steps_ = std::max<std::size_t>(steps, 1);
  done_ = 0;
  name_ = name;
  progress_ = {name_, layer, layers, std::min(start_, 1.0)};
  if (tell_) tell_(progress_);
}

void ProgressMeter::advance() {
  if (!tell_) return;
  const std::lock_guard lock(mutex_);
  done_ = std::min(done_ + 1, steps_);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_call_ < kInterval) return;
  last_call_ = now;
  const double part = static_cast<double>(done_) / static_cast<double>(steps_);
  progress_.overall = std::min(start_ + share_ * part, 1.0);
  tell_(progress_);
}

}  // namespace mbn
