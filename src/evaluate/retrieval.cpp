// SPDX-License-Identifier: Apache-2.0
//
// The paper's protocol (Section 4.5): every row is a query against all other rows, and accuracy at
// m is the share of the m nearest, by cosine, that share a label with the query, averaged over all
// queries. So with h(q, m) such hits of query q among its first m,
//
//     accuracy(m) = sum_q h(q, m) / (m * queries).
//
// A row without labels shares none: as a hit it is a mistake, as a query it scores zero. Rows of
// the query's own group are skipped, as if they were not there; where fewer than m are left,
// the missing ones are mistakes. Hits are counted in whole numbers, so threads cannot change a sum.
#include <algorithm>
#include <mutex>
#include <vector>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>

#include "base/job.hpp"
#include "search/cosine.hpp"

namespace mbn {

namespace {

/// The labels of each row, ascending: the columns of its nonzeros.
class LabelSets {
 public:
  explicit LabelSets(SparseView labels) {
    for (std::size_t i = 0; i < labels.rows(); ++i) {
      for (std::size_t c = 0; c < labels.indices(i).size(); ++c) {
        if (labels.values(i)[c] != 0) labels_.push_back(labels.indices(i)[c]);
      }
      starts_.push_back(labels_.size());
    }
  }

  std::span<const std::uint32_t> of(std::size_t row) const {
    return std::span(labels_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
  }

  bool share(std::size_t a, std::size_t b) const {
    const auto first = of(a);
    const auto second = of(b);
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < first.size() && j < second.size()) {
      if (first[i] == second[j]) return true;
      first[i] < second[j] ? ++i : ++j;
    }
    return false;
  }

 private:
  std::vector<std::uint64_t> starts_ = {0};
  std::vector<std::uint32_t> labels_;
};

void check(MatrixView embedding, SparseView labels, const RetrievalOptions& options) {
  if (embedding.rows() < 2) {
    throw InvalidArgument(
        ErrorCode::too_small,
        fmt::format("retrieval needs at least 2 rows, but there are {}; give more rows",
                    embedding.rows()));
  }
  if (labels.rows() != embedding.rows()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("there are labels for {} rows, but the embedding has {}; give one set per row",
                    labels.rows(), embedding.rows()));
  }
  if (!options.groups.empty() && options.groups.size() != embedding.rows()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("there are groups for {} rows, but the embedding has {}; give one per row",
                    options.groups.size(), embedding.rows()));
  }
  if (options.deepest == 0) {
    throw InvalidArgument(ErrorCode::out_of_range,
                          {option("deepest"), " is 0; retrieve at least 1 document"},
                          {.option = "deepest", .value = "0"});
  }
}

}  // namespace

RetrievalCurve score_retrieval(MatrixView embedding, SparseView labels,
                               const RetrievalOptions& options, const RunOptions& run) {
  check(embedding, labels, options);
  const Matrix rows = unit_rows(embedding, "the embedding");
  const LabelSets sets(labels);
  const std::size_t deepest = std::min<std::size_t>(options.deepest, rows.rows() - 1);
  RetrievalCurve curve;
  curve.queries = rows.rows();
  for (std::size_t m = 1; m <= deepest; m = 2 * m + 1) {
    curve.retrieved.push_back(static_cast<std::uint32_t>(m));
  }
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (!sets.of(i).empty()) ++curve.labelled;
  }
  std::vector<std::uint64_t> hits_at(curve.retrieved.size());
  std::mutex mutex;
  Job job(run);
  for_each_best(
      rows, rows, curve.retrieved.back(),
      [&](std::size_t query, std::uint32_t row) {
        if (query == row) return false;
        return options.groups.empty() || options.groups[query] != options.groups[row];
      },
      [&](std::size_t query, std::vector<Hit> hits) {
        std::vector<std::uint64_t> found(curve.retrieved.size());
        for (std::size_t rank = 0; rank < hits.size(); ++rank) {
          if (!sets.share(query, hits[rank].row)) continue;
          for (std::size_t level = 0; level < found.size(); ++level) {
            if (rank < curve.retrieved[level]) ++found[level];
          }
        }
        const std::lock_guard lock(mutex);
        for (std::size_t level = 0; level < found.size(); ++level) hits_at[level] += found[level];
      },
      job);
  for (std::size_t level = 0; level < hits_at.size(); ++level) {
    curve.accuracy.push_back(
        static_cast<double>(hits_at[level]) /
        (static_cast<double>(curve.retrieved[level]) * static_cast<double>(curve.queries)));
  }
  return curve;
}

}  // namespace mbn
