// SPDX-License-Identifier: Apache-2.0
//
// Untrusted vocabularies. One that is read must count words without an index out of range, and must
// read back as it was written.
#include <string>
#include <string_view>

#include <mbn/text.hpp>

#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  fuzz::only_errors([&] {
    const Vectorizer vectorizer =
        Vectorizer::from_json({reinterpret_cast<const char*>(data), size}, "fuzz");
    std::string text;
    for (const std::string& word : vectorizer.words()) text += word + " ";
    const SparseMatrix row = vectorizer.transform({&text, 1}, {.threads = 1});
    if (row.rows() != 1) __builtin_trap();
    if (Vectorizer::from_json(vectorizer.to_json(), "fuzz").words() != vectorizer.words()) {
      __builtin_trap();
    }
  });
  return 0;
}
