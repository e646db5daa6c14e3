// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/matrix.hpp>

namespace mbn {

/// The rows of a page's sample: all, or `count` at random, the same every time. Rows of a cluster
/// that lie near each other on the map follow each other, which makes their codes pack well.
/// `labels` may be empty.
std::vector<std::uint32_t> page_sample(MatrixView map, std::span<const std::int32_t> labels,
                                       std::uint32_t count);

}  // namespace mbn
