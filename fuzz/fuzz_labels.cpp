// SPDX-License-Identifier: Apache-2.0
//
// The label readers on any bytes: text, and whatever else the front door takes them for.
#include "input/reader.hpp"
#include "input/text_table.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  fuzz::only_errors([&] { read_text_labels(*fuzz::source_of(data, size)); });
  fuzz::only_errors([&] { read_labels_from(fuzz::source_of(data, size)); });
  return 0;
}
