// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/codes.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "network/model_data.hpp"
#include "network/top.hpp"

namespace mbn {

/// The top codes of the bottom layer's kept rows, which are prepared already.
CodeMatrix codes_of_kept(const ModelData& model, const RunOptions& run, Job& job);

/// The network with its layers as they are, and components, clusters and map made anew for `rows`,
/// whose top codes are `codes`. The map is one of the kept rows, as ever.
TrainedNetwork refresh(ModelData model, RowsView rows, const CodeMatrix& codes,
                       const RunOptions& run, Job& job);

/// Bytes that encoding so many rows and `refresh` take besides the rows and the model.
std::uint64_t refresh_bytes(const ModelData& model, std::uint64_t rows, const RunOptions& run,
                            unsigned threads);

}  // namespace mbn
