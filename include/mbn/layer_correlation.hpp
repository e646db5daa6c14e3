// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <mbn/evaluate.hpp>
#include <mbn/matrix.hpp>
#include <mbn/model.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// `layer` counts from 1; 0 is the top. At most `sample` rows are used (0: all). InvalidArgument
/// for layer 1 of a model of sparse rows.
LayerCorrelation layer_correlation(const Model& model, MatrixView rows, std::uint32_t layer,
                                   std::uint32_t sample = 500, const RunOptions& run = {});

}  // namespace mbn
