// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as texts. The first byte chooses the language, so that every stemmer meets them; lines
// are documents. What comes out must be stems that a vocabulary can keep, rows whose columns ascend
// below the number of words, and a vocabulary that reads back as it was written.
#include <string>
#include <string_view>
#include <vector>

#include <mbn/text.hpp>

#include "one_input.hpp"

namespace {

void require(bool condition) {
  if (!condition) __builtin_trap();
}

void check_rows(const mbn::SparseMatrix& rows, std::size_t documents) {
  require(rows.rows() == documents);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto indices = rows.view().indices(i);
    for (std::size_t c = 0; c < indices.size(); ++c) {
      require(indices[c] < rows.columns && (c == 0 || indices[c - 1] < indices[c]));
      require(rows.view().values(i)[c] > 0);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  if (size == 0) return 0;
  TextOptions options{.words = 50};
  options.language = static_cast<Language>(data[0] % enum_names<Language>().size());
  options.weighting = static_cast<Weighting>(data[0] % enum_names<Weighting>().size());
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<std::string> documents;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    documents.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const RunOptions run{.threads = 1};
  fuzz::only_errors([&] {
    const Vectorizer vectorizer = Vectorizer::fit(documents, options, run);
    const SparseMatrix rows = vectorizer.transform(documents, run);
    check_rows(rows, documents.size());
    const Vectorizer back = Vectorizer::from_json(vectorizer.to_json(), "fuzz");
    require(back.transform(documents, run) == rows);
  });
  return 0;
}
