// SPDX-License-Identifier: Apache-2.0
//
// With n_uv rows in cluster u and class v, a_u and b_v the sizes of both, n rows in all:
//
//   I(U; V)  = sum_uv n_uv/n log( n n_uv / (a_u b_v) ),   H(U) = -sum_u a_u/n log(a_u/n)
//   NMI      = I / mean(H(U), H(V)), with the mean that the caller names, or I / H(U, V)
//   accuracy = max over one-to-one m of sum_u n_{u,m(u)} / n
//   ARI      = (S - E) / (M - E),  S = sum_uv C(n_uv, 2),  E = A B / C(n, 2),  M = (A + B) / 2,
//              A = sum_u C(a_u, 2),  B = sum_v C(b_v, 2)
//   purity   = sum_u max_v n_uv / n
//
// Where a fraction has no meaning we follow scikit-learn: the same groups under any names score
// exactly 1, even one single group or all groups of one row; NMI is 0 when only one side has a
// single group, because that side has no information.
#include <algorithm>
#include <cmath>
#include <limits>

#include <mbn/evaluate.hpp>

#include "evaluate/contingency.hpp"
#include "evaluate/hungarian.hpp"

namespace mbn {

namespace {

double entropy(const std::vector<std::uint64_t>& sizes, double rows) {
  double sum = 0;
  for (const std::uint64_t size : sizes) {
    const double share = static_cast<double>(size) / rows;
    sum -= share * std::log(share);
  }
  return sum;
}

double divisor(Normalization normalization, double cluster_entropy, double class_entropy,
               double information) {
  switch (normalization) {
    case Normalization::geometric:
      return std::sqrt(cluster_entropy * class_entropy);
    case Normalization::arithmetic:
      return (cluster_entropy + class_entropy) / 2;
    case Normalization::minimum:
      return std::min(cluster_entropy, class_entropy);
    case Normalization::maximum:
      return std::max(cluster_entropy, class_entropy);
    case Normalization::joint:
      break;
  }
  return cluster_entropy + class_entropy - information;
}

double nmi_of(const Contingency& table, Normalization normalization) {
  if (table.same_partition()) return 1;
  const auto rows = static_cast<double>(table.rows);
  double information = 0;
  for (const Contingency::Cell& cell : table.cells) {
    const auto count = static_cast<double>(cell.count);
    const auto cluster_size = static_cast<double>(table.cluster_sizes[cell.cluster]);
    const auto class_size = static_cast<double>(table.class_sizes[cell.truth]);
    information += count / rows * std::log(rows / cluster_size * (count / class_size));
  }
  // Independent labels have no information; what is left is rounding error of either sign.
  if (information <= std::numeric_limits<double>::epsilon()) return 0;
  const double most = divisor(normalization, entropy(table.cluster_sizes, rows),
                              entropy(table.class_sizes, rows), information);
  return std::clamp(information / most, 0.0, 1.0);
}

double accuracy_of(const Contingency& table) {
  // The search starts once from every row, so the side with fewer labels becomes the rows.
  const bool swap = table.class_sizes.size() < table.cluster_sizes.size();
  std::vector<Gain> gains;
  gains.reserve(table.cells.size());
  for (const Contingency::Cell& cell : table.cells) {
    gains.push_back({swap ? cell.truth : cell.cluster, swap ? cell.cluster : cell.truth,
                     static_cast<std::int64_t>(cell.count)});
  }
  const std::size_t clusters = table.cluster_sizes.size();
  const std::size_t classes = table.class_sizes.size();
  const std::vector<std::uint32_t> column_of =
      best_matching(swap ? classes : clusters, swap ? clusters : classes, gains);
  std::int64_t agreeing = 0;
  for (const Gain& gain : gains) {
    if (column_of[gain.row] == gain.column) agreeing += gain.value;
  }
  return static_cast<double>(agreeing) / static_cast<double>(table.rows);
}

double pairs_of(std::uint64_t count) {
  return static_cast<double>(count) * (static_cast<double>(count) - 1) / 2;
}

double ari_of(const Contingency& table) {
  if (table.same_partition()) return 1;
  double together = 0;
  for (const Contingency::Cell& cell : table.cells) together += pairs_of(cell.count);
  double in_clusters = 0;
  for (const std::uint64_t size : table.cluster_sizes) in_clusters += pairs_of(size);
  double in_classes = 0;
  for (const std::uint64_t size : table.class_sizes) in_classes += pairs_of(size);
  const double expected = in_clusters / pairs_of(table.rows) * in_classes;
  return (together - expected) / ((in_clusters + in_classes) / 2 - expected);
}

double purity_of(const Contingency& table) {
  std::vector<std::uint64_t> largest(table.cluster_sizes.size());
  for (const Contingency::Cell& cell : table.cells) {
    largest[cell.cluster] = std::max(largest[cell.cluster], cell.count);
  }
  std::uint64_t agreeing = 0;
  for (const std::uint64_t count : largest) agreeing += count;
  return static_cast<double>(agreeing) / static_cast<double>(table.rows);
}

}  // namespace

double normalized_mutual_information(std::span<const std::int32_t> labels,
                                     std::span<const std::int32_t> truth,
                                     Normalization normalization) {
  return nmi_of(count_pairs(labels, truth), normalization);
}

double clustering_accuracy(std::span<const std::int32_t> labels,
                           std::span<const std::int32_t> truth) {
  return accuracy_of(count_pairs(labels, truth));
}

double adjusted_rand_index(std::span<const std::int32_t> labels,
                           std::span<const std::int32_t> truth) {
  return ari_of(count_pairs(labels, truth));
}

double purity(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth) {
  return purity_of(count_pairs(labels, truth));
}

ClusterScores score_clusters(std::span<const std::int32_t> labels,
                             std::span<const std::int32_t> truth) {
  const Contingency table = count_pairs(labels, truth);
  return {nmi_of(table, Normalization::geometric), accuracy_of(table), ari_of(table),
          purity_of(table)};
}

}  // namespace mbn
