// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/sparse.hpp>

namespace mbn {

/// What mutual information is divided by, so that it lies in 0 .. 1: a mean, the minimum or the
/// maximum of the two entropies, or the joint entropy.
enum class Normalization : std::uint8_t { geometric, arithmetic, minimum, maximum, joint };
template <>
constexpr auto enum_names<Normalization>() {
  return std::array<std::string_view, 5>{"geometric", "arithmetic", "minimum", "maximum", "joint"};
}

/// The scores below compare two labellings of the same rows. Labels are any integers; only the
/// partition counts, not the numbers. InvalidArgument when there are no rows or the spans differ in
/// size.

/// Normalized mutual information. The same partition scores exactly 1, also when it is one group on
/// both sides; one group on one side only scores 0 (as in scikit-learn).
double normalized_mutual_information(std::span<const std::int32_t> labels,
                                     std::span<const std::int32_t> truth,
                                     Normalization normalization = Normalization::geometric);
/// Share of rows whose class is the one matched to their cluster, under the best one-to-one
/// matching of clusters to classes (Hungarian method).
double clustering_accuracy(std::span<const std::int32_t> labels,
                           std::span<const std::int32_t> truth);
/// Agreement on pairs of rows (together in both labellings, or apart in both), corrected for
/// chance: 1 for the same partition, about 0 for random labels, below 0 for less than chance.
double adjusted_rand_index(std::span<const std::int32_t> labels,
                           std::span<const std::int32_t> truth);
/// Share of rows that belong to the commonest class of their cluster.
double purity(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth);

struct ClusterScores {
  double nmi = 0;
  double accuracy = 0;
  double ari = 0;
  double purity = 0;
};
ClusterScores score_clusters(std::span<const std::int32_t> labels,
                             std::span<const std::int32_t> truth);

/// How faithful an embedding is to the neighbourhoods of the data it shows, each 0 .. 1.
struct NeighbourScores {
  double trustworthiness = 0;         ///< neighbours on the map are near in the data
  double continuity = 0;              ///< neighbours in the data are near on the map
  double neighbour_preservation = 0;  ///< share of the nearest neighbours that are the same
};
/// Neighbourhoods of `neighbours` rows, Euclidean. At most `sample` rows are queries (0: all), each
/// against all rows; time grows as sample x rows x columns. Ties are ordered by row number. With
/// few rows the neighbourhood shrinks to less than half of them. Different numbers of rows, none,
/// and cells that are not finite are InvalidArgument.
NeighbourScores score_neighbours(MatrixView data, MatrixView embedding,
                                 std::uint32_t neighbours = 15, std::uint32_t sample = 2000,
                                 const RunOptions& run = {});

struct RetrievalOptions {
  /// Documents retrieved per query, at most; never more than there are other rows.
  std::uint32_t deepest = 1023;
  /// Rows of the query's own group are skipped (versions of one text, for example). Empty: no
  /// groups; otherwise one number per row.
  std::span<const std::int32_t> groups{};
};
/// How often the rows nearest to a row share a label with it.
struct RetrievalCurve {
  std::vector<std::uint32_t> retrieved;  ///< 1, 3, 7, 15, ...
  std::vector<double> accuracy;          ///< share of those that are right, mean over all queries
  std::uint64_t queries = 0;
  std::uint64_t labelled = 0;  ///< queries with at least one label; no other can score
};
/// The paper's protocol for documents: each row of the embedding is a query against all others, by
/// cosine, ties by row number. `labels` is rows x labels, with a nonzero for each label of a row. A
/// hit is right when it shares at least one label with the query; a row without labels shares none.
/// Time grows as rows^2 x components.
RetrievalCurve score_retrieval(MatrixView embedding, SparseView labels,
                               const RetrievalOptions& options = {}, const RunOptions& run = {});

/// Theorem 1 of the paper, measured on rows: each clustering v of a layer estimates a row x by the
/// drawn row w_v it assigns; the ensemble estimates it by their mean. <mbn/layer_correlation.hpp>
/// measures it.
struct LayerCorrelation {
  double correlation = 0;     ///< rho: mean <w_u - x, w_v - x> over u != v, relative to u == v
  double single_error = 0;    ///< mean squared distance of one estimate
  double ensemble_error = 0;  ///< mean squared distance of the mean estimate
  double error_ratio = 0;     ///< 1/V + (1 - 1/V) rho = ensemble_error / single_error
};
}  // namespace mbn
