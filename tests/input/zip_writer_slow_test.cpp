// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "input/files.hpp"
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
  // Debian 12's minizip writes sizes beyond 4 GB but does not read them, so the directory is looked
  // at here: the 32-bit size says "see the extra field", which is of kind 1 (zip64) and holds the
  // size.
  const std::string bytes = files::slurp(path);
  const std::size_t entry = bytes.find("PK\x01\x02");
  ASSERT_NE(entry, std::string::npos);
  EXPECT_EQ(bytes.substr(entry + 24, 4), files::little(0xFFFFFFFF, 4));
  const std::size_t extra = entry + 46 + std::string_view("zeros").size();
  EXPECT_EQ(bytes.substr(extra, 12),
            files::little(1, 2) + files::little(8, 2) + files::little(kBytes, 8));
  EXPECT_EQ(bytes.substr(extra + 12, 4), "PK\x01\x02");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace mbn
