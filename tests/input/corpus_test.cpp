// SPDX-License-Identifier: Apache-2.0
//
// Every file that fuzzing started from or stumbled over goes through the readers once more. They
// may refuse it, but only with the errors that the library documents.
#include <gtest/gtest.h>

#include <functional>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

namespace mbn {
namespace {

std::filesystem::path corpus() {
  return std::filesystem::path(MBN_TESTS_DIR).parent_path() / "fuzz" / "corpus";
}

void expect_no_other_error(const std::filesystem::path& path, const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "") << path;
  } catch (const std::exception& error) {
    ADD_FAILURE() << path << " threw something else: " << error.what();
  }
}

TEST(Corpus, ReadersThrowNothingButTheirErrors) {
  std::size_t files = 0;
  for (const char* target :
       {"fuzz_npy", "fuzz_npz", "fuzz_csv", "fuzz_idx", "fuzz_labels", "fuzz_svmlight",
        "fuzz_matrix_market", "fuzz_hdf5", "fuzz_mat5", "fuzz_vecs", "fuzz_picture"}) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus() / target)) {
      ++files;
      const auto& path = entry.path();
      expect_no_other_error(path, [&] { read_table(path); });
      expect_no_other_error(
          path, [&] { read_table(path, {.label_column = "-1", .id_column = {"1"}, .array = {}}); });
      expect_no_other_error(
          path, [&] { read_table(path, {.label_column = {}, .id_column = {}, .array = "a"}); });
      expect_no_other_error(path, [&] { read_labels(path); });
    }
  }
  EXPECT_GE(files, 20u);
}

TEST(Corpus, GoodSeedsAreRead) {
  for (const char* seed :
       {"fuzz_npy/float32.npy", "fuzz_npy/fortran.npy", "fuzz_npz/two.npz", "fuzz_csv/iris.csv",
        "fuzz_csv/packed.csv.gz", "fuzz_idx/images.idx", "fuzz_idx/images.idx.gz"}) {
    EXPECT_GT(read_matrix(corpus() / seed).rows(), 0u) << seed;
  }
  for (const char* seed : {"fuzz_labels/integers.txt", "fuzz_labels/words.csv"}) {
    EXPECT_GT(read_labels(corpus() / seed).values.size(), 0u) << seed;
  }
}

}  // namespace
}  // namespace mbn
