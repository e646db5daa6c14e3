// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/job.hpp"
#include "network/model_data.hpp"

namespace mbn {

/// Sends prepared rows through the bottom layer, or codes through a layer above: the one place that
/// chooses an engine, for `fit` and `transform` alike.
CodeMatrix encode_bottom(const BottomLayer& layer, Metric metric, MatrixView rows,
                         std::size_t batch_rows, Job& job);
CodeMatrix encode_upper(const UpperLayer& layer, const CodeMatrix& rows, Job& job);

}  // namespace mbn
