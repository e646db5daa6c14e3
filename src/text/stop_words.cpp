// SPDX-License-Identifier: Apache-2.0
//
// English function words: articles, pronouns, prepositions, conjunctions, auxiliary verbs, and the
// pieces that are left when "don't" or "it's" is cut at the apostrophe. A word that also names a
// thing is not in the list where that meaning is common: it is better to keep a frequent word than
// to lose a useful one. Sorted by bytes, which the compiler checks, so that binary search works.
#include <algorithm>
#include <iterator>

#include "text/word_reader.hpp"

namespace mbn {

namespace {

constexpr std::string_view kEnglish[] = {
    "a",          "about",     "above",   "after",     "again",     "against", "all",
    "also",       "although",  "always",  "am",        "among",     "an",      "and",
    "another",    "any",       "are",     "aren",      "as",        "at",      "be",
    "because",    "been",      "before",  "being",     "below",     "between", "both",
    "but",        "by",        "can",     "cannot",    "could",     "couldn",  "d",
    "did",        "didn",      "do",      "does",      "doesn",     "doing",   "don",
    "done",       "down",      "during",  "each",      "either",    "else",    "etc",
    "even",       "ever",      "every",   "few",       "for",       "from",    "further",
    "had",        "hadn",      "has",     "hasn",      "have",      "haven",   "having",
    "he",         "her",       "here",    "hers",      "herself",   "him",     "himself",
    "his",        "how",       "however", "i",         "if",        "in",      "into",
    "is",         "isn",       "it",      "its",       "itself",    "just",    "least",
    "less",       "ll",        "m",       "many",      "may",       "me",      "might",
    "more",       "most",      "much",    "must",      "my",        "myself",  "neither",
    "never",      "no",        "nor",     "not",       "now",       "of",      "off",
    "often",      "on",        "once",    "only",      "onto",      "or",      "other",
    "others",     "otherwise", "our",     "ours",      "ourselves", "out",     "over",
    "own",        "per",       "rather",  "re",        "s",         "same",    "shall",
    "she",        "should",    "shouldn", "since",     "so",        "some",    "such",
    "t",          "than",      "that",    "the",       "their",     "theirs",  "them",
    "themselves", "then",      "there",   "therefore", "these",     "they",    "this",
    "those",      "though",    "through", "thus",      "to",        "too",     "toward",
    "towards",    "under",     "until",   "up",        "upon",      "us",      "ve",
    "very",       "via",       "was",     "wasn",      "we",        "were",    "weren",
    "what",       "when",      "where",   "whether",   "which",     "while",   "who",
    "whom",       "whose",     "why",     "will",      "with",      "within",  "without",
    "won",        "would",     "wouldn",  "yet",       "you",       "your",    "yours",
    "yourself",   "yourselves"};

static_assert(std::is_sorted(std::begin(kEnglish), std::end(kEnglish)));

}  // namespace

bool is_english_stop_word(std::string_view word) {
  return std::binary_search(std::begin(kEnglish), std::end(kEnglish), word);
}

}  // namespace mbn
