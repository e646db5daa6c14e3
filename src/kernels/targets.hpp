// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hwy/highway.h>

namespace mbn {

/// Makes Highway use the target that the environment variable MBN_TARGET names, if it names one.
/// The variable is read once in a process, by the first call; InvalidArgument when the name is
/// unknown or this processor cannot run it. Later calls cost nothing. Thread-safe.
void use_asked_target();

}  // namespace mbn

/// Calls a kernel that was compiled for every target (HWY_EXPORT) on the target in use.
#define MBN_DISPATCH(kernel) (::mbn::use_asked_target(), HWY_DYNAMIC_DISPATCH(kernel))
