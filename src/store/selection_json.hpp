// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <mbn/choose.hpp>

namespace mbn {

/// The reverse of `to_json`. FormatError, beginning with `file`, for anything else.
Selection selection_from_json(std::string_view text, std::string_view file);

}  // namespace mbn
