// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/rows.hpp>

namespace mbn {

/// Whether all cells are whole numbers from 0 on, and some above: nothing was scaled, logarithmed
/// or centred.
bool are_raw_counts(RowsView rows);

}  // namespace mbn
