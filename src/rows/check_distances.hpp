// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <mbn/message.hpp>
#include <mbn/rows.hpp>

namespace mbn {

/// Looks at rows that are to be distances between the training rows. InvalidArgument when they are
/// not square, below 0, or similarities: rows that are farther from themselves than from most
/// others. A note when the distance from one row to another is not that of the other to the one.
/// Sparse rows, lists of neighbours, need not be the same both ways.
std::optional<Message> check_distances(RowsView rows);

}  // namespace mbn
