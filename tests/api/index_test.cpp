// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include <mbn/error.hpp>
#include <mbn/index.hpp>

#include "base/random.hpp"
#include "input/files.hpp"
#include "search/cosine.hpp"

namespace mbn {
namespace {

Matrix random_matrix(std::size_t rows, std::size_t columns, std::uint32_t stream) {
  Random random(1, Purpose::generate, stream);
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      matrix.mutable_row<float>(i)[c] = static_cast<float>(random.uniform() - 0.5);
    }
  }
  return matrix;
}

IndexParts bare(Matrix embedding) {
  IndexParts parts;
  parts.embedding = std::move(embedding);
  return parts;
}

double cosine(MatrixView a, std::size_t i, MatrixView b, std::size_t j) {
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t c = 0; c < a.columns(); ++c) {
    ab += double{a.at(i, c)} * b.at(j, c);
    aa += double{a.at(i, c)} * a.at(i, c);
    bb += double{b.at(j, c)} * b.at(j, c);
  }
  return ab / std::sqrt(aa * bb);
}

TEST(Index, FindsTheNearestByCosine) {
  const Matrix rows = random_matrix(500, 19, 1);
  const Matrix queries = random_matrix(7, 19, 2);
  const Index index = Index::make(bare(Matrix::copy_of(rows)));
  const auto answers = index.search(queries, 12);
  ASSERT_EQ(answers.size(), 7u);
  for (std::size_t q = 0; q < 7; ++q) {
    ASSERT_EQ(answers[q].size(), 12u);
    std::vector<std::pair<double, std::uint32_t>> expected;
    for (std::uint32_t i = 0; i < 500; ++i) expected.push_back({-cosine(queries, q, rows, i), i});
    std::sort(expected.begin(), expected.end());
    for (std::size_t rank = 0; rank < 12; ++rank) {
      EXPECT_EQ(answers[q][rank].row, expected[rank].second);
      EXPECT_NEAR(answers[q][rank].score, -expected[rank].first, 1e-6);
    }
  }
}

TEST(Index, AQueryIsTheSameAloneAndInABatch) {
  const Index index = Index::make(bare(random_matrix(300, 13, 1)));
  const Matrix queries = random_matrix(6, 13, 2);
  const auto all = index.search(queries, 5, {.threads = 3});
  EXPECT_EQ(all, index.search(queries, 5, {.threads = 1}));
  for (std::size_t q = 0; q < 6; ++q) {
    EXPECT_EQ(index.search(queries.view().slice(q, 1), 5)[0], all[q]) << q;
  }
}

TEST(Index, EqualsGoByRowAndNoLengthHasNoAnswer) {
  Matrix rows(5, 2);
  for (std::size_t i = 0; i < 5; ++i) rows.mutable_row<float>(i)[0] = static_cast<float>(i);
  Matrix queries(2, 2);
  queries.mutable_row<float>(0)[0] = 3;
  const Index index = Index::make(bare(std::move(rows)));
  const auto answers = index.search(queries, 9);
  ASSERT_EQ(answers[0].size(), 5u);
  const std::vector<Hit> expected = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {0, 0}};
  EXPECT_EQ(answers[0], expected);
  EXPECT_TRUE(answers[1].empty());
  EXPECT_TRUE(index.search(queries, 0)[0].empty());
  EXPECT_EQ(index.id(3), "3");
  EXPECT_EQ(index.title(3), "");
}

Documents pets() {
  Documents documents;
  for (int i = 0; i < 60; ++i) {
    documents.ids.push_back(fmt::format("d{}", i));
    documents.texts.push_back(i % 3 == 0   ? fmt::format("cats purr and sleep  number{}", i % 5)
                              : i % 3 == 1 ? fmt::format("dogs bark at cars number{}", i % 5)
                                           : fmt::format("fish swim in water number{}", i % 5));
  }
  return documents;
}

class BuiltIndex : public ::testing::TestWithParam<Method> {};

TEST_P(BuiltIndex, AnswersTextAndSurvivesItsFile) {
  IndexOptions options;
  options.method = GetParam();
  options.fit.components = 4;
  options.fit.clusterings = 30;
  const Index index = Index::build(pets(), options);
  EXPECT_EQ(index.rows(), 60u);
  EXPECT_EQ(index.title(0), "cats purr and sleep number0");
  const std::vector<std::string> queries = {"a barking dog", "zebra", ""};
  const auto answers = index.search_text(queries, 10);
  ASSERT_EQ(answers[0].size(), 10u);
  for (const Hit& hit : answers[0]) EXPECT_EQ(hit.row % 3, 1u);
  EXPECT_TRUE(answers[1].empty());
  EXPECT_TRUE(answers[2].empty());

  const auto path = std::filesystem::path(::testing::TempDir()) /
                    fmt::format("index-{}.mbn", static_cast<int>(GetParam()));
  index.save(path, true);
  const Index back = Index::load(path);
  EXPECT_EQ(back.search_text(queries, 10), answers);
  EXPECT_EQ(back.id(7), "d7");
  EXPECT_EQ(back.title(7), index.title(7));
  files::expect_error<FormatError>([&] { Model::load(path); }, {"index"});
  files::expect_error<FormatError>([&] { Lsa::load(path); },
                                   {"kind is 'index'", "an LSA was asked for"});
}

INSTANTIATE_TEST_SUITE_P(Methods, BuiltIndex, ::testing::Values(Method::mbn, Method::lsa));

TEST(Index, RowsTakeTheWayOfTheCollection) {
  IndexOptions options;
  options.method = Method::lsa;
  options.fit.components = 4;
  const Documents documents = pets();
  const Index index = Index::build(documents, options);
  const SparseMatrix counts = index.vectorizer()->transform(documents.texts);
  const Matrix sparse = index.embed(counts.view());
  Matrix dense(counts.rows(), counts.columns);
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    for (std::size_t c = 0; c < counts.view().indices(i).size(); ++c) {
      dense.mutable_row<float>(i)[counts.view().indices(i)[c]] = counts.view().values(i)[c];
    }
  }
  const Matrix other = index.embed(dense.view());
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(sparse.at(17, c), other.at(17, c));
  EXPECT_NEAR(index.search(sparse.view().slice(17, 1), 1)[0][0].score, 1, 1e-5);
}

TEST(Index, RefusesWhatDoesNotFit) {
  files::expect_error<InvalidArgument>([] { Index::make({}); }, {"needs rows"});
  IndexParts named = bare(random_matrix(3, 2, 1));
  named.ids = {"one"};
  files::expect_error<InvalidArgument>([&] { Index::make(std::move(named)); },
                                       {"1 ids for 3 rows"});
  Matrix broken = random_matrix(3, 2, 1);
  broken.mutable_row<float>(1)[1] = INFINITY;
  files::expect_error<InvalidArgument>([&] { Index::make(bare(std::move(broken))); },
                                       {"row 1", "not finite"});
  const Index index = Index::make(bare(random_matrix(3, 2, 1)));
  files::expect_error<InvalidArgument>([&] { index.search(random_matrix(1, 3, 2)); },
                                       {"3 columns", "takes 2"});
  const std::vector<std::string> query = {"words"};
  files::expect_error<InvalidArgument>([&] { index.search_text(query); }, {"no vocabulary"});
}

}  // namespace
}  // namespace mbn
