// SPDX-License-Identifier: Apache-2.0
//
// Index and LSA files from strangers, with checksums and without, since a fuzzer cannot guess them.
// What passes the checks is used: names are read, and the first row is searched for.
#include <span>
#include <string>

#include "one_input.hpp"
#include "store/parts.hpp"

namespace {

void use(const mbn::Index& index) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < index.rows(); ++i) {
    bytes += index.name(i).size() + index.title(i).size();
  }
  const auto hits = index.search(index.embedding().slice(0, 1), 3, {.threads = 1});
  for (const mbn::Hit& hit : hits[0]) {
    if (hit.row >= index.rows() || bytes > 1U << 30) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mbn;
  const std::span<const std::uint8_t> bytes(data, size);
  for (const Checksums checksums : {Checksums::verify, Checksums::ignore}) {
    fuzz::only_errors([&] { use(read_index(TensorReader(bytes, "fuzz", checksums))); });
    fuzz::only_errors([&] {
      const Lsa lsa = read_lsa(TensorReader(bytes, "fuzz", checksums));
      SparseMatrix row;
      row.columns = lsa.columns();
      row.indices = {static_cast<std::uint32_t>(lsa.columns() - 1)};
      row.values = {1};
      row.starts = {0, 1};
      if (lsa.transform(row, {.threads = 1}).rows() != 1) __builtin_trap();
    });
  }
  return 0;
}
