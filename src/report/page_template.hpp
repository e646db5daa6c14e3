// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mbn {

/// The report's page with marks for title and data; empty when this build has none.
std::string_view page_template();

}  // namespace mbn
