// SPDX-License-Identifier: Apache-2.0
#include "rows/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rows/kinds.hpp"

namespace mbn {
namespace {

// Three documents of four words; the last word occurs in all of them.
Matrix counts() {
  const float cells[3][4] = {{3, 0, 0, 1}, {0, 2, 0, 1}, {0, 0, 0, 4}};
  Matrix rows(3, 4);
  for (std::size_t i = 0; i < 3; ++i) std::copy_n(cells[i], 4, rows.mutable_row<float>(i));
  return rows;
}

std::vector<float> weighed(Weighting weighting, std::size_t row) {
  Job job({.threads = 1});
  const Matrix rows = counts();
  const Weights weights = find_weights(rows, weighting, job);
  std::vector<float> values(rows.row<float>(row), rows.row<float>(row) + 4);
  weigh_row(weights, {}, values);

  // Sparse rows get the same, without their zeros.
  const Rows sparse = as_sparse(rows);
  EXPECT_EQ(find_weights(sparse, weighting, job), weights);
  const auto columns = sparse.view().sparse().indices(row);
  const auto given = sparse.view().sparse().values(row);
  std::vector<float> nonzeros(given.begin(), given.end());
  weigh_row(weights, columns, nonzeros);
  for (std::size_t n = 0; n < columns.size(); ++n) EXPECT_EQ(nonzeros[n], values[columns[n]]);
  return values;
}

TEST(Weights, CountsStayAsTheyAre) {
  EXPECT_EQ(weighed(Weighting::counts, 0), (std::vector<float>{3, 0, 0, 1}));
}

TEST(Weights, LogIsTheLogarithmOfOneMore) {
  const std::vector<float> row = weighed(Weighting::logarithm, 0);
  EXPECT_FLOAT_EQ(row[0], std::log(4.0F));
  EXPECT_EQ(row[1], 0);
}

TEST(Weights, TfidfFavoursRareWordsAndHasNormOne) {
  const double rare = std::log(4.0 / 2) + 1;
  const double common = std::log(4.0 / 4) + 1;
  for (const auto& [weighting, first] :
       {std::pair{Weighting::tfidf, 3.0}, {Weighting::log_tfidf, 1 + std::log(3.0)}}) {
    const std::vector<float> row = weighed(weighting, 0);
    const double length = std::hypot(first * rare, common);
    EXPECT_NEAR(row[0], first * rare / length, 1e-6);
    EXPECT_NEAR(row[3], common / length, 1e-6);
    EXPECT_EQ(row[2], 0);
  }
}

TEST(Weights, CellsAreBroughtToTheMedianSizeFirst) {
  // The sums of the rows are 4, 3, 4: the median is 4.
  EXPECT_FLOAT_EQ(weighed(Weighting::cells, 0)[0], std::log(1 + 3.0F));
  EXPECT_NEAR(weighed(Weighting::cells, 1)[1], std::log(1 + 2 * 4.0 / 3), 1e-6);
}

TEST(Weights, ARowOfZerosStaysSo) {
  Job job({.threads = 1});
  std::vector<float> zeros(4);
  for (const Weighting weighting :
       {Weighting::logarithm, Weighting::tfidf, Weighting::log_tfidf, Weighting::cells}) {
    weigh_row(find_weights(counts(), weighting, job), {}, zeros);
    EXPECT_EQ(zeros, std::vector<float>(4)) << name_of(weighting);
  }
}

}  // namespace
}  // namespace mbn
