// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>

#include "input/files.hpp"
#include "input/quarantine.hpp"

namespace mbn {
namespace {

TEST(QuarantineSlow, WorkWithoutEndIsEnded) {
  Quarantine source("a file", 100, 1 << 20, [](QuarantineOutput& output) {
    output.write("begun", 5);
    volatile std::uint64_t rounds = 0;
    while (true) rounds = rounds + 1;
  });
  std::string text(5, ' ');
  source.read_exactly(text.data(), text.size(), "the text");
  files::expect_error<FormatError>([&] { source.finish(); },
                                   {"a file", "took too long", "damaged"});
}

}  // namespace
}  // namespace mbn
