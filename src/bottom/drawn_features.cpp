// SPDX-License-Identifier: Apache-2.0
//
// The drawn features of a clustering are a bit mask over all features. The position of a feature
// among the drawn ones is the number of set bits below it. The count for all earlier words of 64
// bits is stored, so a position costs one popcount.
//
// `distance` walks the nonzeros of both rows in order of features, like a merge of two sorted
// lists. A feature that both rows lack adds zero to any lane of FixedOrderSum, so leaving it out
// changes no bit of the sum.
#include "bottom/drawn_features.hpp"

#include <cmath>

#include "rows/metric.hpp"

namespace mbn {

namespace {

double squared(double value) {
  return value * value;
}

}  // namespace

DrawnFeatures::DrawnFeatures(const Draws& draws, std::size_t input_features)
    : words_((std::size_t{draws.clusterings} + 63) / 64),
      blocks_((input_features + 63) / 64),
      by_feature_(input_features * words_),
      by_clustering_(draws.clusterings * blocks_) {
  for (std::size_t v = 0; v < draws.clusterings; ++v) {
    Block* of_clustering = by_clustering_.data() + v * blocks_;
    for (const std::uint32_t feature : draws.columns_of(v)) {
      by_feature_[feature * words_ + v / 64] |= std::uint64_t{1} << (v % 64);
      of_clustering[feature / 64].bits |= std::uint64_t{1} << (feature % 64);
    }
    for (std::size_t b = 1; b < blocks_; ++b) {
      of_clustering[b].before =
          of_clustering[b - 1].before +
          static_cast<std::uint64_t>(std::popcount(of_clustering[b - 1].bits));
    }
  }
}

double DrawnFeatures::distance(Metric metric, std::size_t clustering, const SparseView& rows,
                               std::size_t row, const SparseView& kept,
                               std::size_t kept_row) const {
  const auto x_at = rows.indices(row);
  const auto x = rows.values(row);
  const auto w_at = kept.indices(kept_row);
  const auto w = kept.values(kept_row);
  if (!has_dot_form(metric)) {
    DistanceSum terms(metric);
    for_each_pair({x_at, x}, {w_at, w}, [&](std::uint32_t feature, float here, float there) {
      if (drew(clustering, feature)) terms.add(position(clustering, feature), here, there);
    });
    return terms.total();
  }
  FixedOrderSum sum;  // of squared differences, or of products
  FixedOrderSum squares;
  const bool euclidean = metric == Metric::euclidean;
  std::size_t i = 0;
  for (std::size_t j = 0; j < w_at.size(); ++j) {
    for (; i < x_at.size() && x_at[i] < w_at[j]; ++i) {
      if (!euclidean || !drew(clustering, x_at[i])) continue;
      sum.add(position(clustering, x_at[i]), squared(static_cast<double>(x[i])));
    }
    const bool common = i < x_at.size() && x_at[i] == w_at[j];
    const double here = common ? static_cast<double>(x[i++]) : 0;
    if (!drew(clustering, w_at[j])) continue;
    const std::size_t place = position(clustering, w_at[j]);
    const auto there = static_cast<double>(w[j]);
    sum.add(place, euclidean ? squared(here - there) : here * there);
    if (!euclidean) squares.add(place, there * there);
  }
  if (euclidean) {
    for (; i < x_at.size(); ++i) {
      if (!drew(clustering, x_at[i])) continue;
      sum.add(position(clustering, x_at[i]), squared(static_cast<double>(x[i])));
    }
    return sum.total();
  }
  const double squared_norm = squares.total();
  return squared_norm == 0 ? 0 : -sum.total() / std::sqrt(squared_norm);
}

}  // namespace mbn
