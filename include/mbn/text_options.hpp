// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <mbn/options.hpp>

namespace mbn {

/// The language of the stemmer, from the Snowball project. `porter` is the older English one;
/// `none` keeps words whole; `automatic` is guessed from the collection.
enum class Language : std::uint8_t {
  automatic,
  none,
  arabic,
  armenian,
  basque,
  catalan,
  danish,
  dutch,
  english,
  finnish,
  french,
  german,
  greek,
  hindi,
  hungarian,
  indonesian,
  irish,
  italian,
  lithuanian,
  nepali,
  norwegian,
  porter,
  portuguese,
  romanian,
  russian,
  serbian,
  spanish,
  swedish,
  tamil,
  turkish,
  yiddish
};
/// Which list of stop words (frequent function words) is dropped.
enum class StopWords : std::uint8_t { automatic, none, english };
/// Whether accented letters are those without accents.
enum class Accents : std::uint8_t { fold, keep };
/// How a file of documents is laid out.
enum class DocumentFormat : std::uint8_t { automatic, lines, csv, jsonl };

template <>
constexpr auto enum_names<Language>() {
  return std::array<std::string_view, 31>{
      "auto",      "none",       "arabic",   "armenian", "basque",     "catalan", "danish",
      "dutch",     "english",    "finnish",  "french",   "german",     "greek",   "hindi",
      "hungarian", "indonesian", "irish",    "italian",  "lithuanian", "nepali",  "norwegian",
      "porter",    "portuguese", "romanian", "russian",  "serbian",    "spanish", "swedish",
      "tamil",     "turkish",    "yiddish"};
}
template <>
constexpr auto enum_names<StopWords>() {
  return std::array<std::string_view, 3>{"auto", "none", "english"};
}
template <>
constexpr auto enum_names<Accents>() {
  return std::array<std::string_view, 2>{"fold", "keep"};
}
template <>
constexpr auto enum_names<DocumentFormat>() {
  return std::array<std::string_view, 4>{"auto", "lines", "csv", "jsonl"};
}

/// Everything that decides how a text becomes counts. Stored with the vocabulary.
struct TextOptions {
  std::optional<std::uint32_t> words = 2000;
  std::uint32_t min_documents = 1;
  Language language = Language::automatic;
  StopWords stop_words = StopWords::automatic;
  Weighting weighting = Weighting::counts;
  Accents accents = Accents::fold;

  bool operator==(const TextOptions&) const = default;
};

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, TextOptions>
void visit_fields(Options& options, Visitor&& visit) {
  constexpr double kMaxCount = std::numeric_limits<std::int32_t>::max();
  visit(Field{"words",
              "Word stems to keep: the most frequent of the collection, ties by spelling. Larger "
              "values see rarer subjects and take more time.",
              1, kMaxCount, "all of them"},
        options.words);
  visit(Field{"min_documents", "Words that occur in fewer documents than this are dropped.", 1,
              kMaxCount},
        options.min_documents);
  visit(Field{"language",
              "Language of the stemmer, which cuts off endings, so that 'games' and 'game' are one "
              "word; 'auto' guesses it from the collection, 'none' keeps words whole."},
        options.language);
  visit(Field{"stop_words",
              "Stop words (function words such as 'the' and 'of') are dropped before stemming: "
              "'auto' drops those of the language, where there is a list of them."},
        options.stop_words);
  visit(Field{"weighting",
              "Value of a word in a document: how often it occurs there ('counts'), ln(1 + counts) "
              "('log'), or counts x (ln((1 + documents) / (1 + documents with the word)) + 1) "
              "with rows scaled to norm 1 ('tfidf'), or the same with 1 + ln(counts) "
              "('log-tfidf'). 'cells' is not for words."},
        options.weighting);
  visit(Field{"accents",
              "'fold' takes accents off letters and folds case by Unicode's rules, so that 'Café' "
              "and 'cafe' are one word; 'keep' only makes capitals small."},
        options.accents);
}

/// Throws InvalidArgument that names the first option out of its range.
void validate(const TextOptions& options);

/// Texts with their ids and titles, each of which may be empty.
struct Documents {
  std::vector<std::string> texts;
  std::vector<std::string> ids;
  std::vector<std::string> titles = {};

  std::size_t size() const { return texts.size(); }
};

struct DocumentOptions {
  DocumentFormat format = DocumentFormat::automatic;
  /// CSV column (name, or number from 1; negative from the end) or JSONL field that holds the text.
  std::string text_column = "text";
  /// The same for the document's id. Empty: a document's id is the number of its line, a file's its
  /// path.
  std::string id_column{};
  /// The same for its title. Empty: documents have none.
  std::string title_column{};
};

/// Reads documents: all files below a folder (a document each, sorted by path), a text file with a
/// document a line, CSV or TSV with a header line, or JSONL (an object a line); "-" is standard
/// input; files may be gzipped. The ending tells the format unless the options do. An empty line of
/// a text file is an empty document, so that line numbers stay row numbers. Bytes that are not
/// UTF-8 are kept here and separate words later, except in JSONL, where they are a FormatError like
/// all that is not JSON. A line or a file may have 256 MB.
Documents read_documents(const std::filesystem::path& path, const DocumentOptions& options = {});

/// Whether a folder holds texts to compare, a document in each file: it has files, and those that
/// are looked at first are text and no tables.
bool is_text_folder(const std::filesystem::path& path);

/// The stems of a text in their order, as `Vectorizer` sees them before it looks them up.
std::vector<std::string> word_stems(std::string_view text, const TextOptions& options = {});

}  // namespace mbn
