// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mbn::tool {

/// The candidate that takes the fewest single-letter edits to reach from `word`; empty when none is
/// near enough.
std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace mbn::tool
