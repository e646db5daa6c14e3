// SPDX-License-Identifier: Apache-2.0
//
// The model of probabilistic principal component analysis (Tipping and Bishop, 1999): a row is
// centre + B z + noise, with z of variance v_k along direction k, and noise of variance s in every
// column. Given the cells O that a row has, the expected z solves
//
//     (B_O^T B_O + diag(s / v)) z = B_O^T (x_O - centre_O),
//
// and a missing cell j is expected to be centre_j + b_j z. Since B^T B = 1, the matrix is 1 minus
// the sum over the missing cells, which is shorter where few are missing. The solution is by
// Cholesky's method, all in double and in one fixed order.
#include "rows/completion.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace mbn {

namespace {

// Directions may hold all of the variance; so much of the mean variance of a column is noise then,
// so that few cells do not decide many coordinates.
constexpr double kLeastNoise = 1e-3;
constexpr double kLeastVariance = 1e-12;

// Adds factor * sum of b b^T over the chosen columns to the lower triangle, four columns at a time.
void add_products(const std::vector<double>& basis, std::size_t count,
                  const std::vector<std::size_t>& chosen, double factor,
                  std::vector<double>& matrix) {
  const std::vector<double> zeros(count);
  for (std::size_t first = 0; first < chosen.size(); first += 4) {
    const double* b[4];
    for (std::size_t n = 0; n < 4; ++n) {
      b[n] = first + n < chosen.size() ? basis.data() + chosen[first + n] * count : zeros.data();
    }
    for (std::size_t r = 0; r < count; ++r) {
      const double w[4] = {factor * b[0][r], factor * b[1][r], factor * b[2][r], factor * b[3][r]};
      double* out = matrix.data() + r * count;
      for (std::size_t c = 0; c <= r; ++c) {
        out[c] += (w[0] * b[0][c] + w[1] * b[1][c]) + (w[2] * b[2][c] + w[3] * b[3][c]);
      }
    }
  }
}

// Solves matrix z = right for a positive definite matrix, given by its lower triangle; both are
// overwritten, `right` by the solution.
void solve(std::vector<double>& matrix, std::size_t count, std::vector<double>& right) {
  for (std::size_t r = 0; r < count; ++r) {
    double* row = matrix.data() + r * count;
    for (std::size_t c = 0; c <= r; ++c) {
      const double* other = matrix.data() + c * count;
      double sum = row[c];
      for (std::size_t k = 0; k < c; ++k) sum -= row[k] * other[k];
      row[c] = c < r ? sum / other[c] : std::sqrt(std::max(sum, kLeastVariance));
    }
    double sum = right[r];
    for (std::size_t k = 0; k < r; ++k) sum -= row[k] * right[k];
    right[r] = sum / row[r];
  }
  for (std::size_t r = count; r-- > 0;) {
    double sum = right[r];
    for (std::size_t k = r + 1; k < count; ++k) sum -= matrix[k * count + r] * right[k];
    right[r] = sum / matrix[r * count + r];
  }
}

}  // namespace

Completion::Completion(const Directions& directions)
    : directions_(directions), count_(directions.count()) {
  const MatrixView basis = directions.basis;
  const std::size_t columns = basis.rows();
  basis_.resize(columns * count_);
  for (std::size_t j = 0; j < columns; ++j) {
    std::copy_n(basis.row<float>(j), count_, basis_.begin() + static_cast<long>(j * count_));
  }
  double along = 0;
  for (const double variance : directions.variance) along += variance;
  const auto all = static_cast<double>(columns);
  const double rest = columns > count_ ? std::max(0.0, directions.total_variance - along) /
                                             static_cast<double>(columns - count_)
                                       : 0.0;
  const double noise = std::max(rest, kLeastNoise * directions.total_variance / all);
  const double least = std::max(kLeastVariance * directions.total_variance, DBL_MIN);
  for (const double variance : directions.variance) {
    penalty_.push_back(noise / std::max(variance, least));
  }
}

std::vector<double> Completion::coordinates_of(const float* row, std::size_t missing) const {
  const std::size_t columns = directions_.basis.rows();
  const bool subtract = 2 * missing < columns;
  std::vector<std::size_t> chosen;
  std::vector<double> matrix(count_ * count_);
  std::vector<double> right(count_);
  for (std::size_t j = 0; j < columns; ++j) {
    const bool there = !std::isnan(row[j]);
    if (there != subtract) chosen.push_back(j);
    if (!there) continue;
    const double value = double{row[j]} - double{directions_.centre[j]};
    for (std::size_t k = 0; k < count_; ++k) right[k] += value * basis_[j * count_ + k];
  }
  for (std::size_t k = 0; k < count_; ++k) {
    matrix[k * count_ + k] = (subtract ? 1.0 : 0.0) + penalty_[k];
  }
  add_products(basis_, count_, chosen, subtract ? -1 : 1, matrix);
  solve(matrix, count_, right);
  return right;
}

double completing_seconds(std::uint64_t rows, std::uint64_t columns, std::uint64_t count) {
  // It is not known how many cells are missing.
  constexpr double kSecondsPerProduct = 2.5e-10;
  constexpr double kMissing = 0.25;
  const auto n = static_cast<double>(count);
  const double products = kMissing * static_cast<double>(columns) * n * n / 2 + n * n * n / 6;
  return kSecondsPerProduct * static_cast<double>(rows) * products;
}

void Completion::complete(float* row) const {
  const std::size_t columns = directions_.basis.rows();
  const auto missing = static_cast<std::size_t>(
      std::count_if(row, row + columns, [](float value) { return std::isnan(value); }));
  if (missing == 0) return;
  const std::vector<double> z = coordinates_of(row, missing);
  for (std::size_t j = 0; j < columns; ++j) {
    if (!std::isnan(row[j])) continue;
    double value = directions_.centre[j];
    for (std::size_t k = 0; k < count_; ++k) value += z[k] * basis_[j * count_ + k];
    const auto rounded = static_cast<float>(value);
    row[j] = std::isfinite(rounded) ? rounded : directions_.centre[j];
  }
}

}  // namespace mbn
