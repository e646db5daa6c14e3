// SPDX-License-Identifier: Apache-2.0
//
// The three solvers against each other and against a reference that builds the one-hot matrix and
// takes its singular value decomposition.
#include "project/projection.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include <mbn/error.hpp>

#include "base/eigen.hpp"
#include "base/random.hpp"
#include "project/code_operator.hpp"
#include "project/solvers.hpp"

namespace mbn {
namespace {

struct CodesRequest {
  std::size_t rows = 120;
  std::size_t clusterings = 12;
  std::size_t centroids = 5;
  std::uint32_t blobs = 4;
  std::uint64_t seed = 1;
};

/// Codes of random clusterings of blobs in the plane: the nearest of a few drawn rows.
CodeMatrix blob_codes(const CodesRequest& request) {
  Random random(request.seed, Purpose::generate);
  std::vector<double> points(2 * request.rows);
  for (std::size_t i = 0; i < request.rows; ++i) {
    const std::uint32_t blob = random.below(request.blobs);
    points[2 * i] = 4.0 * blob + random.uniform();
    points[2 * i + 1] = 3.0 * (blob * blob % 5) + random.uniform();
  }
  CodeMatrix codes(request.rows, request.clusterings, request.centroids);
  for (std::size_t v = 0; v < request.clusterings; ++v) {
    std::vector<std::size_t> drawn(request.centroids);
    for (auto& row : drawn) row = random.below(static_cast<std::uint32_t>(request.rows));
    for (std::size_t i = 0; i < request.rows; ++i) {
      std::size_t best = 0;
      double least = 1e300;
      for (std::size_t c = 0; c < drawn.size(); ++c) {
        const double across = points[2 * i] - points[2 * drawn[c]];
        const double along = points[2 * i + 1] - points[2 * drawn[c] + 1];
        const double square = across * across + along * along;
        if (square < least) {
          least = square;
          best = c;
        }
      }
      codes.visit([&](auto* cells) {
        using Code = std::remove_reference_t<decltype(*cells)>;
        cells[i * request.clusterings + v] = static_cast<Code>(best);
      });
    }
  }
  return codes;
}

Eigen::MatrixXd centred_one_hot(const CodeMatrix& codes) {
  Eigen::MatrixXd matrix =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(codes.rows()),
                            static_cast<Eigen::Index>(codes.clusterings() * codes.centroids()));
  for (std::size_t i = 0; i < codes.rows(); ++i) {
    for (std::size_t v = 0; v < codes.clusterings(); ++v) {
      matrix(static_cast<Eigen::Index>(i),
             static_cast<Eigen::Index>(v * codes.centroids() + codes.at(i, v))) = 1;
    }
  }
  const Eigen::RowVectorXd mean = matrix.colwise().mean();
  matrix.rowwise() -= mean;
  return matrix;
}

Projection fitted(const CodeMatrix& codes, std::uint32_t components, Solver solver,
                  std::uint32_t threads = 1) {
  RunOptions run;
  run.threads = threads;
  Job job(run);
  return fit_projection(codes, components, solver, 11, job);
}

Matrix embedded(const Projection& projection, const CodeMatrix& codes, std::uint32_t threads = 1) {
  RunOptions run;
  run.threads = threads;
  Job job(run);
  return project(projection, codes, job);
}

/// Components whose variance differs enough from the next one: only these have a determined
/// direction.
bool stands_apart(const Eigen::VectorXd& variance, Eigen::Index c) {
  const double below = c + 1 < variance.size() ? variance[c] - variance[c + 1] : variance[c];
  const double above = c > 0 ? variance[c - 1] - variance[c] : variance[c];
  return std::min(below, above) > 1e-2 * variance[0];
}

void expect_same_as_twin(const CodeMatrix& codes, std::uint32_t components, Solver solver) {
  const Eigen::MatrixXd centred = centred_one_hot(codes);
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(centred, Eigen::ComputeThinU);
  const double divisor = static_cast<double>(codes.rows()) - 1;
  const Eigen::VectorXd variance = svd.singularValues().array().square() / divisor;
  const Projection projection = fitted(codes, components, solver);
  const Matrix embedding = embedded(projection, codes);
  EXPECT_NEAR(projection.total_variance, centred.squaredNorm() / divisor,
              1e-9 * projection.total_variance);
  Eigen::Index compared = 0;
  for (std::uint32_t component = 0; component < components; ++component) {
    const auto c = static_cast<Eigen::Index>(component);
    if (c >= variance.size()) {
      EXPECT_EQ(projection.variance[component], 0);
      continue;
    }
    EXPECT_NEAR(projection.variance[component], variance[c], 1e-7 * variance[0]);
    if (!stands_apart(variance, c)) continue;
    ++compared;
    Eigen::VectorXd scores(centred.rows());
    for (Eigen::Index i = 0; i < scores.size(); ++i) {
      scores[i] = double{embedding.at(static_cast<std::size_t>(i), component)};
    }
    const Eigen::VectorXd expected = svd.matrixU().col(c) * svd.singularValues()[c];
    const double sign = expected.dot(scores) < 0 ? -1 : 1;
    EXPECT_LT((scores - sign * expected).norm(), 1e-4 * expected.norm()) << "component " << c;
  }
  EXPECT_GT(compared, 0) << "the data of this test should have components that stand apart";
}

void expect_rules_hold(const Projection& projection, const CodeMatrix& codes) {
  const std::size_t components = projection.components;
  const std::size_t entries = codes.clusterings() * codes.centroids();
  ASSERT_EQ(projection.loadings.size(), entries * components);
  for (std::size_t a = 0; a < components; ++a) {
    if (a > 0) {
      EXPECT_LE(projection.variance[a], projection.variance[a - 1]);
    }
    float largest = 0;
    for (std::size_t d = 0; d < entries; ++d) {
      const float loading = projection.loadings[d * components + a];
      if (std::abs(loading) > std::abs(largest)) largest = loading;
    }
    EXPECT_GE(largest, 0) << "sign of component " << a;
    for (std::size_t b = 0; b <= a; ++b) {
      double product = 0;
      for (std::size_t d = 0; d < entries; ++d) {
        product += double{projection.loadings[d * components + a]} *
                   double{projection.loadings[d * components + b]};
      }
      const double expected = a == b && projection.variance[a] > 0 ? 1 : 0;
      EXPECT_NEAR(product, expected, 1e-6) << a << " and " << b;
    }
  }
  const Matrix embedding = embedded(projection, codes);
  for (std::size_t c = 0; c < components; ++c) {
    double mean = 0;
    double square = 0;
    for (std::size_t i = 0; i < codes.rows(); ++i) {
      mean += double{embedding.at(i, c)};
      square += double{embedding.at(i, c)} * double{embedding.at(i, c)};
    }
    mean /= static_cast<double>(codes.rows());
    EXPECT_NEAR(mean, 0, 1e-6);
    if (codes.rows() > 1) {
      EXPECT_NEAR(square / (static_cast<double>(codes.rows()) - 1), projection.variance[c],
                  1e-5 * (projection.variance[0] + 1e-9));
    }
  }
}

class ProjectionOfEverySolver : public testing::TestWithParam<Solver> {
 protected:
  /// The kernel's time grows with the third power of the rows.
  static std::size_t few_or(std::size_t many, std::size_t few) {
    return GetParam() == Solver::kernel ? few : many;
  }
};

TEST_P(ProjectionOfEverySolver, IsTheSingularValueDecompositionWithMoreRowsThanEntries) {
  const CodeMatrix codes = blob_codes({.rows = 300, .clusterings = 20, .centroids = 5});
  expect_same_as_twin(codes, 4, GetParam());
  expect_rules_hold(fitted(codes, 4, GetParam()), codes);
}

TEST_P(ProjectionOfEverySolver, IsTheSingularValueDecompositionWithMoreEntriesThanRows) {
  const CodeMatrix codes = blob_codes({.rows = 150, .clusterings = 60, .centroids = 12});
  expect_same_as_twin(codes, 3, GetParam());
  expect_rules_hold(fitted(codes, 3, GetParam()), codes);
}

TEST_P(ProjectionOfEverySolver, TakesCodesOfTwoBytes) {
  const CodeMatrix codes = blob_codes({.rows = 400, .clusterings = 5, .centroids = 260});
  expect_same_as_twin(codes, 3, GetParam());
}

TEST_P(ProjectionOfEverySolver, GivesTheSameBytesOnOneAndThreeThreads) {
  const CodeMatrix codes =
      blob_codes({.rows = few_or(1100, 200), .clusterings = 37, .centroids = 7});
  const Projection one = fitted(codes, 5, GetParam(), 1);
  const Projection three = fitted(codes, 5, GetParam(), 3);
  EXPECT_EQ(one, three);
  const Matrix first = embedded(one, codes, 1);
  const Matrix second = embedded(three, codes, 3);
  for (std::size_t i = 0; i < codes.rows(); ++i) {
    for (std::size_t c = 0; c < 5; ++c) ASSERT_EQ(first.at(i, c), second.at(i, c));
  }
}

TEST_P(ProjectionOfEverySolver, FillsWithZerosBeyondTheRank) {
  const CodeMatrix few_rows = blob_codes({.rows = 6, .clusterings = 4, .centroids = 3});
  expect_same_as_twin(few_rows, 9, GetParam());
  expect_rules_hold(fitted(few_rows, 9, GetParam()), few_rows);

  // Many rows but only three different ones: rank 2, whatever the shape says.
  const std::size_t rows = few_or(900, 90);
  CodeMatrix three_kinds(rows, 30, 4);
  three_kinds.visit([&](auto* cells) {
    using Code = std::remove_reference_t<decltype(*cells)>;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t v = 0; v < 30; ++v) {
        cells[i * 30 + v] = static_cast<Code>((i % 3 + v * (i % 3 == 2 ? 2 : 1)) % 4);
      }
    }
  });
  const Projection projection = fitted(three_kinds, 5, GetParam());
  expect_rules_hold(projection, three_kinds);
  EXPECT_GT(projection.variance[1], 0);
  for (std::size_t c = 2; c < 5; ++c) {
    EXPECT_EQ(projection.variance[c], 0);
    EXPECT_EQ(projection.offset[c], 0);
    for (std::size_t d = 0; d < 120; ++d) EXPECT_EQ(projection.loadings[d * 5 + c], 0);
  }
}

