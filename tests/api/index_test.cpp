// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include <mbn/error.hpp>
#include <mbn/index.hpp>
#include <mbn/known_items.hpp>

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

INSTANTIATE_TEST_SUITE_P(Methods, BuiltIndex,
                         ::testing::Values(Method::fusion, Method::bm25, Method::mbn, Method::lsa));

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

IndexOptions small_options() {
  IndexOptions options;
  options.fit.components = 4;
  options.fit.clusterings = 30;
  return options;
}

TEST(Index, EveryMethodOfOneIndex) {
  IndexOptions options = small_options();
  options.fit.clusters = 3;
  const Index index = Index::build(pets(), options);
  EXPECT_EQ(index.method(), Method::fusion);
  const std::vector<std::string> question = {"a barking dog"};
  for (const Method method : index.methods()) {
    const auto hits = index.search_text(question, 3, {}, method)[0];
    ASSERT_EQ(hits.size(), 3U);
    EXPECT_EQ(hits[0].row % 3, 1U) << name_of(method);
  }
  EXPECT_EQ(index.methods().size(), 4U);
  EXPECT_EQ(index.cluster(1), index.cluster(4));
  EXPECT_NE(index.cluster(1), index.cluster(2));
  IndexOptions words = small_options();
  words.method = Method::bm25;
  const Index plain = Index::build(pets(), words);
  EXPECT_EQ(plain.components(), 0U);
  EXPECT_EQ(plain.cluster(0), std::nullopt);
  files::expect_error<InvalidArgument>([&] { plain.search_text(question, 3, {}, Method::lsa); },
                                       {"method = lsa is not in this index, which has bm25"});
}

TEST(Index, FewTextsHaveFewComponents) {
  Documents documents;
  documents.texts = {"cats purr loudly at night", "dogs bark at passing cars",
                     "fish swim silently"};
  const Index index = Index::build(documents, {});
  EXPECT_EQ(index.components(), 3U);
  // A text that shares nothing with the question is no answer.
  const auto hits = index.search_text(std::vector<std::string>{"barking dogs"}, 3)[0];
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].row, 1U);
}

TEST(Index, DocumentsLikeOne) {
  const Index index = Index::build(pets(), small_options());
  for (const Method method : index.methods()) {
    const auto hits = index.like(1, 5, {}, method);
    ASSERT_EQ(hits.size(), 5U);
    for (const Hit& hit : hits) {
      EXPECT_NE(hit.row, 1U);
      EXPECT_EQ(hit.row % 3, 1U) << name_of(method);
    }
  }
  files::expect_error<InvalidArgument>([&] { index.like(60); }, {"row 60 is not in the index"});
  IndexOptions bare = small_options();
  bare.method = Method::bm25;
  bare.texts = false;
  files::expect_error<InvalidArgument>([&] { Index::build(pets(), bare).like(0); },
                                       {"keeps no texts"});
}

TEST(Index, ShowsWhatAnswers) {
  const Index index = Index::build(pets(), small_options());
  const Passage passage = index.passage(1, "Barking at a zebra and DOGS");
  EXPECT_EQ(passage.words, (std::vector<std::string>{"Barking", "DOGS"}));
  EXPECT_EQ(passage.text, "dogs bark at cars number1");
  ASSERT_EQ(passage.marks.size(), 2U);
  EXPECT_EQ(passage.marks[1], (Passage::Mark{5, 9}));
  IndexOptions without = small_options();
  without.texts = false;
  const Passage bare = Index::build(pets(), without).passage(1, "dogs");
  EXPECT_EQ(bare.text, "");
  EXPECT_EQ(bare.words, std::vector<std::string>{"dogs"});
}

TEST(Index, DocumentsComeAndGo) {
  IndexOptions options = small_options();
  options.fit.clusters = 3;
  const Index index = Index::build(pets(), options);
  const Documents more{.texts = {"dogs bark at zebras"}, .ids = {"new"}, .titles = {}};
  const Index longer = index.added(more);
  EXPECT_EQ(index.rows(), 60U);
  EXPECT_EQ(longer.rows(), 61U);
  EXPECT_EQ(longer.find("new"), 60U);
  EXPECT_EQ(longer.cluster(60), longer.cluster(1));
  const std::vector<std::string> question = {"zebra"};
  EXPECT_TRUE(index.search_text(question)[0].empty());
  EXPECT_EQ(longer.search_text(question)[0][0].row, 60U);  // a word that no fit has seen
  const std::vector<std::string> gone = {"d1", "d4"};
  const Index shorter = longer.removed(gone);
  EXPECT_EQ(shorter.rows(), 59U);
  EXPECT_EQ(shorter.find("d1"), std::nullopt);
  EXPECT_EQ(shorter.id(1), "d2");
  EXPECT_EQ(shorter.search_text(question)[0][0].row, 58U);
  EXPECT_EQ(shorter.cluster(1), index.cluster(2));
  // As if they had been there from the start, but for what a fit learns.
  IndexOptions words = small_options();
  words.method = Method::bm25;
  Documents all = pets();
  all.texts.push_back(more.texts[0]);
  all.ids.push_back("new");
  const std::vector<std::string> asked = {"barking dogs", "number4"};
  EXPECT_EQ(Index::build(pets(), words).added(more).search_text(asked, 20),
            Index::build(all, words).search_text(asked, 20));
  files::expect_error<InvalidArgument>([&] { (void)longer.added(more); },
                                       {"the id 'new' is in the index already"});
  files::expect_error<InvalidArgument>([&] { (void)shorter.removed(gone); }, {"called 'd1'"});
  std::vector<std::string> everything;
  for (std::size_t i = 0; i < 60; ++i) everything.push_back(index.id(i));
  files::expect_error<InvalidArgument>([&] { (void)index.removed(everything); },
                                       {"no document would be left"});
}

TEST(Index, KnownItems) {
  const Documents documents{.texts = {"cats purr", "dogs bark", "fish swim in water"},
                            .ids = {"c", "d", "f"},
                            .titles = {}};
  const Index index = Index::build(documents, small_options());
  const KnownItemScores scores = score_known_items(
      index, {.texts = {"a cat", "bark", "zebra"}, .ids = {"c", "d", "f"}, .titles = {}});
  EXPECT_EQ(scores.questions, 3U);
  EXPECT_EQ(scores.unanswered, 1U);
  EXPECT_DOUBLE_EQ(scores.recall_at_1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores.mean_reciprocal_rank, 2.0 / 3);
  files::expect_error<InvalidArgument>(
      [&] { score_known_items(index, {.texts = {"x"}, .ids = {"y"}, .titles = {}}); },
      {"about 'y', which is not in the index"});
}

TEST(Index, TitlesAreSearchedToo) {
  const Documents documents{
      .texts = {"purr", "bark"}, .ids = {}, .titles = {"About Cats", "About Dogs"}};
  const Index index = Index::build(documents, small_options());
  EXPECT_EQ(index.title(1), "About Dogs");
  const std::vector<std::string> question = {"dog"};
  EXPECT_EQ(index.search_text(question, 1)[0][0].row, 1U);
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
