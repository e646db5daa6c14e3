// SPDX-License-Identifier: Apache-2.0
#include "network/encode.hpp"

#include "layer/search.hpp"
#include "layer/upper_engines.hpp"
#include "layer/walk_bottom.hpp"

namespace mbn {

CodeMatrix encode_bottom(const BottomLayer& layer, Metric metric, MatrixView rows,
                         std::size_t batch_rows, Job& job) {
  CodeMatrix codes(rows.rows(), layer.draws.clusterings, layer.draws.centroids);
  make_bottom_search(layer.pool, layer.draws, metric, layer.settings, batch_rows)
      ->encode(rows, codes, job);
  return codes;
}

CodeMatrix encode_upper(const UpperLayer& layer, const CodeMatrix& rows, Job& job) {
  CodeMatrix codes(rows.rows(), layer.draws.clusterings, layer.draws.centroids);
  make_upper_search(layer.pool, layer.draws)->encode(rows, codes, job);
  return codes;
}

}  // namespace mbn
