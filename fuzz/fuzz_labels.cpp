// SPDX-License-Identifier: Apache-2.0
//
// The label readers on any bytes: as text, and as the kind that read_labels detects.
#include "input/reader.hpp"
#include "input/text_table.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  fuzz::only_errors([&] { read_text_labels(*fuzz::source_of(data, size)); });
  fuzz::only_errors([&] { read_labels_from(fuzz::source_of(data, size)); });
  return 0;
}
