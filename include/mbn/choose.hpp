// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <mbn/options.hpp>
#include <mbn/rows.hpp>
#include <mbn/selection.hpp>

namespace mbn {

/// Decides what `options` leave open. Small networks are trained on a sample of the rows for every
/// candidate, and the candidate is taken whose networks agree best; labels are not involved. `fit`
/// calls it when options are open.
/// The same data, options and seed give the same choice on any number of threads.
Selection choose(RowsView rows, const FitOptions& options, const RunOptions& run = {});

/// All of it, for programs: one JSON object with the names of Selection.
std::string to_json(const Selection& selection);

}  // namespace mbn
