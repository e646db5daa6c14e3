// SPDX-License-Identifier: Apache-2.0
//
// Images of 784 pixels vary mostly along a few dozen directions. Ranking all pairs of rows by their
// projections on those, and computing the distance on all features only for the best, takes a tenth
// of the work.
//
// The directions span the leading principal subspace of a sample, found by orthogonal iteration,
//
//     B <- orthonormal(X^T (X B)),      three times, from random signs.
//
// Which basis of the subspace results does not matter, because only inner products are used. The
// directions are rounded to integers and stored in the model; all that follows is integer
// arithmetic, the same on every machine.
#include "neighbours/directions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/eigen.hpp"
#include "base/random.hpp"
#include "kernels/integer_dot.hpp"

namespace mbn {

namespace {

constexpr std::size_t kSampledRows = 2048;
constexpr int kRounds = 3;
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

Eigen::MatrixXf sampled_rows(MatrixView kept, const Quantiser& quantiser,
                             const std::vector<std::int16_t>& centre) {
  const std::size_t count = std::min(kSampledRows, kept.rows());
  Eigen::MatrixXf rows(count, kept.columns());
  std::vector<std::int16_t> cells(quantiser.stride());
  for (std::size_t i = 0; i < count; ++i) {
    quantiser.quantise(kept, i * kept.rows() / count, cells.data());
    for (std::size_t f = 0; f < centre.size(); ++f) {
      // Scaled to the order of 1, so that fourth powers stay in the range of float32.
      rows(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(f)) =
          static_cast<float>(cells[f] - centre[f]) / 16384.0F;
    }
  }
  return rows;
}

}  // namespace

bool Directions::sound() const {
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

Directions find_directions(MatrixView kept, const Quantiser& quantiser, std::uint32_t count) {
  Directions directions;
  directions.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kept.columns()));
  directions.centre = mean_cells(kept, quantiser);
  const Eigen::MatrixXf rows = sampled_rows(kept, quantiser, directions.centre);
  Eigen::MatrixXf basis(kept.columns(), directions.count);
  Random random(0, Purpose::sample, 2);
  for (Eigen::Index j = 0; j < basis.cols(); ++j) {
    for (Eigen::Index i = 0; i < basis.rows(); ++i) basis(i, j) = random.below(2) == 0 ? -1 : 1;
  }
  for (int round = 0; round < kRounds; ++round) {
    basis = rows.transpose() * (rows * basis).eval();
    const Eigen::HouseholderQR<Eigen::MatrixXf> qr(basis);
    basis = qr.householderQ() * Eigen::MatrixXf::Identity(basis.rows(), basis.cols());
  }
  directions.cells.resize(directions.count * kept.columns());
  for (std::size_t j = 0; j < directions.count; ++j) {
    for (std::size_t f = 0; f < kept.columns(); ++f) {
      const float cell = basis(static_cast<Eigen::Index>(f), static_cast<Eigen::Index>(j));
      directions.cells[j * kept.columns() + f] =
          static_cast<std::int16_t>(std::lround(std::ldexp(cell, kNormBits)));
    }
  }
  return directions.sound() ? directions : Directions{};
}

Projector::Projector(const Directions& directions, const Quantiser& quantiser)
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
