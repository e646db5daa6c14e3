// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a file of documents, in every format. Each document has an id.
#include <mbn/text.hpp>

#include "input/documents.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  for (const auto format : {DocumentFormat::lines, DocumentFormat::csv, DocumentFormat::jsonl}) {
    for (const char* column : {"text", "1", "-1"}) {
      fuzz::only_errors([&] {
        const Documents documents =
            read_documents_from(fuzz::source_of(data, size),
                                {.format = format, .text_column = column, .id_column = column});
        if (documents.texts.size() != documents.ids.size()) __builtin_trap();
      });
    }
  }
  return 0;
}
