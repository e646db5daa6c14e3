// SPDX-License-Identifier: Apache-2.0
#include "base/job.hpp"

namespace mbn {

namespace {

const RunOptions& validated(const RunOptions& run) {
  validate(run);
  return run;
}

}  // namespace

Job::Job(const RunOptions& run) : threads_(validated(run)), progress_(run) {}

void Job::parallel(std::size_t tasks, const std::function<void(std::size_t, unsigned)>& body) {
  threads_.parallel(tasks, [&](std::size_t task, unsigned worker) {
    body(task, worker);
    progress_.advance();
  });
}

void Job::stage(std::string_view name, double share, std::size_t steps, std::uint32_t layer,
                std::uint32_t layers) {
  check();
  progress_.stage(name, share, steps, layer, layers);
}

void Job::advance() {
  check();
  progress_.advance();
}

}  // namespace mbn
