// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mbn {

/// Declared for users in <mbn/plan.hpp>.
std::uint64_t available_memory();

/// "1.4 GB", for messages.
std::string readable_bytes(std::uint64_t bytes);

}  // namespace mbn
