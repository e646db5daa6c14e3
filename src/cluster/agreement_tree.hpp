// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/codes.hpp>
#include <mbn/tree.hpp>

#include "base/job.hpp"

namespace mbn {

/// The tree of rows with these codes, layer by layer; all layers have the same rows, two or more.
/// What it says does not depend on the order of the rows.
std::vector<Merge> agreement_tree(std::span<const CodeMatrix> layers, Job& job);

/// Rows of the tree by which clusters are counted, at most.
inline constexpr std::uint32_t kCountedTreeRows = 1500;

/// Bytes that it takes besides the codes.
std::uint64_t agreement_tree_bytes(std::uint64_t rows);

}  // namespace mbn
