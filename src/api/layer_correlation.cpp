// SPDX-License-Identifier: Apache-2.0
#include <mbn/layer_correlation.hpp>

#include <mbn/error.hpp>

#include "api/model_access.hpp"
#include "base/job.hpp"
#include "base/random.hpp"
#include "evaluate/layer_correlation.hpp"
#include "rows/gather.hpp"

namespace mbn {

LayerCorrelation layer_correlation(const Model& model, MatrixView rows, std::uint32_t layer,
                                   std::uint32_t sample, const RunOptions& run) {
  const ModelData& data = ModelAccess::data(model);
  if (rows.rows() == 0)
    throw InvalidArgument(ErrorCode::too_small,
                          "there are no rows to measure the correlation on; give at least 1");
  Random random(data.options.seed, Purpose::sample);
  const auto all = static_cast<std::uint32_t>(rows.rows());
  const Matrix asked = gather_rows(rows, draw_or_all(random, all, sample == 0 ? all : sample));
  const std::uint32_t own = layer == 0 ? static_cast<std::uint32_t>(data.layer_count()) : layer;
  const CodeMatrix codes = model.codes(asked, own, run);
  Job job(run);
  if (own == 1) return measure_correlation(data, asked, nullptr, codes, own, job);
  const CodeMatrix below = model.codes(asked, own - 1, run);
  return measure_correlation(data, asked, &below, codes, own, job);
}

}  // namespace mbn
