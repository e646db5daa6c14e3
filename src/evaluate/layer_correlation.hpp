// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/codes.hpp>
#include <mbn/evaluate.hpp>
#include <mbn/matrix.hpp>

#include "base/job.hpp"
#include "network/model_data.hpp"

namespace mbn {

/// layer_correlation() of rows that were encoded: `codes` are theirs in layer `layer`, counted from
/// 1, and `below` those of the layer below it, which layer 1 does not need. At least one row.
LayerCorrelation measure_correlation(const ModelData& model, MatrixView rows,
                                     const CodeMatrix* below, const CodeMatrix& codes,
                                     std::uint32_t layer, Job& job);

}  // namespace mbn
