// SPDX-License-Identifier: Apache-2.0
#include "input/quarantine.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include <mbn/error.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;

constexpr std::uint64_t kLimit = 1 << 20;

std::string all_of(Quarantine& source) {
  std::string text;
  char letter = 0;
  while (source.read(&letter, 1) == 1) text += letter;
  return text;
}

TEST(Quarantine, WhatIsWrittenArrives) {
  Quarantine source("file", 100, kLimit, [](QuarantineOutput& output) {
    for (int i = 0; i < 100'000; ++i) output.write("ab", 2);
  });
  EXPECT_EQ(all_of(source).size(), 200'000U);
  source.finish();
}

TEST(Quarantine, ACrashIsAnError) {
  for (const int crash : {SIGSEGV, SIGABRT, SIGBUS}) {
    Quarantine source("a file", 100, kLimit, [crash](QuarantineOutput& output) {
      output.write("begun", 5);
      if (crash == SIGABRT) std::abort();
      *reinterpret_cast<volatile int*>(8) = crash;
    });
    EXPECT_EQ(all_of(source), "begun");
    expect_error<FormatError>([&] { source.finish(); }, {"a file", "damaged"});
  }
}

TEST(Quarantine, SoIsAnException) {
  Quarantine source("a file", 100, kLimit,
                    [](QuarantineOutput&) { throw std::runtime_error("no"); });
  EXPECT_EQ(all_of(source), "");
  expect_error<FormatError>([&] { source.finish(); }, {"a file"});
}

TEST(Quarantine, WhoeverIsInsideOpensNothing) {
#if defined(__linux__) && defined(__x86_64__)
  Quarantine source("file", 100, kLimit, [](QuarantineOutput& output) {
    const bool file = ::open("/dev/null", O_RDONLY) >= 0;
    const bool process = ::fork() >= 0;
    const bool terminal = ::write(STDERR_FILENO, "x", 1) >= 0;
    output.write(file || process || terminal ? "out" : "in", 2);
  });
  EXPECT_EQ(all_of(source), "in");
  source.finish();
#else
  GTEST_SKIP() << "no filter of system calls here";
#endif
}

TEST(Quarantine, MemoryIsLimited) {
  Quarantine source("file", 100, kLimit, [](QuarantineOutput& output) {
    void* much = std::malloc(std::size_t{64} << 30);
    output.write(much == nullptr ? "no" : "yes", 2);
  });
  const std::string answer = all_of(source);
  EXPECT_NE(answer, "ye");
}

TEST(Quarantine, ASmallFileThatHangsIsRefusedSoon) {
  Quarantine source("a file", 100, kLimit, [](QuarantineOutput&) {
    for (volatile bool hangs = true; hangs;) {
    }
  });
  try {
    all_of(source);
    FAIL() << "it waited for ever";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("2 seconds of work"), std::string::npos)
        << error.what();
  }
}

TEST(Quarantine, OneThatIsNotReadIsEnded) {
  const Quarantine source("file", 100, kLimit, [](QuarantineOutput& output) {
    while (true) output.write("more", 4);
  });
}

}  // namespace
}  // namespace mbn
