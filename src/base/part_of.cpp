// SPDX-License-Identifier: Apache-2.0
#include "base/part_of.hpp"

namespace mbn {

RunOptions part_of(const RunOptions& run, double begin, double end, const char* stage) {
  RunOptions part = run;
  if (!run.progress) return part;
  part.progress = [whole = run.progress, begin, end, stage](Progress progress) {
    progress.overall = begin + (end - begin) * progress.overall;
    if (stage != nullptr) progress = {stage, 0, 0, progress.overall};
    whole(progress);
  };
  return part;
}

}  // namespace mbn
