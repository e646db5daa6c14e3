// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/rows.hpp>

namespace mbn {

/// A hash of the data, so that a checkpoint is not continued on another data set. Depends on the
/// values and on the kind of rows (element type, dense or sparse), not on the stride or the
/// address.
std::uint64_t hash_rows(RowsView rows);

}  // namespace mbn
