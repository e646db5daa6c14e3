// SPDX-License-Identifier: Apache-2.0
//
// Neighbouring pixels say nearly the same, so half of the pixels is nearly the whole image. Half of
// the principal directions is another view of the rows in every clustering; and there are few of
// them, so that distances are cheap.
//
// The directions are found on a sample by randomised subspace iteration (base/principal_axes.hpp).
// Centred sparse rows are A - 1 m^T with m the mean row: only products with A are computed,
//
//     (A - 1 m^T) X = A X - 1 (m^T X),      (A - 1 m^T)^T Y = A^T Y - m (1^T Y).
//
// With missing cells, these are first filled with the means of their columns, and then in turn
// directions are found and cells are filled with what the directions expect there
// (rows/completion.hpp): expectation maximisation, stopped early.
//
// Coordinates of dense rows are (x - centre) B in float32, one chain of fused multiply-adds for
// each cell; those of sparse rows are x B in double, over the nonzeros, minus centre B.
#include "rows/directions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/principal_axes.hpp"
#include "base/random.hpp"
#include "kernels/dense_product.hpp"
#include "rows/completion.hpp"
#include "rows/dense_operator.hpp"
#include "rows/gather.hpp"
#include "rows/missing_cells.hpp"
#include "rows/sparse_operator.hpp"
#include "rows/store_direction.hpp"

namespace mbn {

namespace {

constexpr std::uint32_t kStream = 3;

// A - 1 m^T, for a sparse A.
class CentredOperator final : public pca::Operator {
 public:
  CentredOperator(const pca::SparseOperator& rows, std::vector<double> mean, Job& job)
      : Operator(job), rows_(rows), mean_(std::move(mean)) {
    double squares = 0;
    for (const double value : mean_) squares += value * value;
    total_scatter_ = rows_.total_scatter() - static_cast<double>(rows_.rows()) * squares;
  }

  std::size_t rows() const override { return rows_.rows(); }
  std::size_t entries() const override { return rows_.entries(); }
  std::size_t rank_bound() const override { return std::min(rows() - 1, entries()); }
  double total_scatter() const override { return total_scatter_; }
  using Operator::multiply;
  using Operator::multiply_transposed;

  void multiply(const double* x, std::size_t columns, double* y) const override {
    rows_.multiply(x, columns, y);
    std::vector<double> along(columns);
    for (std::size_t j = 0; j < mean_.size(); ++j) {
      for (std::size_t k = 0; k < columns; ++k) along[k] += mean_[j] * x[j * columns + k];
    }
    for (std::size_t i = 0; i < rows(); ++i) {
      for (std::size_t k = 0; k < columns; ++k) y[i * columns + k] -= along[k];
    }
  }

  void multiply_transposed(const double* y, std::size_t columns, double* x) const override {
    rows_.multiply_transposed(y, columns, x);
    std::vector<double> sum(columns);
    for (std::size_t i = 0; i < rows(); ++i) {
      for (std::size_t k = 0; k < columns; ++k) sum[k] += y[i * columns + k];
    }
    for (std::size_t j = 0; j < mean_.size(); ++j) {
      for (std::size_t k = 0; k < columns; ++k) x[j * columns + k] -= mean_[j] * sum[k];
    }
  }

 private:
  const pca::SparseOperator& rows_;
  std::vector<double> mean_;
  double total_scatter_ = 0;
};

std::vector<double> mean_of(RowsView rows) {
  std::vector<double> mean(rows.columns());
  std::vector<float> row(rows.is_sparse() ? 0 : rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (rows.is_sparse()) {
      const auto indices = rows.sparse().indices(i);
      const auto values = rows.sparse().values(i);
      for (std::size_t n = 0; n < indices.size(); ++n) mean[indices[n]] += double{values[n]};
    } else {
      copy_row(rows.dense(), i, row.data());
      for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += double{row[j]};
    }
  }
  for (double& value : mean) value /= static_cast<double>(rows.rows());
  return mean;
}

// The sample without its centre, divided by a power of two, so that sums of squares stay in the
// range of float32 whatever the units of the rows.
Matrix centred(MatrixView sample, const std::vector<float>& centre, int& exponent) {
  Matrix rows(sample.rows(), sample.columns());
  float largest = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    float* out = rows.mutable_row<float>(i);
    copy_row(sample, i, out);
    for (std::size_t j = 0; j < centre.size(); ++j) out[j] -= centre[j];
    for (std::size_t j = 0; j < rows.columns(); ++j) largest = std::max(largest, std::abs(out[j]));
  }
  exponent = largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    float* out = rows.mutable_row<float>(i);
    for (std::size_t j = 0; j < rows.columns(); ++j) out[j] = std::ldexp(out[j], -exponent);
  }
  return rows;
}

Directions store(const pca::PrincipalAxes& axes, double total, std::size_t rows, int exponent) {
  Directions directions;
  if (axes.directions.columns == 0) return directions;
  directions.basis = Matrix(axes.directions.rows, axes.directions.columns);
  for (std::size_t c = 0; c < axes.directions.columns; ++c) {
    store_direction(axes.directions, c, directions.basis);
  }
  const double divisor = static_cast<double>(std::max<std::size_t>(1, rows - 1));
  for (Eigen::Index c = 0; c < axes.scatter.size(); ++c) {
    directions.variance.push_back(std::ldexp(axes.scatter[c] / divisor, 2 * exponent));
  }
  directions.total_variance = std::ldexp(total / divisor, 2 * exponent);
  return directions;
}

