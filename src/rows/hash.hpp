// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/rows.hpp>

namespace mbn {

/// Tells one data set from another, so that a checkpoint is not continued on the wrong one. Depends
/// on the numbers and on the kind of rows, not on where they lie.
std::uint64_t hash_rows(RowsView rows);

}  // namespace mbn
