// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <mbn/message.hpp>

namespace mbn::tool {

/// A message of the library as the command line says it: `--feature-fraction 1` for its option
/// feature_fraction with the value 1, `--force` for its argument `overwrite`.
std::string in_tool_words(const Message& message);

}  // namespace mbn::tool