Directions sparse_directions(SparseView sample, std::uint32_t count,
                             const std::vector<double>& mean, Job& job) {
  const pca::SparseOperator plain(sample, job);
  if (mean.empty()) {
    return store(pca::leading_axes(plain, count), plain.total_scatter(), sample.rows(), 0);
  }
  const CentredOperator rows(plain, mean, job);
  return store(pca::leading_axes(rows, count), rows.total_scatter(), sample.rows(), 0);
}

Directions dense_directions(MatrixView sample, std::uint32_t count,
                            const std::vector<float>& centre, Job& job) {
  int exponent = 0;
  const Matrix rows = centred(sample, centre, exponent);
  const pca::DenseOperator operation(rows, job);
  Directions directions =
      store(pca::leading_axes(operation, count), operation.total_scatter(), rows.rows(), exponent);
  if (!directions.empty()) directions.centre = centre;
  return directions;
}

Directions partial_directions(MatrixView sample, std::uint32_t count, Job& job) {
  const std::vector<double> mean = moments_of_cells(sample).mean;
  Matrix filled = Matrix::copy_of(sample);
  for (std::size_t i = 0; i < filled.rows(); ++i) {
    float* row = filled.mutable_row<float>(i);
    for (std::size_t j = 0; j < mean.size(); ++j) {
      if (std::isnan(row[j])) row[j] = static_cast<float>(mean[j]);
    }
  }
  Directions directions;
  for (std::size_t round = 0;; ++round) {
    const std::vector<double> centre = mean_of(filled);
    directions = dense_directions(filled, count, {centre.begin(), centre.end()}, job);
    if (round == kCompletionRounds || directions.empty()) return directions;
    const Completion completion(directions);
    job.parallel(filled.rows(), [&](std::size_t i, unsigned) {
      if (!has_missing(sample, i)) return;
      float* row = filled.mutable_row<float>(i);
      copy_row(sample, i, row);
      completion.complete(row);
    });
  }
}

}  // namespace

std::vector<std::uint32_t> direction_sample(std::size_t rows, bool sparse) {
  if (rows <= direction_rows(sparse)) {
    std::vector<std::uint32_t> all(rows);
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }
  Random random(0, Purpose::sample, kStream);
  std::vector<std::uint32_t> numbers = draw_without_replacement(
      random, static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(direction_rows(sparse)));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Directions find_directions(RowsView sample, std::uint32_t count, Metric metric, Job& job) {
  if (has_missing(sample)) return partial_directions(sample.dense(), count, job);
  const std::vector<double> mean =
      metric == Metric::cosine ? std::vector<double>() : mean_of(sample);
  const std::vector<float> centre(mean.begin(), mean.end());
  if (!sample.is_sparse()) return dense_directions(sample.dense(), count, centre, job);
  Directions directions = sparse_directions(sample.sparse(), count, mean, job);
  if (!directions.empty()) directions.centre = centre;
  return directions;
}

std::uint64_t find_directions_bytes(std::uint64_t sample_rows, std::uint64_t columns,
                                    std::uint64_t count) {
  return pca::leading_axes_bytes(sample_rows, columns, count);
}

Coordinates::Coordinates(const Directions& directions, bool sparse)
    : directions_(directions), count_(directions.count()) {
  const MatrixView basis = directions.basis;
  if (!sparse) {
    packed_.resize(right_panels(count_) * kRightPanel * basis.rows());
    pack_right({basis.row<float>(0), basis.row_stride(), 1}, basis.rows(), count_, 0,
               right_panels(count_), packed_.data());
    return;
  }
  offsets_.resize(count_);
  for (std::size_t j = 0; j < directions.centre.size(); ++j) {
    for (std::size_t c = 0; c < count_; ++c) {
      offsets_[c] += double{directions.centre[j]} * double{basis.row<float>(j)[c]};
    }
  }
}

void Coordinates::of_dense(float* rows, std::size_t row_count, std::size_t stride,
                           float* out) const {
  const std::size_t columns = directions_.basis.rows();
  for (std::size_t i = 0; i < row_count; ++i) {
    float* row = rows + i * stride;
    for (std::size_t j = 0; j < directions_.centre.size(); ++j) row[j] -= directions_.centre[j];
  }
  LargeArray<float> left(left_panels(row_count) * kLeftPanel * columns);
  pack_left({rows, stride, 1}, row_count, columns, 0, left_panels(row_count), left.data());
  multiply_packed(left.data(), packed_.data(), columns, {0, row_count, 0, count_}, out, count_);
}

void Coordinates::of_sparse(std::span<const std::uint32_t> indices, std::span<const float> values,
                            float* out) const {
  std::vector<double> sum(count_);
  for (std::size_t n = 0; n < indices.size(); ++n) {
    const float* loading = directions_.basis.row<float>(indices[n]);
    const double value = values[n];
    for (std::size_t c = 0; c < count_; ++c) sum[c] += value * double{loading[c]};
  }
  for (std::size_t c = 0; c < count_; ++c) out[c] = static_cast<float>(sum[c] - offsets_[c]);
}

}  // namespace mbn
