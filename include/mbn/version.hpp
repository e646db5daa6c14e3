// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mbn {

/// The version of the library, as in the release notes.
std::string_view version();

}  // namespace mbn
