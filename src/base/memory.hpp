// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mbn {

/// Declared for users in <mbn/plan.hpp>.
std::uint64_t available_memory();

/// Bytes that work may take: the limit that was asked for, else what the machine has free, and no
/// limit where that is not known.
std::uint64_t usable_memory(std::optional<std::uint64_t> limit);

/// "1.4 GB", for messages.
std::string readable_bytes(std::uint64_t bytes);

}  // namespace mbn
