// SPDX-License-Identifier: Apache-2.0
//
// The paper's kernel form, best when there are few rows. The inner product of two one-hot codes is
// the number of clusterings in which the rows agree, so the kernel K = Z Z^T is a table of counts.
// Centred on both sides,
//
//     Kc(i, j) = K(i, j) - r(i) - r(j) + g,     r = means of the rows, g = mean of all,
//
// it is Zc Zc^T, whose eigenvectors u give the principal directions w = Zc^T u (of norm
// sqrt(eigenvalue)). The whole dense problem is solved, so the result depends on no start and on no
// convergence: tests compare the other two solvers with this one.
#include <algorithm>
#include <cstdint>

#include <mbn/error.hpp>

#include "project/solvers.hpp"

namespace mbn::pca {

namespace {

constexpr std::size_t kRowsPerTask = 16;

template <class Code>
std::uint32_t agreement(const Code* a, const Code* b, std::size_t clusterings) {
  std::uint32_t count = 0;
  for (std::size_t v = 0; v < clusterings; ++v) count += a[v] == b[v] ? 1U : 0U;
  return count;
}

Eigen::MatrixXd agreement_kernel(const CodeMatrix& codes, Job& job) {
  const std::size_t rows = codes.rows();
  const std::size_t clusterings = codes.clusterings();
  Eigen::MatrixXd kernel(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(rows));
  double* counts = kernel.data();
  job.parallel(blocks(rows, kRowsPerTask), [&](std::size_t task, unsigned) {
    const std::size_t last = std::min((task + 1) * kRowsPerTask, rows);
    codes.visit([&](const auto* cells) {
      for (std::size_t i = task * kRowsPerTask; i < last; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          const double count =
              agreement(cells + i * clusterings, cells + j * clusterings, clusterings);
          counts[i * rows + j] = count;
          counts[j * rows + i] = count;
        }
      }
    });
  });
  return kernel;
}

void centre(Eigen::MatrixXd& kernel) {
  const auto rows = static_cast<double>(kernel.rows());
  // The sums are integers, hence exact in any order.
  const Eigen::VectorXd means = kernel.colwise().sum() / rows;
  const double mean = kernel.sum() / rows / rows;
  for (Eigen::Index j = 0; j < kernel.cols(); ++j) {
    for (Eigen::Index i = 0; i < kernel.rows(); ++i) {
      kernel(i, j) = (kernel(i, j) - (means[i] + means[j])) + mean;
    }
  }
}

}  // namespace

Block kernel_pca(const CodeOperator& codes, std::size_t wanted) {
  const std::size_t rows = codes.rows();
  SmallEigen eigen;
  {
    Eigen::MatrixXd kernel = agreement_kernel(codes.codes(), codes.job());
    centre(kernel);
    codes.job().check();
    eigen = symmetric_eigen(kernel);
  }
  codes.job().check();
  Block scores(rows, wanted);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < wanted; ++c) {
      scores.row(i)[c] = eigen.vectors(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c));
    }
  }
  return codes.multiply_transposed(scores);
}

}  // namespace mbn::pca
