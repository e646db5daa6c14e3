// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <mbn/error.hpp>
#include <mbn/text.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using Words = std::vector<std::string>;

const Words kTexts = {"Cats chase mice. Cats sleep.", "Dogs chase cats", "", "mice, mice, mice"};

TextOptions counting(std::optional<std::uint32_t> words) {
  return {.words = words};
}

std::vector<float> row(const SparseMatrix& matrix, std::size_t index) {
  std::vector<float> cells(matrix.columns);
  const SparseView view = matrix;
  for (std::size_t i = 0; i < view.indices(index).size(); ++i) {
    cells[view.indices(index)[i]] = view.values(index)[i];
  }
  return cells;
}

TEST(Vectorizer, CountsStemsInSortedColumns) {
  const Vectorizer vectorizer = Vectorizer::fit(kTexts, counting(std::nullopt));
  EXPECT_EQ(vectorizer.words(), (Words{"cat", "chase", "dog", "mice", "sleep"}));
  EXPECT_EQ(vectorizer.document_counts(), (std::vector<std::uint32_t>{2, 2, 1, 2, 1}));
  EXPECT_EQ(vectorizer.documents(), 4u);
  const SparseMatrix counts = vectorizer.transform(kTexts);
  EXPECT_EQ(counts.rows(), 4u);
  EXPECT_EQ(row(counts, 0), (std::vector<float>{2, 1, 0, 1, 1}));
  EXPECT_EQ(row(counts, 1), (std::vector<float>{1, 1, 1, 0, 0}));
  EXPECT_EQ(row(counts, 2), std::vector<float>(5));
  EXPECT_EQ(row(counts, 3), (std::vector<float>{0, 0, 0, 3, 0}));
}

TEST(Vectorizer, KeepsTheCommonest) {
  // mice 4, cat 3, chase 2; then dog and sleep once each, of which dog is first by spelling.
  EXPECT_EQ(Vectorizer::fit(kTexts, counting(2)).words(), (Words{"cat", "mice"}));
  EXPECT_EQ(Vectorizer::fit(kTexts, counting(4)).words(), (Words{"cat", "chase", "dog", "mice"}));
  EXPECT_EQ(Vectorizer::fit(kTexts, {.words = std::nullopt, .min_documents = 2}).words(),
            (Words{"cat", "chase", "mice"}));
}

TEST(Vectorizer, NewDocumentsMeetTheSameColumns) {
  const Vectorizer vectorizer = Vectorizer::fit(kTexts, counting(std::nullopt));
  const SparseMatrix rows =
      vectorizer.transform(Words{"a sleeping cat and an elephant", "unknown"});
  EXPECT_EQ(row(rows, 0), (std::vector<float>{1, 0, 0, 0, 1}));
  EXPECT_EQ(row(rows, 1), std::vector<float>(5));
  EXPECT_EQ(vectorizer.transform({}).rows(), 0u);
  EXPECT_EQ(vectorizer.transform({}).columns, 5u);
}

TEST(Vectorizer, Weightings) {
  TextOptions options = counting(std::nullopt);
  options.weighting = Weighting::logarithm;
  const SparseMatrix logs = Vectorizer::fit(kTexts, options).transform(kTexts);
  EXPECT_FLOAT_EQ(row(logs, 3)[3], std::log(4.0F));
  options.weighting = Weighting::tfidf;
  const SparseMatrix weighted = Vectorizer::fit(kTexts, options).transform(kTexts);
  const double common = std::log(5.0 / 3) + 1;
  const double rare = std::log(5.0 / 2) + 1;
  const double length = std::sqrt(2 * common * common + rare * rare);
  EXPECT_NEAR(row(weighted, 1)[0], common / length, 1e-6);
  EXPECT_NEAR(row(weighted, 1)[2], rare / length, 1e-6);
  EXPECT_FLOAT_EQ(row(weighted, 3)[3], 1);
  EXPECT_TRUE(weighted.view().indices(2).empty());
}

TEST(Vectorizer, ThreadsAndBatchesDoNotMatter) {
  Words texts;
  for (int i = 0; i < 1500; ++i) {
    texts.push_back(fmt::format("word{} word{} word{} common", i % 7, i % 31, i * i % 101));
  }
  const Vectorizer one = Vectorizer::fit(texts, counting(40), {.threads = 1});
  const Vectorizer many = Vectorizer::fit(texts, counting(40), {.threads = 5});
  EXPECT_EQ(one.to_json(), many.to_json());
  const SparseMatrix all = one.transform(texts, {.threads = 5});
  EXPECT_EQ(all, one.transform(texts, {.threads = 1}));
  for (const std::size_t i : {0u, 255u, 256u, 1499u}) {
    EXPECT_EQ(row(one.transform(std::span(texts).subspan(i, 1)), 0), row(all, i)) << i;
  }
}

TEST(Vectorizer, NoWordAtAllIsRefused) {
  files::expect_error<InvalidArgument>(
      [] {
        Vectorizer::fit(Words{"", "the of", "\xff"});
      },
      {"no word is left", "3 documents", "min_documents"});
  files::expect_error<InvalidArgument>(
      [] { Vectorizer::fit(kTexts, {.words = std::nullopt, .min_documents = 9}); },
      {"none in 9 documents"});
}

TEST(Vectorizer, SurvivesItsFile) {
  TextOptions options{.words = 3, .language = Language::porter, .weighting = Weighting::tfidf};
  const Vectorizer vectorizer = Vectorizer::fit(kTexts, options);
  const Vectorizer back = Vectorizer::from_json(vectorizer.to_json(), "v.json");
  EXPECT_EQ(back.options(), options);
  EXPECT_EQ(back.to_json(), vectorizer.to_json());
  EXPECT_EQ(back.transform(kTexts), vectorizer.transform(kTexts));
}

}  // namespace
}  // namespace mbn
