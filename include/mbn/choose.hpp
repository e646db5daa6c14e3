// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <mbn/options.hpp>
#include <mbn/rows.hpp>
#include <mbn/selection.hpp>

namespace mbn {

/// Decides the open options (`is_open`). For every candidate, small networks are trained on a
/// sample of the rows; the candidate with the best stability is taken: its networks find the same
/// clusters. Labels are not used. `fit` calls it when options are open. The same data, options and
/// seed give the same choice on any number of threads.
Selection choose(RowsView rows, const FitOptions& options, const RunOptions& run = {});

/// The whole selection as one JSON object, by the names of its fields.
std::string to_json(const Selection& selection);

}  // namespace mbn
