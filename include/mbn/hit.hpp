// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/options.hpp>

namespace mbn {

/// What ranks the documents of an index for a question: the words that they share with it (`bm25`),
/// their place in latent semantic analysis (`lsa`) or in the network's embedding (`mbn`), or
/// `fusion`: their words and their place together.
enum class Method : std::uint8_t { fusion, bm25, lsa, mbn };
template <>
constexpr auto enum_names<Method>() {
  return std::array<std::string_view, 4>{"fusion", "bm25", "lsa", "mbn"};
}

/// A row of the collection and how well it answers: the cosine between it and the question (lsa,
/// mbn: -1 .. 1), BM25 (above 0), or for `fusion` the weighted mean of the cosine and of BM25 as a
/// share of the best document's (at most 1).
struct Hit {
  std::uint32_t row = 0;
  float score = 0;

  bool operator==(const Hit&) const = default;
};

/// The part of a document that has most of a question's words.
struct Passage {
  /// Bytes of `text`: the first of a word, and the one after its last.
  struct Mark {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    bool operator==(const Mark&) const = default;
  };

  std::string text;                ///< on one line; empty when the index keeps no texts
  bool begins_inside = false;      ///< something of the document stands before it
  bool ends_inside = false;        ///< and after it
  std::vector<Mark> marks;         ///< the question's words in it, in any form
  std::vector<std::string> words;  ///< words of the question that the whole document has

  bool operator==(const Passage&) const = default;
};

}  // namespace mbn
