// SPDX-License-Identifier: Apache-2.0
//
// The IDX readers on any bytes, and through read_table, where they may be gzipped.
#include "input/idx.hpp"
#include "input/reader.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  fuzz::only_errors([&] { read_idx(*fuzz::source_of(data, size)); });
  fuzz::only_errors([&] { read_idx_labels(*fuzz::source_of(data, size)); });
  fuzz::only_errors([&] { read_table_from(fuzz::source_of(data, size), {}); });
  return 0;
}
