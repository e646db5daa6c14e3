// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <mbn/options.hpp>
#include <mbn/sparse.hpp>

#include "bottom/draws.hpp"

namespace mbn {

/// The drawn features of a layer in both directions: the clusterings that drew a feature, and the
/// position of a feature among those that a clustering drew. Never changed once made. Memory: 0.4
/// bytes for each feature and clustering.
class DrawnFeatures {
 public:
  DrawnFeatures(const Draws& draws, std::size_t input_features);

  /// 64-bit words of a mask over clusterings.
  std::size_t words() const { return words_; }
  /// The clusterings that drew a feature, as bits.
  const std::uint64_t* drawn_by(std::size_t feature) const {
    return by_feature_.data() + feature * words_;
  }

  bool drew(std::size_t clustering, std::size_t feature) const {
    return (block(clustering, feature).bits >> (feature % 64) & 1) != 0;
  }
  /// The number of features below this one that the clustering drew: the position of `feature`, if
  /// it is drawn too.
  std::size_t position(std::size_t clustering, std::size_t feature) const {
    const Block& found = block(clustering, feature);
    const std::uint64_t below = (std::uint64_t{1} << (feature % 64)) - 1;
    return found.before + static_cast<std::size_t>(std::popcount(found.bits & below));
  }

  /// The distance of rows/metric.hpp between two sparse rows on the features that a clustering
  /// drew: the same double as from dense rows, because zeros add nothing and the other terms are
  /// added in the same order.
  double distance(Metric metric, std::size_t clustering, const SparseView& rows, std::size_t row,
                  const SparseView& kept, std::size_t kept_row) const;

  static std::uint64_t bytes(std::uint64_t clusterings, std::uint64_t input_features) {
    return clusterings * input_features / 64 * (8 + sizeof(Block)) + input_features * 8;
  }

 private:
  struct Block {
    std::uint64_t bits = 0;
    std::uint64_t before = 0;  // drawn features in the blocks before
  };
  const Block& block(std::size_t clustering, std::size_t feature) const {
    return by_clustering_[clustering * blocks_ + feature / 64];
  }

  std::size_t words_;
  std::size_t blocks_;
  std::vector<std::uint64_t> by_feature_;
  std::vector<Block> by_clustering_;
};

}  // namespace mbn
