// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <minizip/unzip.h>

#include <filesystem>
#include <vector>

#include "input/zip_writer.hpp"

namespace mbn {
namespace {

// Zeros, which compress a thousand times. The second member stands behind the large one.
TEST(ZipWriterSlow, AMemberOfMoreThan4GB) {
  constexpr std::uint64_t kBytes = (std::uint64_t{1} << 32) + 12345;
  const auto path = std::filesystem::path(::testing::TempDir()) / "beyond-4gb.zip";
  std::vector<char> piece(std::size_t{1} << 24);
  {
    AtomicFile file(path, true);
    ZipWriter archive(file);
    archive.begin("zeros", kBytes);
    for (std::uint64_t done = 0; done < kBytes; done += piece.size()) {
      archive.write(piece.data(), std::min<std::uint64_t>(piece.size(), kBytes - done));
    }
    archive.end();
    archive.begin("small", 3);
    archive.write("abc", 3);
    archive.end();
    archive.finish();
    file.commit();
  }
  unzFile archive = unzOpen64(path.c_str());
  ASSERT_NE(archive, nullptr);
  ASSERT_EQ(unzLocateFile(archive, "zeros", 1), UNZ_OK);
  unz_file_info64 info{};
  unzGetCurrentFileInfo64(archive, &info, nullptr, 0, nullptr, 0, nullptr, 0);
  EXPECT_EQ(info.uncompressed_size, kBytes);
  ASSERT_EQ(unzOpenCurrentFile(archive), UNZ_OK);
  std::uint64_t read = 0;
  int got = 0;
  while ((got = unzReadCurrentFile(archive, piece.data(), static_cast<unsigned>(piece.size()))) >
         0) {
    read += static_cast<std::uint64_t>(got);
  }
  EXPECT_EQ(got, 0);
  EXPECT_EQ(read, kBytes);
  EXPECT_EQ(unzCloseCurrentFile(archive), UNZ_OK);  // the CRC
  ASSERT_EQ(unzLocateFile(archive, "small", 1), UNZ_OK);
  unzClose(archive);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace mbn
