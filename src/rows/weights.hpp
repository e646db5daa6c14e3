// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"

namespace mbn {

/// How counts become weights, learned from the training rows. Part of the model. A zero stays a
/// zero.
struct Weights {
  Weighting weighting = Weighting::counts;
  std::vector<double> frequency;  ///< [column] inverse document frequency; empty unless tf-idf
  double size = 0;                ///< the sum that every row is brought to; cells only

  bool is_identity() const { return weighting == Weighting::counts; }
  bool operator==(const Weights&) const = default;
};

/// Whether the weighting has inverse document frequencies.
constexpr bool has_frequencies(Weighting weighting) {
  return weighting == Weighting::tfidf || weighting == Weighting::log_tfidf;
}

/// Learns the weights. Throws as `require_counts` does.
Weights find_weights(RowsView rows, Weighting weighting, Job& job);

/// Throws InvalidArgument that names the first value below 0, unless the weighting is `counts`.
void require_counts(RowsView rows, Weighting weighting);

/// Whether all values are whole numbers above 0, and not all the same: counts, and not sets.
bool are_counts(SparseView rows);

/// ln((1 + documents) / (1 + documents with the word)) + 1.
double inverse_document_frequency(std::uint64_t documents, std::uint64_t with_the_word);

/// Replaces the counts of one row by their weights. `columns[i]` is the column of `values[i]`;
/// empty when the row is dense.
void weigh_row(const Weights& weights, std::span<const std::uint32_t> columns,
               std::span<float> values);

}  // namespace mbn
