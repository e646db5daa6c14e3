// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <mbn/input.hpp>

#include "input/byte_source.hpp"

namespace mbn {

/// Whether bytes begin like a MATLAB file of version 5 (and 6, 7).
bool is_mat5(std::span<const std::byte> start);

/// A matrix of numbers, dense or sparse: `array`, or X, data, fea, or the only one.
Table read_mat5(const MemorySource& source, const std::string& array, bool* has_nan = nullptr);

}  // namespace mbn
