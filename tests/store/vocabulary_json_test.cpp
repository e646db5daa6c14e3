// SPDX-License-Identifier: Apache-2.0
#include "store/vocabulary_json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <mbn/error.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

VectorizerData small_vocabulary() {
  VectorizerData vocabulary;
  vocabulary.options.words = 2;
  vocabulary.options.language = Language::english;
  vocabulary.options.weighting = Weighting::tfidf;
  vocabulary.documents = 4;
  vocabulary.words = {"cat", "mice"};
  vocabulary.document_counts = {2, 2};
  return vocabulary;
}

TEST(VocabularyJson, SurvivesTheText) {
  const std::string text = vocabulary_to_json(small_vocabulary());
  const VectorizerData back = vocabulary_from_json(text, "v.json");
  EXPECT_EQ(vocabulary_to_json(back), text);
  EXPECT_EQ(back.columns.at("mice"), 1U);
  EXPECT_EQ(back.weights.frequency.size(), 2U);
}

TEST(VocabularyJson, AllWordsAreAutoAndZeroInEarlierVersions) {
  VectorizerData all = small_vocabulary();
  all.options.words = std::nullopt;
  std::string text = vocabulary_to_json(all);
  EXPECT_EQ(vocabulary_from_json(text, "v.json").options, all.options);
  const std::string now = R"("words":"auto")";
  ASSERT_NE(text.find(now), std::string::npos) << text;
  text.replace(text.find(now), now.size(), R"("words":0)");
  EXPECT_EQ(vocabulary_from_json(text, "v.json").options, all.options);
}

TEST(VocabularyJson, Version1CountsAsItDid) {
  const auto read = [](const char* language) {
    return vocabulary_from_json(
               fmt::format(
                   R"({{"format":"mbn vocabulary","format_version":1,"options":{{"words":2000,)"
                   R"("min_documents":1,"language":"{}","stop_words":"auto","weighting":)"
                   R"("counts"}},"documents":3,"words":["café","die"],"document_counts":[2,1]}})",
                   language),
               "old.json")
        .options;
  };
  EXPECT_EQ(read("english").accents, Accents::keep);
  EXPECT_EQ(read("english").stop_words, StopWords::automatic);
  EXPECT_EQ(read("german").stop_words, StopWords::none);  // it had no list then
}

TEST(VocabularyJson, BadVocabulariesAreRefused) {
  const std::string good = vocabulary_to_json(small_vocabulary());
  const auto refuse = [&](const std::string& from, const std::string& to, const char* part) {
    std::string text = good;
    const std::size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    text.replace(place, from.size(), to);
    files::expect_error<FormatError>([&] { vocabulary_from_json(text, "v.json"); },
                                     {"v.json: ", part});
  };
  refuse("mbn vocabulary", "something", "not a vocabulary");
  refuse("\"format_version\":2", "\"format_version\":3", "newer version");
  refuse("\"format_version\":2", "\"format_version\":0", "this version knows 1 to 2");
  refuse("\"format_version\":2", "\"format_version\":\"x\"", "format_version holds");
  refuse("\"cat\",\"mice\"", "\"mice\",\"cat\"", "not sorted");
  refuse("\"cat\",\"mice\"", "\"cat\",\"cat\"", "not sorted");
  refuse("\"cat\",\"mice\"", "\"cat\"", "1 words and 2 document_counts");
  refuse("\"cat\",\"mice\"", "\"cat\",7", "not a text");
  refuse("\"cat\",\"mice\"", "\"\",\"mice\"", "has 0 bytes");
  refuse("[2,2]", "[2,5]", "document_counts holds 5");
  refuse("[2,2]", "{}", "not a list");
  refuse("\"documents\":4", "\"documents\":-4", "documents holds -4");
  refuse("\"language\":\"english\"", "\"language\":\"klingon\"", "language");
  refuse("\"words\":2,", "\"words\":\"many\",", "that value of the option words");
  refuse("\"words\":2,", "\"words\":-2,", "that value of the option words");
  refuse("\"min_documents\":1", "\"min_documents\":0", "min_documents is 0");
  refuse("\"min_documents\":1", "\"min_docs\":1", "does not know the option 'min_docs'");
  refuse("\"words\":[", "\"wards\":[", "'words' is missing");
  refuse("{", "", "not a vocabulary");
  refuse("\"words\":[", "\"words\":[],\"words\":[", "not a vocabulary");
  refuse("\"cat\",\"mice\"", "\"cat\",[[]]", "not a vocabulary");
  files::expect_error<FormatError>([] { vocabulary_from_json(std::string(100000, '['), "deep"); },
                                   {"deep: "});
}

}  // namespace
}  // namespace mbn
