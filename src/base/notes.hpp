// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <mbn/message.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// The notes of one public call: each is told to RunOptions::note at once, and kept. For one thread
/// at a time.
class Notes {
 public:
  explicit Notes(const RunOptions& run) : tell_(run.note) {}

  void add(Note note) {
    if (tell_) tell_(note);
    all_.push_back(std::move(note));
  }
  const std::vector<Note>& all() const { return all_; }

 private:
  std::function<void(const Note&)> tell_;
  std::vector<Note> all_;
};

}  // namespace mbn
