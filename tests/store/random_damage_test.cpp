// SPDX-License-Identifier: Apache-2.0
//
// Files as the network's own writers leave them (the fuzzers' seeds and the golden files), damaged
// at random: bits flipped, stretches overwritten or taken out, the end cut off. None may be taken
// for sound, and reading them may not do harm. Few rounds in the usual suite;
//
//   MBN_DAMAGE=10000 mbn-tests --gtest_filter='RandomDamage*'
//
// makes as many of each file, best in a build with sanitizers.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <mbn/error.hpp>

#include "base/random.hpp"
#include "store/hand_made.hpp"
#include "store/index_file.hpp"
#include "store/lsa_file.hpp"
#include "store/model_reader.hpp"
#include "store/onnx_file.hpp"

namespace mbn {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::size_t rounds() {
  const char* told = std::getenv("MBN_DAMAGE");
  return told == nullptr ? 200 : std::stoul(told);
}

/// Reads the bytes as every kind of file that the library writes. True when one reader takes them.
/// A student that says the same as `sound` does not count: in ONNX the name of the graph and of who
/// wrote it may change without harm.
bool is_taken(const Bytes& bytes, const Bytes& sound = {}) {
  const auto takes = [&](const auto& read) { return hand_made::format_error(read).empty(); };
  const auto student = [](const Bytes& file) { return encode_student(decode_student(file, "s")); };
  return takes([&] { read_model(TensorReader(bytes, "damaged")); }) ||
         takes([&] { read_checkpoint(TensorReader(bytes, "damaged")); }) ||
         takes([&] { read_index(TensorReader(bytes, "damaged")); }) ||
         takes([&] { read_lsa(TensorReader(bytes, "damaged")); }) ||
         (takes([&] { decode_student(bytes, "damaged"); }) &&
          (sound.empty() || student(bytes) != student(sound)));
}

Bytes damaged(Bytes bytes, Random& random) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const auto place = [&] { return static_cast<std::ptrdiff_t>(random.below(size)); };
  switch (random.below(4)) {
    case 0:  // a bit
      bytes[static_cast<std::size_t>(place())] ^= static_cast<std::uint8_t>(1U << random.below(8));
      break;
    case 1: {  // the end
      bytes.resize(static_cast<std::size_t>(place()));
      break;
    }
    case 2: {  // a stretch overwritten, as a bad sector is
      const std::ptrdiff_t first = place();
      const auto end = std::min<std::ptrdiff_t>(std::ssize(bytes), first + 1 + place() % 64);
      for (std::ptrdiff_t i = first; i < end; ++i) {
        bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(random.below(256));
      }
      break;
    }
    default: {  // a stretch lost
      const std::ptrdiff_t first = place();
      const auto end = std::min<std::ptrdiff_t>(std::ssize(bytes), first + 1 + place() % 64);
      bytes.erase(bytes.begin() + first, bytes.begin() + end);
    }
  }
  return bytes;
}

std::map<std::string, Bytes> sound_files() {
  const std::filesystem::path tests = MBN_TESTS_DIR;
  const std::filesystem::path corpus = tests.parent_path() / "fuzz/corpus";
  std::map<std::string, Bytes> files;
  for (const auto& folder :
       {corpus / "fuzz_model", corpus / "fuzz_index", corpus / "fuzz_onnx", tests / "golden"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      Bytes bytes = hand_made::bytes_of_file(entry.path());
      if (is_taken(bytes)) files.emplace(entry.path().filename(), std::move(bytes));
    }
  }
  return files;
}

TEST(RandomDamage, IsSeenInEveryKindOfFile) {
  const auto files = sound_files();
  ASSERT_GE(files.size(), 20U);
  std::uint64_t stream = 0;
  for (const auto& [name, bytes] : files) {
    Random random(stream++, Purpose::sample);
    for (std::size_t round = 0; round < rounds(); ++round) {
      const Bytes changed = damaged(bytes, random);
      if (changed == bytes) continue;
      ASSERT_FALSE(is_taken(changed, bytes)) << name << ", round " << round;
    }
  }
}

}  // namespace
}  // namespace mbn
