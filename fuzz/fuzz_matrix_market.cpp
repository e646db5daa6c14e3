// SPDX-License-Identifier: Apache-2.0
//
// The Matrix Market reader on any bytes.
#include "input/matrix_market.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  fuzz::only_errors([&] { read_matrix_market(*fuzz::source_of(data, size)); });
  return 0;
}
