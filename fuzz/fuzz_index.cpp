// SPDX-License-Identifier: Apache-2.0
//
// Untrusted index and LSA files, with checksums and without, since a fuzzer cannot guess them.
// What passes the checks is used: ids are read, words and the first row are searched for, a passage
// is cut, documents are taken out and added, a row is projected.
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/job.hpp"
#include "one_input.hpp"
#include "project/lsa.hpp"
#include "search/cosine.hpp"
#include "search/passage.hpp"
#include "search/rank.hpp"
#include "store/index_file.hpp"
#include "store/lsa_file.hpp"

namespace {

/// Every word of the lexicon is found, and asking for it gives documents that are there.
void ask_words(const mbn::IndexData& index) {
  const mbn::Lexicon& lexicon = *index.lexicon;
  mbn::Job job({.threads = 1});
  const mbn::Collection words{&lexicon, {}};
  mbn::WordReader reader(index.vectorizer->options);
  for (std::uint32_t word = 0; word < std::min<std::size_t>(lexicon.words.size(), 50); ++word) {
    if (lexicon.find(lexicon.words[word]) != word) __builtin_trap();
    mbn::Question question;
    question.words = {{word, 1}};
    for (const mbn::Hit& hit : mbn::rank(words, {question}, 3, job)[0]) {
      if (!lexicon.has(word, hit.row)) __builtin_trap();
      if (index.texts.empty()) continue;
      const mbn::StemWeights stems = {{std::string(lexicon.words[word]), 1.0}};
      const mbn::Passage passage = mbn::find_passage(index.texts[hit.row], stems, reader);
      for (const mbn::Passage::Mark& mark : passage.marks) {
        if (mark.begin >= mark.end || mark.end > passage.text.size()) __builtin_trap();
      }
    }
  }
  std::vector<bool> keep(lexicon.size(), true);
  keep[0] = false;
  mbn::check_lexicon(mbn::selected(lexicon, keep));
  mbn::check_lexicon(mbn::joined(lexicon, lexicon));
}

void use(const mbn::IndexData& index) {
  const std::size_t rows = index.rows();
  if (!index.ids.empty() && index.ids.size() != rows) __builtin_trap();
  if (!index.titles.empty() && index.titles.size() != rows) __builtin_trap();
  std::size_t bytes = 0;
  for (const auto* texts : {&index.ids, &index.titles, &index.texts}) {
    for (std::size_t i = 0; i < texts->size(); ++i) bytes += (*texts)[i].size();
  }
  if (index.lexicon) ask_words(index);
  if (index.embedding.rows() == 0) return;
  mbn::Job job({.threads = 1});
  const mbn::Matrix query = mbn::unit_rows(index.embedding.view().slice(0, 1), "the query");
  mbn::for_each_best(
      query, index.embedding, std::min<std::size_t>(3, rows), nullptr,
      [&](std::size_t, const std::vector<mbn::Hit>& hits) {
        for (const mbn::Hit& hit : hits) {
          if (hit.row >= rows || bytes > 1U << 30) __builtin_trap();
        }
      },
      job);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  const std::span<const std::uint8_t> bytes(data, size);
  for (const Checksums checksums : {Checksums::verify, Checksums::ignore}) {
    fuzz::only_errors([&] { use(read_index(TensorReader(bytes, "fuzz", checksums))); });
    fuzz::only_errors([&] {
      const LsaData lsa = read_lsa(TensorReader(bytes, "fuzz", checksums));
      SparseMatrix row;
      row.columns = lsa.columns();
      row.indices = {static_cast<std::uint32_t>(lsa.columns() - 1)};
      row.values = {1};
      row.starts = {0, 1};
      Job job({.threads = 1});
      if (project_rows(lsa, row, job).rows() != 1) __builtin_trap();
    });
  }
  return 0;
}
