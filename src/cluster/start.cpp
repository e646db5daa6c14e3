// SPDX-License-Identifier: Apache-2.0
//
// k-means++ (Arthur and Vassilvitskii, 2007). The first start is any row; then row i is drawn with
//
//     chance(i) = D(i)^2 / sum_j D(j)^2,     D(i) = distance to the nearest start so far,
//
// which makes the expected objective at most O(log clusters) times the best one before Lloyd even
// begins. A draw walks the running sum, in row order, up to a uniform share of the total. Rounding
// may leave that share beyond the last step; then the last row with a chance above zero is taken,
// so a row that equals a start is never drawn while there is another.
#include "cluster/start.hpp"

#include <algorithm>
#include <vector>

#include "base/random.hpp"

namespace mbn::lloyd {

namespace {

/// The drawn row, or the number of rows when all chances are zero.
std::size_t draw_by_weight(const std::vector<double>& weights, Random& random) {
  double total = 0;
  for (const double weight : weights) total += weight;
  const double aim = random.uniform() * total;
  double sum = 0;
  std::size_t last = weights.size();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    sum += weights[i];
    last = i;
    if (sum > aim) break;
  }
  return last;
}

template <class T>
Centres draw(MatrixView rows, std::uint32_t clusters, Random& random) {
  Centres starts(clusters, rows.columns());
  RowBuffer buffer(rows.columns());
  std::vector<double> squares(rows.rows());
  std::size_t drawn = random.below(static_cast<std::uint32_t>(rows.rows()));
  for (std::size_t c = 0; c < clusters; ++c) {
    if (c > 0) drawn = draw_by_weight(squares, random);
    if (drawn == rows.rows()) {
      std::copy_n(starts.row(0), starts.width, starts.row(c));
      continue;
    }
    std::copy_n(buffer.load(rows.row<T>(drawn)), starts.width, starts.row(c));
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (c > 0 && squares[i] == 0) continue;
      const double square =
          squared_distance(buffer.load(rows.row<T>(i)), starts.row(c), starts.width);
      if (c == 0 || square < squares[i]) squares[i] = square;
    }
  }
  return starts;
}

}  // namespace

Centres draw_starts(MatrixView rows, std::uint32_t clusters, std::uint64_t seed,
                    std::uint32_t restart) {
  Random random(seed, Purpose::kmeans, restart);
  return rows.type() == ElementType::float32 ? draw<float>(rows, clusters, random)
                                             : draw<std::uint8_t>(rows, clusters, random);
}

}  // namespace mbn::lloyd
