// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/codes.hpp>

namespace mbn {

/// For each cluster the sampled rows that share most clusterings with those of their cluster, at
/// most `count`, the most typical first; of rows with equal codes only the first. `codes` are those
/// of the rows with the numbers `sample`; `labels` are those of all rows; negative: in none.
std::vector<std::vector<std::uint32_t>> find_exemplars(const CodeMatrix& codes,
                                                       std::span<const std::uint32_t> sample,
                                                       std::span<const std::int32_t> labels,
                                                       std::uint32_t clusters, std::size_t count);

}  // namespace mbn
