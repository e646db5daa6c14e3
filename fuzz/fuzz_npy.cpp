// SPDX-License-Identifier: Apache-2.0
//
// The .npy readers, of rows and of labels, on any bytes.
#include "input/npy.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  fuzz::only_errors([&] { read_npy(*fuzz::source_of(data, size)); });
  fuzz::only_errors([&] { read_npy_labels(*fuzz::source_of(data, size)); });
  return 0;
}
