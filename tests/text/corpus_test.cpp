// SPDX-License-Identifier: Apache-2.0
//
// Every file that fuzzing started from or stumbled over goes through the readers once more. They
// may refuse it, but only with the errors that the library documents.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include <mbn/error.hpp>
#include <mbn/index.hpp>
#include <mbn/text.hpp>

namespace mbn {
namespace {

std::size_t read_all(const char* target,
                     const std::function<void(const std::filesystem::path&)>& read) {
  const auto folder =
      std::filesystem::path(MBN_TESTS_DIR).parent_path() / "fuzz" / "corpus" / target;
  std::size_t good = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    try {
      read(entry.path());
      ++good;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "") << entry.path();
    } catch (const std::exception& error) {
      ADD_FAILURE() << entry.path() << " threw something else: " << error.what();
    }
  }
  return good;
}

TEST(TextCorpus, ReadersThrowNothingButTheirErrors) {
  for (const auto format : {DocumentFormat::lines, DocumentFormat::csv, DocumentFormat::jsonl}) {
    EXPECT_GE(read_all("fuzz_documents",
                       [&](const auto& path) { read_documents(path, {.format = format}); }),
              1u);
  }
  EXPECT_GE(
      read_all("fuzz_text", [](const auto& path) { Vectorizer::fit(read_documents(path).texts); }),
      2u);
  EXPECT_GE(read_all("fuzz_vocabulary", [](const auto& path) { Vectorizer::load(path); }), 1u);
  EXPECT_GE(read_all("fuzz_index", [](const auto& path) { Index::load(path); }), 2u);
  EXPECT_GE(read_all("fuzz_index", [](const auto& path) { Lsa::load(path); }), 1u);
}

}  // namespace
}  // namespace mbn
