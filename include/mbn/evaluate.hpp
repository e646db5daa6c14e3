// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
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
/// Neighbourhoods of `neighbours` rows. At most `sample` rows are queries (0: all), each against
/// all rows; time grows as sample x rows x columns. Ties are ordered by row number. With few rows
/// the neighbourhood shrinks to less than half of them. `metric` is that of the data; the cosine
/// takes a copy of them with rows of norm 1. The embedding's is Euclidean. Different numbers of
/// rows, none, and cells that are not finite are InvalidArgument.
NeighbourScores score_neighbours(MatrixView data, MatrixView embedding,
                                 std::uint32_t neighbours = 15, std::uint32_t sample = 2000,
                                 const RunOptions& run = {}, Metric metric = Metric::euclidean);

/// The three scores below are 0 .. 1 and Euclidean; ties are ordered by row number, so a map of one
/// point scores as chance does. They refuse what `score_neighbours` refuses, and labels that are
/// not one per row.

/// How faithful an embedding is to the large scale: the share of triplets of rows (i, j, k), drawn
/// at random, where the nearer of j and k to i is the same one in the data and in the embedding.
/// Chance is 0.5. Five triplets for each of at most `sample` rows i (0: all), always the same ones
/// for a number of rows. 1 for less than three rows, which have none.
double random_triplet_accuracy(MatrixView data, MatrixView embedding, std::uint32_t sample = 2000,
                               const RunOptions& run = {});
/// The same for the means of classes in the place of rows, all triplets of them: whether the
/// classes lie to each other as they do in the data. Of more than 256 classes, 256 drawn at random
/// count. 1 for less than three classes.
double centroid_triplet_accuracy(MatrixView data, MatrixView embedding,
                                 std::span<const std::int32_t> labels, const RunOptions& run = {});
/// Share of rows, of at most `sample` (0: all), whose nearest other row has the same label (1-NN,
/// leave one out). 0 for a single row.
double nearest_neighbour_accuracy(MatrixView embedding, std::span<const std::int32_t> labels,
                                  std::uint32_t sample = 2000, const RunOptions& run = {});

/// How good a map is beyond its neighbourhoods, each 0 .. 1. What needs labels is empty without
/// them.
struct MapScores {
  double random_triplets = 0;               ///< random_triplet_accuracy
  std::optional<double> centroid_triplets;  ///< centroid_triplet_accuracy; three classes or more
  std::optional<double> nearest_neighbour;  ///< nearest_neighbour_accuracy
  std::optional<double> kmeans_nmi;  ///< NMI (geometric) of k-means on the map, 10 starts, as many
                                     ///< clusters as there are classes
};
struct MapScoreOptions {
  /// One class per row, any integers, for scoring only. Empty: none are known.
  std::span<const std::int32_t> labels{};
  /// Rows that are asked, at most; 0 asks all.
  std::uint32_t sample = 2000;
  /// Of the data; some metrics take a copy of them. Centroid triplets are for euclidean, cosine,
  /// correlation and hellinger only.
  Metric metric = Metric::euclidean;
};
MapScores score_map(MatrixView data, MatrixView embedding, const MapScoreOptions& options = {},
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
