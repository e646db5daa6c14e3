// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <mbn/error.hpp>
#include <mbn/lsa.hpp>

#include "base/eigen.hpp"
#include "base/random.hpp"
#include "input/files.hpp"

namespace mbn {
namespace {

SparseMatrix random_rows(std::size_t rows, std::size_t columns, double density) {
  Random random(5, Purpose::generate);
  SparseMatrix matrix;
  matrix.columns = columns;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::uint32_t c = 0; c < columns; ++c) {
      if (random.uniform() >= density) continue;
      matrix.indices.push_back(c);
      matrix.values.push_back(static_cast<float>(1 + random.below(4)));
    }
    matrix.starts.push_back(matrix.values.size());
  }
  return matrix;
}

Eigen::MatrixXd dense(SparseView rows) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.rows()),
                                                 static_cast<Eigen::Index>(rows.columns()));
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t c = 0; c < rows.indices(i).size(); ++c) {
      matrix(static_cast<Eigen::Index>(i), rows.indices(i)[c]) = rows.values(i)[c];
    }
  }
  return matrix;
}

void expect_svd(const SparseMatrix& rows, std::uint32_t components) {
  const Lsa lsa = Lsa::fit(rows, {.components = components});
  const Eigen::MatrixXd matrix = dense(rows);
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeThinV);
  const Matrix embedding = lsa.transform(rows);
  for (Eigen::Index c = 0; c < components; ++c) {
    const double wanted = c < svd.singularValues().size() ? svd.singularValues()[c] : 0;
    ASSERT_NEAR(lsa.singular_values()[static_cast<std::size_t>(c)], wanted, 1e-5 * wanted + 1e-4);
    if (wanted < 1e-3) continue;
    const Eigen::VectorXd scores = matrix * svd.matrixV().col(c);
    double same = 0;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      same += scores[i] * embedding.at(static_cast<std::size_t>(i), static_cast<std::size_t>(c));
    }
    EXPECT_NEAR(std::abs(same) / (wanted * wanted), 1, 1e-4) << c;
  }
}

TEST(Lsa, AgreesWithTheFullDecomposition) {
  expect_svd(random_rows(300, 120, 0.1), 5);  // tall, by Lanczos
  expect_svd(random_rows(90, 400, 0.05), 4);  // wide
  expect_svd(random_rows(12, 7, 0.4), 7);     // all there are
}

TEST(Lsa, ComponentsBeyondTheRankAreZero) {
  const SparseMatrix rows = random_rows(6, 4, 0.6);
  const Lsa lsa = Lsa::fit(rows, {.components = 9});
  EXPECT_EQ(lsa.components(), 9u);
  EXPECT_GT(lsa.singular_values()[0], 0);
  EXPECT_EQ(lsa.singular_values()[8], 0);
  EXPECT_EQ(lsa.transform(rows).at(0, 8), 0);
  SparseMatrix empty;
  empty.columns = 3;
  empty.starts = {0, 0, 0};
  EXPECT_EQ(Lsa::fit(empty).singular_values()[0], 0);
}

TEST(Lsa, ThreadsAndBatchesDoNotMatter) {
  const SparseMatrix rows = random_rows(2500, 300, 0.03);
  const Lsa one = Lsa::fit(rows, {.components = 6, .seed = 3}, {.threads = 1});
  EXPECT_EQ(one.to_bytes(),
            Lsa::fit(rows, {.components = 6, .seed = 3}, {.threads = 4}).to_bytes());
  const Matrix all = one.transform(rows, {.threads = 4});
  for (const std::size_t i : {0u, 255u, 256u, 2499u}) {
    const Matrix alone = one.transform(rows.view().slice(i, 1));
    for (std::size_t c = 0; c < 6; ++c) EXPECT_EQ(alone.at(0, c), all.at(i, c));
  }
}

TEST(Lsa, TheLargestLoadingIsPositive) {
  const Lsa lsa = Lsa::fit(random_rows(200, 50, 0.1), {.components = 5});
  for (std::size_t c = 0; c < 5; ++c) {
    float largest = 0;
    for (std::size_t d = 0; d < 50; ++d) {
      const float loading = lsa.loadings().at(d, c);
      if (std::abs(loading) > std::abs(largest)) largest = loading;
    }
    EXPECT_GT(largest, 0);
  }
}

TEST(Lsa, SurvivesItsBytes) {
  const SparseMatrix rows = random_rows(80, 40, 0.1);
  const Lsa lsa = Lsa::fit(rows, {.components = 3, .seed = 11});
  const Lsa back = Lsa::from_bytes(lsa.to_bytes());
  EXPECT_EQ(back.options(), lsa.options());
  EXPECT_EQ(back.training_rows(), 80u);
  EXPECT_EQ(back.to_bytes(), lsa.to_bytes());
  auto bytes = lsa.to_bytes();
  bytes[bytes.size() - 3] ^= 1;
  files::expect_error<FormatError>([&] { Lsa::from_bytes(bytes); }, {"checksum"});
  bytes.resize(bytes.size() - 8);
  EXPECT_THROW(Lsa::from_bytes(bytes), FormatError);
}

TEST(Lsa, RefusesWhatDoesNotFit) {
  SparseMatrix rows = random_rows(20, 10, 0.3);
  const Lsa lsa = Lsa::fit(rows, {.components = 2});
  files::expect_error<InvalidArgument>([&] { lsa.transform(random_rows(3, 11, 0.5)); },
                                       {"11 columns", "10"});
  files::expect_error<InvalidArgument>([&] { Lsa::fit(SparseMatrix{}); }, {"needs rows"});
  EXPECT_THROW(Lsa::fit(rows, {.components = 0}), InvalidArgument);
  rows.values[0] = NAN;
  files::expect_error<InvalidArgument>([&] { Lsa::fit(rows); }, {"must be finite"});
}

TEST(Lsa, CosineIgnoresTheLengthOfRows) {
  const SparseMatrix rows = random_rows(60, 30, 0.2);
  SparseMatrix longer = rows;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const float factor = i % 2 == 0 ? 1.0F : 8.0F;  // a power of two: no rounding
    for (std::uint64_t c = rows.starts[i]; c < rows.starts[i + 1]; ++c) longer.values[c] *= factor;
  }
  const LsaOptions cosine{.components = 4, .metric = Metric::cosine};
  EXPECT_EQ(Lsa::fit(rows, cosine).to_bytes(), Lsa::fit(longer, cosine).to_bytes());
  EXPECT_NE(Lsa::fit(rows, {.components = 4}).to_bytes(),
            Lsa::fit(longer, {.components = 4}).to_bytes());
  const Lsa kept = Lsa::from_bytes(Lsa::fit(rows, cosine).to_bytes());
  EXPECT_EQ(kept.options(), cosine);
  const Matrix one = kept.transform(rows);
  const Matrix other = kept.transform(longer);
  for (std::size_t i = 0; i < one.rows(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(one.at(i, c), other.at(i, c));
  }
}

}  // namespace
}  // namespace mbn
