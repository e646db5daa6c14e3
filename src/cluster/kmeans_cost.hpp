// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mbn {

/// Estimated seconds of `kmeans` on one core.
constexpr double kmeans_seconds(std::uint64_t rows, std::uint64_t columns, std::uint64_t clusters,
                                std::uint64_t restarts) {
  return static_cast<double>(rows) * static_cast<double>(clusters) * static_cast<double>(columns) *
         static_cast<double>(restarts) * 4e-9;
}

}  // namespace mbn