TEST_P(ProjectionOfEverySolver, IsZeroWhenAllRowsHaveTheSameCodes) {
  for (const std::size_t rows : {std::size_t{1}, std::size_t{2}, std::size_t{800}}) {
    const CodeMatrix codes(rows, 5, 3);
    const Projection projection = fitted(codes, 2, GetParam());
    EXPECT_EQ(projection.total_variance, 0);
    EXPECT_EQ(projection.loadings, std::vector<float>(5 * 3 * 2));
    EXPECT_EQ(projection.variance, std::vector<double>(2));
    EXPECT_EQ(embedded(projection, codes).at(rows - 1, 1), 0);
  }
}

TEST_P(ProjectionOfEverySolver, FindsBothComponentsOfEqualVariance) {
  // Rows are all pairs (a, b); half of the clusterings see a, half see b in the same way, so every
  // variance occurs twice.
  const std::size_t side = few_or(36, 16);
  const std::size_t half = 24;
  Random random(5, Purpose::generate);
  std::vector<std::uint32_t> seen(half * side);
  for (auto& code : seen) code = random.below(4);
  CodeMatrix codes(side * side, 2 * half, 4);
  codes.visit([&](auto* cells) {
    using Code = std::remove_reference_t<decltype(*cells)>;
    for (std::size_t i = 0; i < codes.rows(); ++i) {
      for (std::size_t v = 0; v < half; ++v) {
        cells[i * 2 * half + v] = static_cast<Code>(seen[v * side + i / side]);
        cells[i * 2 * half + half + v] = static_cast<Code>(seen[v * side + i % side]);
      }
    }
  });
  const Projection projection = fitted(codes, 6, GetParam());
  for (std::size_t c = 0; c < 6; c += 2) {
    EXPECT_NEAR(projection.variance[c], projection.variance[c + 1], 1e-6 * projection.variance[0]);
    if (c > 0) {
      EXPECT_LT(projection.variance[c], 0.999 * projection.variance[c - 1]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Projection, ProjectionOfEverySolver,
                         testing::Values(Solver::kernel, Solver::em, Solver::lanczos),
                         [](const auto& given) { return std::string(name_of(given.param)); });

TEST(Projection, AutomaticTakesTheKernelForFewRows) {
  const CodeMatrix few = blob_codes({.rows = kKernelRows});
  EXPECT_EQ(fitted(few, 2, Solver::automatic), fitted(few, 2, Solver::kernel));
  const CodeMatrix more = blob_codes({.rows = kKernelRows + 1});
  EXPECT_EQ(fitted(more, 2, Solver::automatic), fitted(more, 2, Solver::lanczos));
}

TEST(Projection, RefusesZeroRowsAndZeroComponents) {
  EXPECT_THROW(fitted(CodeMatrix(0, 3, 2), 1, Solver::automatic), InvalidArgument);
  EXPECT_THROW(fitted(CodeMatrix(3, 3, 2), 0, Solver::automatic), InvalidArgument);
}

TEST(Projection, RefusesCodesOfAnotherNetwork) {
  const CodeMatrix codes = blob_codes({});
  const Projection projection = fitted(codes, 2, Solver::automatic);
  EXPECT_THROW(embedded(projection, CodeMatrix(3, 12, 6)), InvalidArgument);
  EXPECT_THROW(embedded(projection, CodeMatrix(3, 11, 5)), InvalidArgument);
}

TEST(Projection, KernelRefusesTooManyRows) {
  CodeMatrix codes(kKernelMostRows + 1, 2, 2);
  codes.visit([](auto* cells) { cells[0] = 1; });
  try {
    fitted(codes, 1, Solver::kernel);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("lanczos"), std::string::npos);
  }
}

TEST(Projection, StopsWhenCancelled) {
  const std::atomic<bool> cancel{true};
  RunOptions run;
  run.cancel = &cancel;
  Job job(run);
  EXPECT_THROW(fit_projection(blob_codes({}), 2, Solver::lanczos, 0, job), Cancelled);
}

TEST(Projection, OneRowIsProjectedAsInABatch) {
  const CodeMatrix codes = blob_codes({.rows = 50});
  const Projection projection = fitted(codes, 11, Solver::automatic);
  const Matrix all = embedded(projection, codes);
  CodeMatrix last(1, codes.clusterings(), codes.centroids());
  last.visit([&](auto* cells) {
    using Code = std::remove_reference_t<decltype(*cells)>;
    for (std::size_t v = 0; v < codes.clusterings(); ++v) {
      cells[v] = static_cast<Code>(codes.at(49, v));
    }
  });
  const Matrix alone = embedded(projection, last);
  for (std::size_t c = 0; c < 11; ++c) EXPECT_EQ(alone.at(0, c), all.at(49, c));
}

TEST(Projection, WorkspaceGrowsWithTheKernel) {
  const auto bytes = [](Solver solver) {
    return projection_workspace_bytes(5000, 400, 20, 10, solver);
  };
  EXPECT_GT(bytes(Solver::kernel), 5000ULL * 5000 * 16);
  EXPECT_LT(bytes(Solver::lanczos), bytes(Solver::kernel));
  EXPECT_EQ(bytes(Solver::automatic), bytes(Solver::lanczos));
}

TEST(CodeOperator, MultipliesLikeTheDenseMatrix) {
  const CodeMatrix codes = blob_codes({.rows = 1100, .clusterings = 41, .centroids = 9});
  const Eigen::MatrixXd dense = centred_one_hot(codes);
  RunOptions run;
  run.threads = 2;
  Job job(run);
  const pca::CodeOperator operation(codes, job);
  Random random(3, Purpose::generate);
  for (const std::size_t columns : {1U, 2U, 4U, 7U, 8U, 13U}) {
    pca::Block wide(operation.entries(), columns);
    pca::Block tall(operation.rows(), columns);
    for (double& cell : wide.cells) cell = random.uniform() - 0.5;
    for (double& cell : tall.cells) cell = random.uniform() - 0.5;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto view = [](const pca::Block& block) {
      return Eigen::Map<const RowMajor>(block.cells.data(), static_cast<Eigen::Index>(block.rows),
                                        static_cast<Eigen::Index>(block.columns));
    };
    const pca::Block product = operation.multiply(wide);
    const pca::Block transposed = operation.multiply_transposed(tall);
    EXPECT_LT((view(product) - dense * view(wide)).norm(), 1e-10);
    EXPECT_LT((view(transposed) - dense.transpose() * view(tall)).norm(), 1e-10);
  }
  EXPECT_NEAR(operation.total_scatter(), dense.squaredNorm(), 1e-9 * dense.squaredNorm());
}

TEST(Block, OrthonormalColumnsLeaveOutDependentOnes) {
  Job job(RunOptions{});
  Random random(9, Purpose::generate);
  pca::Block block(500, 6);
  for (std::size_t i = 0; i < 500; ++i) {
    double* row = block.row(i);
    for (std::size_t c = 0; c < 4; ++c) row[c] = random.uniform() * (c == 3 ? 1e-9 : 1e3);
    row[4] = row[0] + row[1];
    row[5] = 0;
  }
  const pca::Block basis = pca::orthonormalised(block, job);
  ASSERT_EQ(basis.columns, 4U);
  const Eigen::MatrixXd products = pca::gram(basis, job);
  EXPECT_LT((products - Eigen::MatrixXd::Identity(4, 4)).norm(), 1e-13);
}

}  // namespace
}  // namespace mbn
