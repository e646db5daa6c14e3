// SPDX-License-Identifier: Apache-2.0
//
// The reader of HDF5 on any bytes: the usual array, and one of AnnData. libhdf5 works in
// quarantine, where its crashes are no findings: what is fuzzed is that they stay there.
#include "input/hdf5.hpp"
#include "one_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  for (const char* array : {"", "layers/counts"}) {
    fuzz::only_errors([&] { read_hdf5(*fuzz::source_of(data, size), array); });
  }
  return 0;
}
