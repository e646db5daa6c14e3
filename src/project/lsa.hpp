// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "project/lsa_data.hpp"

namespace mbn {

/// What Lsa::fit does.
LsaData fit_lsa(RowsView rows, const LsaOptions& options, Job& job);

/// What Lsa::transform does: x V for every row x.
Matrix project_rows(const LsaData& lsa, RowsView rows, Job& job);

}  // namespace mbn
