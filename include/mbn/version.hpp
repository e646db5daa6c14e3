// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mbn {

/// The version of the library, as in the release notes.
std::string_view version();

/// Instruction sets that the library was compiled for, by Highway's names, the best first: on x86
/// AVX3 (AVX-512), AVX2, SSE4, SSSE3 and SCALAR.
std::vector<std::string> compiled_targets();

/// Those of them that this processor has.
std::vector<std::string> processor_targets();

/// The one in use: the best, unless the environment variable MBN_TARGET names another when the
/// first kernel runs. Models, embeddings and labels are the same bytes on every target. Students
/// differ in the last bits on targets without fused multiply-add (SSE4 and below).
/// Both throw InvalidArgument when MBN_TARGET names a target that is not among them.
std::string processor_target();

}  // namespace mbn
