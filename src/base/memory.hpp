// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mbn {

/// Bytes that this process could still take: what the system calls available, or less when the
/// process lives in a container with a limit of its own. 0 when the system does not tell.
std::uint64_t available_memory();

/// "1.4 GB", for messages.
std::string readable_bytes(std::uint64_t bytes);

}  // namespace mbn
