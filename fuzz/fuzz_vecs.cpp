// SPDX-License-Identifier: Apache-2.0
//
// The readers of vectors on any bytes.
#include "input/vecs.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  for (const char* ending : {".fvecs", ".bvecs", ".ivecs"}) {
    fuzz::only_errors([&] { read_vecs(*fuzz::source_of(data, size), ending); });
  }
  return 0;
}
