// SPDX-License-Identifier: Apache-2.0
#include <mbn/tree.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <mbn/error.hpp>
#include <mbn/model.hpp>

#include "api/model_access.hpp"
#include "base/job.hpp"
#include "base/memory.hpp"
#include "base/part_of.hpp"
#include "base/random.hpp"
#include "cluster/agreement_tree.hpp"
#include "rows/kinds.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kMostRows = 4000;
// Share of encoding in the time of a tree.
constexpr double kEncodingShare = 0.5;

void require_memory(const Model& model, std::uint64_t rows, const RunOptions& run) {
  std::uint64_t code_bytes = 0;
  for (const LayerInfo& layer : model.layers()) {
    code_bytes += *model.options().clusterings * CodeMatrix::element_bytes(layer.centroids);
  }
  const std::uint64_t needed = rows * code_bytes + agreement_tree_bytes(rows);
  const std::uint64_t limit = usable_memory(run.memory_limit);
  if (needed <= limit) return;
  throw MemoryLimitExceeded(
      ErrorCode::memory,
      fmt::format("a tree of {} rows needs {}, but there are only {}; give fewer rows", rows,
                  readable_bytes(needed), readable_bytes(limit)),
      {.option = "memory_limit", .value = std::to_string(limit)});
}

}  // namespace

Tree Model::tree(RowsView rows, const RunOptions& run) const {
  if (rows.rows() < 2) {
    throw InvalidArgument(
        ErrorCode::too_small,
        fmt::format("a tree needs at least 2 rows, but there are {}; give more", rows.rows()));
  }
  Random random(0, Purpose::sample, 3);
  Tree tree;
  tree.rows = draw_or_all(random, static_cast<std::uint32_t>(rows.rows()), kMostRows);
  std::sort(tree.rows.begin(), tree.rows.end());
  require_memory(*this, tree.rows.size(), run);
  const Rows chosen = gather(rows, tree.rows);
  const auto count = static_cast<std::uint32_t>(layers().size());
  std::vector<CodeMatrix> codes_of_layers;
  for (std::uint32_t layer = 1; layer <= count; ++layer) {
    codes_of_layers.push_back(
        codes(chosen, layer,
              part_of(run, kEncodingShare * (layer - 1) / count, kEncodingShare * layer / count)));
  }
  const RunOptions rest = part_of(run, kEncodingShare, 1);
  Job job(rest);
  job.stage("tree", 1, tree.rows.size() / 32 + 1);
  tree.merges = agreement_tree(codes_of_layers, job);
  return tree;
}

}  // namespace mbn
