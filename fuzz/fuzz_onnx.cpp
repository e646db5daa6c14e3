// SPDX-License-Identifier: Apache-2.0
//
// Untrusted students, with the checksum and without: a fuzzer cannot guess hashes, so only the
// reading without them reaches the checks behind. What passes is then used.
#include <cstddef>
#include <cstdint>
#include <span>

#include <mbn/compress.hpp>
#include <mbn/error.hpp>

#include "store/onnx_file.hpp"

namespace {

void read(std::span<const std::uint8_t> bytes, bool ignore_checksum) {
  try {
    const mbn::StudentData data = mbn::decode_student(bytes, "fuzz", ignore_checksum);
    // Written anew it has the right checksum, whatever the one it came with.
    const auto student = mbn::Student::from_bytes(mbn::encode_student(data));
    const mbn::Matrix rows(2, student.columns());
    const mbn::Matrix outputs = student.transform(rows, {.threads = 1});
    if (outputs.columns() != student.outputs()) __builtin_trap();
    if (data.softmax() || data.centres.rows() > 0) student.predict(rows, {.threads = 1});
  } catch (const mbn::FormatError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read({data, size}, false);
  read({data, size}, true);
  return 0;
}
