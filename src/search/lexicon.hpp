// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/text_options.hpp>

#include "base/job.hpp"
#include "base/packed_texts.hpp"

namespace mbn {

/// Which word stands in which documents, and how often: an inverted index of all words of a
/// collection. Plain data; five bytes for each different word of a document.
struct Lexicon {
  PackedTexts words;                     ///< stems, ascending by their bytes
  std::vector<std::uint64_t> starts{0};  ///< [word] where its documents begin; one more at the end
  std::vector<std::uint32_t> documents;  ///< of each word, ascending
  std::vector<std::uint8_t> counts;      ///< how often it stands there, at most kMostCount
  std::vector<std::uint32_t> lengths;    ///< [document] how many words it has

  static constexpr std::uint32_t kMostCount = 255;

  std::size_t size() const { return lengths.size(); }
  /// The number of a stem, if any document has it.
  std::optional<std::uint32_t> find(std::string_view stem) const;
  std::uint64_t documents_with(std::uint32_t word) const { return starts[word + 1] - starts[word]; }
  /// Whether the word stands in the document.
  bool has(std::uint32_t word, std::uint32_t document) const;

  bool operator==(const Lexicon&) const = default;
};

/// Reads all words of the documents. The result does not depend on the number of threads.
Lexicon make_lexicon(std::span<const std::string> documents, const TextOptions& options, Job& job);

/// The documents of both, those of `more` behind.
Lexicon joined(const Lexicon& lexicon, const Lexicon& more);

/// The documents for which `keep` is true, in their order. Words that are in none are left out.
Lexicon selected(const Lexicon& lexicon, const std::vector<bool>& keep);

/// InvalidArgument when the numbers contradict each other.
void check_lexicon(const Lexicon& lexicon);

}  // namespace mbn
