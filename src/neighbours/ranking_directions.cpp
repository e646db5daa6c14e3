// SPDX-License-Identifier: Apache-2.0
//
// Images of 784 pixels vary mostly along a few dozen directions. Ranking all pairs of rows by their
// projections on those, and computing the distance on all features only for the best, takes a tenth
// of the work.
//
// These are the principal directions of a sample, as in rows/directions.hpp, but rounded to
// integers and used to rank neighbours only: they serve networks that work on many columns. A
// network that works on directions itself has few columns and needs none. They are stored in the
// model; all that follows is integer arithmetic, the same on every machine.
#include "neighbours/ranking_directions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/principal_axes.hpp"
#include "kernels/integer_dot.hpp"
#include "rows/dense_operator.hpp"

namespace mbn {

namespace {

constexpr std::size_t kSampledRows = 2048;
constexpr int kNormBits = 14;  // a direction has norm 2^14
// Dividing by 2^15 instead of 2^14 halves the projections: then, even for a row at one end of the
// range and a centre at the other, the norm stays within the limit of the quantiser.
constexpr int kShift = kNormBits + 1;

std::vector<std::int16_t> mean_cells(MatrixView kept, const Quantiser& quantiser) {
  std::vector<std::int64_t> sums(quantiser.stride());
  std::vector<std::int16_t> cells(quantiser.stride());
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    quantiser.quantise(kept, i, cells.data());
    for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += cells[f];
  }
  std::vector<std::int16_t> mean(kept.columns());
  for (std::size_t f = 0; f < mean.size(); ++f) {
    mean[f] = static_cast<std::int16_t>(
        std::lround(static_cast<double>(sums[f]) / static_cast<double>(kept.rows())));
  }
  return mean;
}

Matrix sampled_rows(MatrixView kept, const Quantiser& quantiser,
                    const std::vector<std::int16_t>& centre) {
  const std::size_t count = std::min(kSampledRows, kept.rows());
  Matrix rows(count, kept.columns());
  std::vector<std::int16_t> cells(quantiser.stride());
  for (std::size_t i = 0; i < count; ++i) {
    quantiser.quantise(kept, i * kept.rows() / count, cells.data());
    float* out = rows.mutable_row<float>(i);
    for (std::size_t f = 0; f < centre.size(); ++f) {
      // Scaled to the order of 1, so that fourth powers stay in the range of float32.
      out[f] = static_cast<float>(cells[f] - centre[f]) / 16384.0F;
    }
  }
  return rows;
}

}  // namespace

bool RankingDirections::sound() const {
  const std::size_t features = centre.size();
  if (cells.size() != count * features) return false;
  const auto product = [&](const std::int16_t* a, const std::int16_t* b) {
    std::int64_t sum = 0;
    for (std::size_t f = 0; f < features; ++f) sum += std::int64_t{a[f]} * b[f];
    return sum;
  };
  constexpr std::int64_t kSquare = std::int64_t{1} << (2 * kNormBits);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const std::int64_t wanted = i == j ? kSquare : 0;
      const std::int64_t seen = product(cells.data() + i * features, cells.data() + j * features);
      if (std::abs(seen - wanted) > kSquare / 1000) return false;
    }
  }
  // A tenth more than the limit: rounding may have made the norm of the centre a little larger.
  return product(centre.data(), centre.data()) <= Quantiser::kLargestSquaredNorm / 10 * 11;
}

RankingDirections find_ranking_directions(MatrixView kept, const Quantiser& quantiser,
                                          std::uint32_t count, Job& job) {
  RankingDirections directions;
  directions.centre = mean_cells(kept, quantiser);
  const Matrix rows = sampled_rows(kept, quantiser, directions.centre);
  const pca::Block axes = pca::leading_axes(pca::DenseOperator(rows, job), count).directions;
  // Integer products take an even number of cells.
  directions.count = static_cast<std::uint32_t>(axes.columns / 2 * 2);
  directions.cells.resize(directions.count * kept.columns());
  for (std::size_t j = 0; j < directions.count; ++j) {
    for (std::size_t f = 0; f < kept.columns(); ++f) {
      directions.cells[j * kept.columns() + f] =
          static_cast<std::int16_t>(std::lround(std::ldexp(axes.row(f)[j], kNormBits)));
    }
  }
  return directions.count > 0 && directions.sound() ? directions : RankingDirections{};
}

Projector::Projector(const RankingDirections& directions, const Quantiser& quantiser)
    : directions_(directions),
      quantiser_(quantiser),
      padded_(directions.count * quantiser.stride()),
      offsets_(directions.count) {
  const std::size_t features = directions.centre.size();
  for (std::size_t j = 0; j < directions.count; ++j) {
    const std::int16_t* cells = directions.cells.data() + j * features;
    std::copy_n(cells, features, padded_.begin() + j * quantiser.stride());
    std::int64_t offset = 0;
    for (std::size_t f = 0; f < features; ++f)
      offset += std::int64_t{cells[f]} * directions.centre[f];
    offsets_[j] = static_cast<std::int32_t>(
        std::clamp<std::int64_t>(offset, -(std::int64_t{1} << 30), std::int64_t{1} << 30));
  }
}

void Projector::project(MatrixView rows, std::size_t first, std::size_t rows_count,
                        std::int16_t* out, std::int32_t* norms) const {
  const std::size_t stride = quantiser_.stride();
  const std::size_t width = product_stride(count());
  std::vector<std::int16_t> cells(rows_count * stride);
  std::vector<std::int16_t> scratch(product_scratch(count(), stride));
  std::vector<std::int32_t> products(rows_count * width);
  for (std::size_t i = 0; i < rows_count; ++i) {
    std::int16_t* row = cells.data() + i * stride;
    quantiser_.quantise(rows, first + i, row);
    norms[i] = quantiser_.squared_norm(row);
    if (norms[i] < 0) std::fill_n(row, stride, std::int16_t{0});
    if (norms[i] < 0) continue;
    std::int64_t squares = 0;
    for (std::size_t f = 0; f < directions_.centre.size(); ++f) {
      const std::int32_t cell = row[f] - directions_.centre[f];
      squares += std::int64_t{cell} * cell;
    }
    norms[i] = static_cast<std::int32_t>(squares / 4);
  }
  integer_products(cells.data(), rows_count, padded_.data(), count(), stride, products.data(),
                   scratch.data());
  constexpr std::int64_t kHalf = std::int64_t{1} << (kShift - 1);
  for (std::size_t i = 0; i < rows_count; ++i) {
    for (std::size_t j = 0; j < count(); ++j) {
      const std::int64_t along = std::int64_t{products[i * width + j]} - offsets_[j];
      const auto cell = static_cast<std::int16_t>((along + kHalf) >> kShift);
      out[i * count() + j] = norms[i] < 0 ? std::int16_t{0} : cell;
    }
  }
}

}  // namespace mbn
