// SPDX-License-Identifier: Apache-2.0
//
// The reader of MATLAB files on any bytes: the usual array, and some by name.
#include "input/mat5.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  for (const char* array : {"", "X", "S"}) {
    fuzz::only_errors([&] { read_mat5(*fuzz::source_of(data, size), array); });
  }
  return 0;
}
