// SPDX-License-Identifier: Apache-2.0
//
// Index files: of this version and of earlier ones, and files whose checksums are right but whose
// numbers are not.
#include "store/index_file.hpp"

#include <gtest/gtest.h>

#include <functional>

#include <mbn/index.hpp>

#include "search/rank.hpp"
#include "store/hand_made.hpp"

namespace mbn {
namespace {

std::filesystem::path golden(const std::string& name) {
  return std::filesystem::path(MBN_TESTS_DIR) / "golden" / name;
}

Documents pets() {
  return {.texts = {"cats sleep", "dogs bark", "cats bark at the café", "one more"},
          .ids = {"a", "b", "c", "d"},
          .titles = {}};
}

std::filesystem::path small_file(const hand_made::Folder& folder) {
  IndexOptions options;
  options.fit.components = 2;
  options.fit.clusters = 2;
  options.fit.clusterings = 5;
  options.fit.centroids = 3;
  const auto path = folder.file("small.index");
  Index::build(pets(), options, {.threads = 1}).save(path);
  return path;
}

/// Spoils one thing of a sound index, writes it, and expects the reader to name it.
void expect_refused(const std::function<void(IndexData&, Lexicon&)>& spoil,
                    const std::string& part) {
  const hand_made::Folder folder;
  IndexData index = read_index_file(small_file(folder));
  auto lexicon = std::make_shared<Lexicon>(*index.lexicon);
  spoil(index, *lexicon);
  if (index.lexicon) index.lexicon = lexicon;
  const auto path = folder.file("spoiled.index");
  write_index_file(path, index, false);
  const std::string message = hand_made::format_error([&] { read_index_file(path); });
  EXPECT_NE(message.find(part), std::string::npos) << "'" << message << "' lacks '" << part << "'";
}

TEST(IndexFile, KeepsEverything) {
  const hand_made::Folder folder;
  const auto path = small_file(folder);
  const IndexData index = read_index_file(path);
  EXPECT_EQ(index.method, Method::fusion);
  EXPECT_EQ(index.ids[2], "c");
  EXPECT_EQ(index.texts[2], pets().texts[2]);
  EXPECT_EQ(index.clusters.size(), 4U);
  EXPECT_TRUE(index.model && index.lsa && index.lexicon && index.vectorizer);
  EXPECT_TRUE(index.lexicon->find("cafe"));
  const auto again = folder.file("again.index");
  write_index_file(again, index, false);
  EXPECT_EQ(hand_made::bytes_of_file(again), hand_made::bytes_of_file(path));
}

TEST(IndexFile, EarlierVersionsAreReadAndAnswerAsTheyDid) {
  const Index index = Index::load(golden("index-1.mbn"));
  EXPECT_EQ(index.rows(), 3U);
  EXPECT_EQ(index.method(), Method::lsa);
  EXPECT_EQ(index.methods(), std::vector{Method::lsa});
  EXPECT_EQ(index.title(1), "dogs bark");
  const std::vector<std::string> question = {"sleeping cats"};
  EXPECT_EQ(index.search_text(question, 1)[0][0].row, 0U);
  EXPECT_EQ(index.passage(0, question[0]), Passage{});
  EXPECT_THROW(index.search_text(question, 1, {}, Method::bm25), InvalidArgument);
  EXPECT_THROW((void)index.added(pets()), InvalidArgument);
  EXPECT_EQ(index.vectorizer()->options().accents, Accents::keep);
}

TEST(IndexFile, ThisVersionIsRead) {
  const Index index = Index::load(golden("index-3.mbn"));
  EXPECT_EQ(index.methods(), (std::vector{Method::fusion, Method::bm25, Method::lsa, Method::mbn}));
  const std::vector<std::string> question = {"Cafe"};
  EXPECT_EQ(index.search_text(question, 1)[0][0].row, 2U);
  EXPECT_EQ(index.passage(2, "CAFÉ").marks.size(), 1U);
}

TEST(IndexFile, DISABLED_WriteMissing) {
  const hand_made::Folder folder;
  const auto path = small_file(folder);
  const auto seeds = std::filesystem::path(MBN_TESTS_DIR).parent_path() / "fuzz/corpus/fuzz_index";
  for (const auto& target : {golden("index-3.mbn"), seeds / "lexicon-index.mbn"}) {
    if (!std::filesystem::exists(target)) std::filesystem::copy_file(path, target);
  }
  IndexOptions words_only;
  words_only.method = Method::bm25;
  if (!std::filesystem::exists(seeds / "words-index.mbn")) {
    Index::build(pets(), words_only, {.threads = 1}).save(seeds / "words-index.mbn");
  }
}

TEST(IndexFile, ListsOfWordsMustBeSound) {
  expect_refused([](IndexData&, Lexicon& lexicon) { lexicon.documents[0] = 4; },
                 "the documents of word 1 of the lexicon are wrong");
  expect_refused([](IndexData&, Lexicon& lexicon) { lexicon.counts[1] = 0; },
                 "of the lexicon are wrong");
  expect_refused(
      [](IndexData&, Lexicon& lexicon) {
        lexicon.documents.pop_back();
        lexicon.counts.pop_back();
      },
      "do not fill the lexicon");
  expect_refused([](IndexData&, Lexicon& lexicon) { lexicon.counts.pop_back(); },
                 "do not fill the lexicon");
  expect_refused(
      [](IndexData&, Lexicon& lexicon) {
        lexicon.starts[1] = 0;  // the first word gets none, the second its documents too
      },
      "word 1 of the lexicon is in no document");
  expect_refused(
      [](IndexData&, Lexicon& lexicon) {
        PackedTexts turned;
        for (std::size_t i = lexicon.words.size(); i > 0; --i) {
          turned.push_back(lexicon.words[i - 1], "words");
        }
        lexicon.words = turned;
      },
      "word 2 of the lexicon is not sorted by its bytes");
  expect_refused([](IndexData&, Lexicon& lexicon) { lexicon.lengths.push_back(1); }, "for 5 rows");
}

TEST(IndexFile, PartsMustFitEachOther) {
  expect_refused([](IndexData& index, Lexicon&) { index.clusters[3] = 2; },
                 "a cluster that the model does not have");
  expect_refused([](IndexData& index, Lexicon&) { index.clusters.pop_back(); }, "3 clusters for 4");
  expect_refused([](IndexData& index, Lexicon&) { index.texts = PackedTexts({"one"}, "texts"); },
                 "1 texts for 4 rows");
  expect_refused([](IndexData& index, Lexicon&) { index.vectorizer = nullptr; },
                 "a lexicon without its vocabulary");
  expect_refused([](IndexData& index, Lexicon&) { index.lsa = nullptr; },
                 "an lsa that is not there");
  expect_refused([](IndexData& index, Lexicon&) { index.lsa_embedding = Matrix(4, 3); },
                 "the embedding has 3 columns, but the model gives 2");
  expect_refused([](IndexData& index, Lexicon&) { index.lexicon = nullptr; }, "not both");
  expect_refused(
      [](IndexData& index, Lexicon&) {
        index.lsa = nullptr;
        index.model = nullptr;
        index.lsa_embedding = Matrix();
        index.clusters.clear();
      },
      "no question can be embedded in");
  expect_refused(
      [](IndexData& index, Lexicon&) {
        index.method = Method::mbn;
        index.model = nullptr;
        index.clusters.clear();
        index.embedding = std::move(index.lsa_embedding);
        index.lsa_embedding = Matrix();
      },
      "'method' in the metadata");
}

}  // namespace
}  // namespace mbn
