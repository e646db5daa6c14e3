// SPDX-License-Identifier: Apache-2.0
//
// The svmlight reader on any bytes, with and without a number of columns, and the guess whether a
// text is svmlight.
#include "input/svmlight.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  is_svmlight(fuzz::source_of(data, size)->rest());
  fuzz::only_errors([&] { read_svmlight(*fuzz::source_of(data, size), 0); });
  fuzz::only_errors([&] { read_svmlight(*fuzz::source_of(data, size), 5); });
  return 0;
}
