// SPDX-License-Identifier: Apache-2.0
//
// What comes out of a quarantine is not trusted: the reader of its stream on any bytes.
#include "input/array_stream.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  bool has_nan = false;
  fuzz::only_errors([&] { read_array_stream(*fuzz::source_of(data, size), &has_nan); });
  return 0;
}
