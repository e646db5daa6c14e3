// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mbn {

/// values[j] = offset[j] + factor[j] * values[j]. Returns the smallest; NaN is never smaller.
float finish_estimates(const float* offset, const float* factor, std::size_t count, float* values);

/// The first index from `first` on whose value is at most `limit`; `count` when there is none.
std::size_t find_at_most(const float* values, std::size_t first, std::size_t count, float limit);

/// The same in plain loops: the reference in tests.
namespace reference {
float finish_estimates(const float* offset, const float* factor, std::size_t count, float* values);
std::size_t find_at_most(const float* values, std::size_t first, std::size_t count, float limit);
}  // namespace reference

}  // namespace mbn
