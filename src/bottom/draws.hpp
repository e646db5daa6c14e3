// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <mbn/options.hpp>

namespace mbn {

/// What the clusterings of one layer drew. `rows` are numbers of kept rows: the rows of the layer's
/// input that at least one clustering drew, which are all that a model keeps. (Between `draw` and
/// `keep_drawn` they are numbers of the input's rows.)
struct Draws {
  std::uint32_t clusterings = 0;
  std::uint32_t centroids = 0;  ///< rows that each clustering drew
  std::uint32_t features = 0;   ///< features that each clustering drew

  /// clusterings x centroids, in drawn order: the position of a row within its clustering is its
  /// code.
  std::vector<std::uint32_t> rows;
  /// clusterings x features, ascending within each clustering.
  std::vector<std::uint32_t> columns;

  std::span<const std::uint32_t> rows_of(std::size_t clustering) const {
    return std::span(rows).subspan(clustering * centroids, centroids);
  }
  std::span<const std::uint32_t> columns_of(std::size_t clustering) const {
    return std::span(columns).subspan(clustering * features, features);
  }
  /// The draws of one clustering.
  Draws only(std::size_t clustering) const {
    const auto drawn = rows_of(clustering);
    const auto drawn_columns = columns_of(clustering);
    return {1,
            centroids,
            features,
            {drawn.begin(), drawn.end()},
            {drawn_columns.begin(), drawn_columns.end()}};
  }

  /// Bytes of `rows` and `columns`.
  std::uint64_t bytes() const { return bytes(clusterings, centroids, features); }
  static constexpr std::uint64_t bytes(std::uint64_t clusterings, std::uint64_t centroids,
                                       std::uint64_t features) {
    return clusterings * (centroids + features) * sizeof(std::uint32_t);
  }

  bool operator==(const Draws&) const = default;
};

/// How many of `inputs` features a clustering draws: floor(fraction * inputs), at least 1.
std::uint32_t drawn_features(double fraction, std::uint64_t inputs);

struct DrawRequest {
  std::uint64_t seed = 0;
  std::uint32_t layer = 1;  ///< from 1; names the random streams
  std::uint32_t clusterings = 0;
  std::uint32_t centroids = 0;
  std::uint32_t features = 0;
  std::uint32_t input_rows = 0;
  std::uint32_t input_features = 0;
  /// Features that are drawn together, ascending: whole blocks and single features are drawn until
  /// there are `features`; of the last block only a part may be.
  std::span<const ColumnBlock> blocks = {};
};

/// Draws rows and features without replacement. `rows` of the result are numbers of the input's
/// rows.
Draws draw(const DrawRequest& request);

/// Finds the kept rows: returns the input's rows that at least one clustering drew, ascending, and
/// replaces each number in `draws.rows` by its position among them.
std::vector<std::uint32_t> keep_drawn(Draws& draws, std::uint32_t input_rows);

}  // namespace mbn
