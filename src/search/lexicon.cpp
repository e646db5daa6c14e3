// SPDX-License-Identifier: Apache-2.0
//
// Documents are read in blocks. Each thread numbers the words as it meets them; at the end all
// words are sorted by their bytes and get their final numbers. Blocks are then gone through in
// order, so the documents of a word ascend, whatever thread read them.
#include "search/lexicon.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>

#include "text/vectorizer_data.hpp"
#include "text/word_reader.hpp"

namespace mbn {

namespace {

constexpr std::size_t kDocumentsPerTask = 256;

/// A word of a document: the word by the number that its thread gave it.
struct Entry {
  std::uint32_t word;
  std::uint32_t document;
  std::uint8_t count;
};

struct Block {
  unsigned worker = 0;
  std::vector<Entry> entries;
};

class Reader {
 public:
  explicit Reader(const TextOptions& options) : words_(options) {}

  /// Appends the words of a document; how many it has.
  std::uint32_t read(std::string_view text, std::uint32_t document, std::vector<Entry>& entries) {
    std::uint64_t length = 0;
    seen_.clear();
    words_.read(text, [&](std::string_view stem) {
      ++length;
      auto found = numbers_.find(stem);
      if (found == numbers_.end()) {
        found =
            numbers_.emplace(std::string(stem), static_cast<std::uint32_t>(counts_.size())).first;
        counts_.push_back(0);
      }
      if (counts_[found->second]++ == 0) seen_.push_back(found->second);
    });
    for (const std::uint32_t word : seen_) {
      const std::uint64_t count = std::min<std::uint64_t>(counts_[word], Lexicon::kMostCount);
      entries.push_back({word, document, static_cast<std::uint8_t>(count)});
      counts_[word] = 0;
    }
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::min(length, kMost));
  }

  const auto& numbers() const { return numbers_; }

 private:
  WordReader words_;
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> numbers_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> seen_;
};

/// All words in order, and for each thread the final number of each of its words.
std::vector<std::vector<std::uint32_t>> number_words(
    const std::vector<std::unique_ptr<Reader>>& readers, PackedTexts& words) {
  std::vector<std::string_view> all;
  for (const auto& reader : readers) {
    if (!reader) continue;
    for (const auto& [word, number] : reader->numbers()) all.push_back(word);
  }
  std::ranges::sort(all);
  const auto twice = std::ranges::unique(all);
  all.erase(twice.begin(), twice.end());
  for (const std::string_view word : all) words.push_back(word, "words");
  std::vector<std::vector<std::uint32_t>> numbers(readers.size());
  for (std::size_t r = 0; r < readers.size(); ++r) {
    if (!readers[r]) continue;
    numbers[r].resize(readers[r]->numbers().size());
    for (const auto& [word, number] : readers[r]->numbers()) {
      numbers[r][number] =
          static_cast<std::uint32_t>(std::ranges::lower_bound(all, word) - all.begin());
    }
  }
  return numbers;
}

/// Room for the documents of each word; `next` is where the next one of a word goes.
std::vector<std::uint64_t> open_lists(Lexicon& lexicon, const std::vector<std::uint64_t>& sizes) {
  lexicon.starts.assign(sizes.size() + 1, 0);
  for (std::size_t w = 0; w < sizes.size(); ++w) {
    lexicon.starts[w + 1] = lexicon.starts[w] + sizes[w];
  }
  lexicon.documents.resize(lexicon.starts.back());
  lexicon.counts.resize(lexicon.starts.back());
  return {lexicon.starts.begin(), lexicon.starts.end() - 1};
}

[[noreturn]] void refuse(const std::string& problem) {
  throw InvalidArgument(problem);
}

}  // namespace

std::optional<std::uint32_t> Lexicon::find(std::string_view stem) const {
  std::size_t low = 0;
  std::size_t high = words.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (words[middle] < stem) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == words.size() || words[low] != stem) return std::nullopt;
  return static_cast<std::uint32_t>(low);
}

bool Lexicon::has(std::uint32_t word, std::uint32_t document) const {
  const auto* first = documents.data();
  return std::binary_search(first + starts[word], first + starts[word + 1], document);
}

