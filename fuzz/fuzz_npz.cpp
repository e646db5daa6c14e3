// SPDX-License-Identifier: Apache-2.0
//
// The .npz reader on any bytes: the usual array, and one by name.
#include "input/npz.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  fuzz::only_errors([&] { read_npz(*fuzz::source_of(data, size), ""); });
  fuzz::only_errors([&] { read_npz(*fuzz::source_of(data, size), "a"); });
  return 0;
}
