// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/codes.hpp>

namespace mbn {

/// The numbers of all rows in an order in which rows with common codes stand near each other: by
/// the code of the first clustering, then of the second, and so on for four. Work done in this
/// order finds most of what it reads in the cache. It decides nothing.
std::vector<std::uint32_t> similar_order(const CodeMatrix& rows);

}  // namespace mbn
