// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/codes.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "choose/stability.hpp"
#include "network/pilot_sizes.hpp"

namespace mbn {

/// The bottom layer of a small network (pilot), from which networks of any decay are trained.
/// Pilots are only compared with each other; none is part of a model.
struct Pilot {
  CodeMatrix bottom;  ///< of all rows
  /// The rows that the network may draw and learn from, ascending; empty when all.
  std::vector<std::uint32_t> learned;
  std::uint64_t seed = 0;

  std::uint32_t learned_rows() const {
    return static_cast<std::uint32_t>(learned.empty() ? bottom.rows() : learned.size());
  }
};

/// Run options of one pilot among many: one thread, no progress, no notes.
RunOptions for_one_pilot(RunOptions run);

/// Pilots `first` to `last - 1`, which are trained on all rows and differ in what they draw. Their
/// bottom layers are trained together, as the parts of one wide layer.
std::vector<Pilot> make_pilots(RowsView prepared, const FitOptions& options, std::uint32_t first,
                               std::uint32_t last, Job& job);

/// A pilot that is trained on a random half of the rows; `number` tells the halves apart.
Pilot make_half_pilot(RowsView prepared, const FitOptions& options, std::uint32_t number, Job& job);

/// The top codes of a network on top of the pilot's bottom layer, with `options.decay` and layers
/// for `options.clusters`.
CodeMatrix top_codes(const Pilot& pilot, const FitOptions& options, Job& job);

/// The codes of all layers of such a network, from the bottom up.
std::vector<CodeMatrix> codes_of_layers(const Pilot& pilot, const FitOptions& options, Job& job);

/// The embedding of top codes: principal components, fitted to the rows that the pilot learned
/// from.
Matrix embed(const Pilot& pilot, const CodeMatrix& top, std::uint32_t components, Job& job);

/// k-means on the embedding of the rows that the pilot learned from. All rows are labelled.
Labelling label(const Pilot& pilot, MatrixView embedding, std::uint32_t clusters,
                std::uint32_t restarts, const RunOptions& run);

}  // namespace mbn
