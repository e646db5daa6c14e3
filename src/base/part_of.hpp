// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/options.hpp>

namespace mbn {

/// The same run for a part of the work. The part reports its own progress from 0 to 1, and the
/// caller sees progress from `begin` to `end`. `stage`, when given, replaces the names of the
/// part's stages; it must outlive the run.
RunOptions part_of(const RunOptions& run, double begin, double end, const char* stage = nullptr);

}  // namespace mbn
