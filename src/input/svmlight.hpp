// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// Whether a text begins like svmlight: a label, then column:value.
bool is_svmlight(std::span<const std::byte> start);

/// Sparse rows with their labels: `label column:value column:value ... # comment`, columns counted
/// from 1 and ascending. `columns` is their number; 0: the highest that occurs.
Table read_svmlight(ByteSource& source, std::uint64_t columns);

}  // namespace mbn
