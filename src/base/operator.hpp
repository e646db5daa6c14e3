// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/block.hpp"
#include "base/job.hpp"

namespace mbn::pca {

/// A matrix A, rows x entries, that is never stored; only products with it are computed. Products
/// give the same bytes for any number of threads. `job` must outlive it.
class Operator {
 public:
  explicit Operator(Job& job) : job_(job) {}
  virtual ~Operator() = default;
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  virtual std::size_t rows() const = 0;
  virtual std::size_t entries() const = 0;
  /// An upper bound of the rank of A.
  virtual std::size_t rank_bound() const = 0;
  /// The squared Frobenius norm of A: the sum of the squares of all its cells.
  virtual double total_scatter() const = 0;
  /// y = A x, with x entries() x columns and y rows() x columns, both row-major.
  virtual void multiply(const double* x, std::size_t columns, double* y) const = 0;
  /// x = A^T y.
  virtual void multiply_transposed(const double* y, std::size_t columns, double* x) const = 0;

  Block multiply(const Block& x) const {
    Block y(rows(), x.columns);
    multiply(x.cells.data(), x.columns, y.cells.data());
    return y;
  }
  Block multiply_transposed(const Block& y) const {
    Block x(entries(), y.columns);
    multiply_transposed(y.cells.data(), y.columns, x.cells.data());
    return x;
  }
  Job& job() const { return job_; }

 private:
  Job& job_;
};

}  // namespace mbn::pca
