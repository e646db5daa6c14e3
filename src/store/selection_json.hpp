// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <mbn/selection.hpp>

namespace mbn {

/// All of a selection; public, in <mbn/choose.hpp>.
std::string to_json(const Selection& selection);
/// The reverse of `to_json`. FormatError, beginning with `file`, for anything else.
Selection selection_from_json(std::string_view text, std::string_view file);

}  // namespace mbn
