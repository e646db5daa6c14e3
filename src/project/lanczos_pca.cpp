// SPDX-License-Identifier: Apache-2.0
//
// Lanczos iteration for many rows: a few dozen products with the codes, one vector at a time,
// instead of hundreds. Spectra runs the implicitly restarted form on the smaller of
//
//     A = Zc^T Zc / t + s I    (entries x entries)   or   A = Zc Zc^T / t + s I    (rows x rows),
//
// with t the total scatter, so that the eigenvalues lie between s and 1 + s. The shift s changes no
// eigenvector; it gives directions without variance an eigenvalue well above rounding noise, so
// that their relative error can be small and components beyond the rank converge like others.
//
// A Krylov space that starts from one vector contains only one vector of each eigenspace, so a
// multiple eigenvalue (symmetric data) may be found only once. Therefore a short second iteration,
// kept orthogonal to the eigenvectors that were found, looks for an eigenvalue that should have
// been among the first. If there is one, or if the restarts run out, block iteration (em_pca.cpp)
// takes over, which finds multiple eigenvalues.
#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <optional>

#include <mbn/error.hpp>

#include "base/random.hpp"
#include "project/solvers.hpp"

// After base/eigen.hpp, which defines how Eigen is compiled.
#include <Spectra/SymEigsSolver.h>

namespace mbn::pca {

namespace {

constexpr double kShift = 1e-3;
constexpr double kTolerance = 1e-10;
constexpr int kAttempts = 2;
constexpr int kRestarts = 40;
constexpr Eigen::Index kProbeSteps = 16;
// A missed eigenvalue is one that exceeds the smallest that was found by this factor.
constexpr double kHidden = 1 + 1e-6;
constexpr std::uint32_t kStartStream = 2;
constexpr std::uint32_t kProbeStream = 3;

/// The matrix A above, with the interface that Spectra asks for.
class ScatterOperator {
 public:
  using Scalar = double;

  explicit ScatterOperator(const Operator& codes)
      : codes_(codes),
        on_entries_(codes.entries() <= codes.rows()),
        between_(static_cast<std::size_t>(on_entries_ ? codes.rows() : codes.entries())) {}

  bool on_entries() const { return on_entries_; }
  Eigen::Index rows() const {
    return static_cast<Eigen::Index>(std::min(codes_.entries(), codes_.rows()));
  }
  Eigen::Index cols() const { return rows(); }

  void perform_op(const double* in, double* out) const {
    if (on_entries_) {
      codes_.multiply(in, 1, between_.data());
      codes_.multiply_transposed(between_.data(), 1, out);
    } else {
      codes_.multiply_transposed(in, 1, between_.data());
      codes_.multiply(between_.data(), 1, out);
    }
    const double total = codes_.total_scatter();
    for (Eigen::Index i = 0; i < rows(); ++i) out[i] = out[i] / total + kShift * in[i];
  }

 private:
  const Operator& codes_;
  bool on_entries_;
  mutable std::vector<double> between_;
};

struct Found {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

Eigen::VectorXd random_vector(Eigen::Index size, std::uint64_t seed, std::uint32_t stream) {
  Random random(seed, Purpose::projection, stream);
  Eigen::VectorXd vector(size);
  for (Eigen::Index i = 0; i < size; ++i) vector[i] = random.uniform() - 0.5;
  return vector;
}

std::optional<Found> iterate(ScatterOperator& scatter, std::size_t wanted, std::size_t vectors,
                             const Eigen::VectorXd& start) {
  using Spectra::SortRule;
  Spectra::SymEigsSolver<ScatterOperator> solver(scatter, static_cast<Eigen::Index>(wanted),
                                                 static_cast<Eigen::Index>(vectors));
  try {
    solver.init(start.data());
    solver.compute(SortRule::LargestAlge, kRestarts, kTolerance, SortRule::LargestAlge);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return std::nullopt;  // Spectra did not converge; the caller takes em_pca
  }
  if (solver.info() != Spectra::CompInfo::Successful) return std::nullopt;
  return Found{solver.eigenvalues(), solver.eigenvectors()};
}

void make_orthogonal(Eigen::VectorXd& vector, const Eigen::MatrixXd& basis, Eigen::Index count) {
  // Twice, because one pass leaves rounding errors of the removed part.
  for (int pass = 0; pass < 2; ++pass) {
    const Eigen::VectorXd parts = basis.leftCols(count).transpose() * vector;
    vector.noalias() -= basis.leftCols(count) * parts;
  }
}

/// A lower bound, usually a close one, of the largest eigenvalue whose eigenvector is orthogonal to
/// all that were found.
double largest_beyond(const ScatterOperator& scatter, const Found& found, std::uint64_t seed) {
  const Eigen::Index size = scatter.rows();
  const Eigen::Index known = found.vectors.cols();
  const Eigen::Index steps = std::min(kProbeSteps, size - known);
  Eigen::MatrixXd basis(size, known + steps);
  basis.leftCols(known) = found.vectors;
  Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(steps);
  Eigen::VectorXd beside = Eigen::VectorXd::Zero(steps);
  Eigen::VectorXd next = random_vector(size, seed, kProbeStream);
  Eigen::VectorXd image(size);
  Eigen::Index done = 0;
  while (done < steps) {
    make_orthogonal(next, basis, known + done);
    const double length = next.norm();
    if (length < 1e-12) break;
    if (done > 0) beside[done - 1] = length;
    basis.col(known + done) = next / length;
    scatter.perform_op(basis.col(known + done).data(), image.data());
    diagonal[done] = basis.col(known + done).dot(image);
    next = image;
    ++done;
  }
  if (done == 0) return 0;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal.head(done), beside.head(done - 1), Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[done - 1];
}

Block row_major(const Eigen::MatrixXd& matrix) {
  Block block(static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols()));
  for (std::size_t i = 0; i < block.rows; ++i) {
    for (std::size_t c = 0; c < block.columns; ++c) {
      block.row(i)[c] = matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c));
    }
  }
  return block;
}

}  // namespace

std::size_t lanczos_vectors(std::size_t wanted) {
  return std::max(2 * wanted + 1, wanted + 24);
}

Block lanczos_pca(const Operator& codes, std::size_t wanted, std::uint64_t seed) {
  ScatterOperator scatter(codes);
  const auto size = static_cast<std::size_t>(scatter.rows());
  if (lanczos_vectors(wanted) >= size) return em_pca(codes, wanted, seed);

  const Eigen::VectorXd start = random_vector(scatter.rows(), seed, kStartStream);
  std::optional<Found> found;
  for (int attempt = 0; attempt < kAttempts && !found; ++attempt) {
    const std::size_t vectors = std::min(lanczos_vectors(wanted) << attempt, size);
    found = iterate(scatter, wanted, vectors, start);
  }
  if (!found) return em_pca(codes, wanted, seed);
  const double smallest = found->values[static_cast<Eigen::Index>(wanted) - 1];
  if (largest_beyond(scatter, *found, seed) > kHidden * smallest) {
    return em_pca(codes, wanted, seed);
  }
  Block vectors = row_major(found->vectors);
  return scatter.on_entries() ? vectors : codes.multiply_transposed(vectors);
}

}  // namespace mbn::pca