Lexicon make_lexicon(std::span<const std::string> documents, const TextOptions& options, Job& job) {
  const std::size_t tasks = blocks(documents.size(), kDocumentsPerTask);
  std::vector<std::unique_ptr<Reader>> readers(job.threads());
  std::vector<Block> parts(tasks);
  Lexicon lexicon;
  lexicon.lengths.resize(documents.size());
  job.stage("words", 1, tasks);
  job.parallel(tasks, [&](std::size_t task, unsigned worker) {
    if (!readers[worker]) readers[worker] = std::make_unique<Reader>(options);
    parts[task].worker = worker;
    const std::size_t last = std::min((task + 1) * kDocumentsPerTask, documents.size());
    for (std::size_t i = task * kDocumentsPerTask; i < last; ++i) {
      lexicon.lengths[i] =
          readers[worker]->read(documents[i], static_cast<std::uint32_t>(i), parts[task].entries);
    }
  });
  const auto numbers = number_words(readers, lexicon.words);
  std::vector<std::uint64_t> sizes(lexicon.words.size());
  for (const Block& block : parts) {
    for (const Entry& entry : block.entries) ++sizes[numbers[block.worker][entry.word]];
  }
  std::vector<std::uint64_t> next = open_lists(lexicon, sizes);
  for (const Block& block : parts) {
    for (const Entry& entry : block.entries) {
      const std::uint64_t place = next[numbers[block.worker][entry.word]]++;
      lexicon.documents[place] = entry.document;
      lexicon.counts[place] = entry.count;
    }
  }
  return lexicon;
}

Lexicon joined(const Lexicon& lexicon, const Lexicon& more) {
  Lexicon all;
  all.lengths = lexicon.lengths;
  all.lengths.insert(all.lengths.end(), more.lengths.begin(), more.lengths.end());
  all.documents.reserve(lexicon.documents.size() + more.documents.size());
  all.counts.reserve(lexicon.counts.size() + more.counts.size());
  const auto shift = static_cast<std::uint32_t>(lexicon.size());
  const auto append = [&all](const Lexicon& from, std::size_t word, std::uint32_t by) {
    for (std::uint64_t i = from.starts[word]; i < from.starts[word + 1]; ++i) {
      all.documents.push_back(from.documents[i] + by);
      all.counts.push_back(from.counts[i]);
    }
  };
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < lexicon.words.size() || b < more.words.size()) {
    const bool in_a =
        a < lexicon.words.size() && (b == more.words.size() || lexicon.words[a] <= more.words[b]);
    const bool in_b =
        b < more.words.size() && (a == lexicon.words.size() || more.words[b] <= lexicon.words[a]);
    all.words.push_back(in_a ? lexicon.words[a] : more.words[b], "words");
    if (in_a) append(lexicon, a++, 0);
    if (in_b) append(more, b++, shift);
    all.starts.push_back(all.documents.size());
  }
  return all;
}

Lexicon selected(const Lexicon& lexicon, const std::vector<bool>& keep) {
  Lexicon rest;
  std::vector<std::uint32_t> place(lexicon.size());
  for (std::size_t i = 0; i < lexicon.size(); ++i) {
    place[i] = static_cast<std::uint32_t>(rest.lengths.size());
    if (keep[i]) rest.lengths.push_back(lexicon.lengths[i]);
  }
  for (std::size_t word = 0; word < lexicon.words.size(); ++word) {
    for (std::uint64_t i = lexicon.starts[word]; i < lexicon.starts[word + 1]; ++i) {
      if (!keep[lexicon.documents[i]]) continue;
      rest.documents.push_back(place[lexicon.documents[i]]);
      rest.counts.push_back(lexicon.counts[i]);
    }
    if (rest.documents.size() == rest.starts.back()) continue;
    rest.words.push_back(lexicon.words[word], "words");
    rest.starts.push_back(rest.documents.size());
  }
  return rest;
}

void check_lexicon(const Lexicon& lexicon) {
  const std::size_t words = lexicon.words.size();
  if (lexicon.starts.size() != words + 1 || lexicon.starts.front() != 0 ||
      lexicon.starts.back() != lexicon.documents.size() ||
      lexicon.counts.size() != lexicon.documents.size()) {
    refuse("the lists of the words do not fill the lexicon");
  }
  for (std::size_t w = 0; w < words; ++w) {
    if (w > 0 && !(lexicon.words[w - 1] < lexicon.words[w])) {
      refuse(fmt::format("word {} of the lexicon is not sorted by its bytes", w + 1));
    }
    const std::uint64_t end = lexicon.starts[w + 1];
    if (lexicon.starts[w] >= end || end > lexicon.documents.size()) {
      refuse(fmt::format("word {} of the lexicon is in no document", w + 1));
    }
    for (std::uint64_t i = lexicon.starts[w]; i < end; ++i) {
      const bool ascends =
          i == lexicon.starts[w] || lexicon.documents[i - 1] < lexicon.documents[i];
      if (!ascends || lexicon.documents[i] >= lexicon.size() || lexicon.counts[i] == 0) {
        refuse(fmt::format("the documents of word {} of the lexicon are wrong", w + 1));
      }
    }
  }
}

}  // namespace mbn
