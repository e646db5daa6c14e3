// SPDX-License-Identifier: Apache-2.0
//
// That NumPy reads archives is tested in tests/cli/test_text.py.
#include "input/zip_writer.hpp"

#include <gtest/gtest.h>
#include <minizip/unzip.h>

#include <filesystem>
#include <map>

#include <mbn/error.hpp>

namespace mbn {
namespace {

std::filesystem::path path_of(const char* name) {
  return std::filesystem::path(::testing::TempDir()) / name;
}

using Members = std::map<std::string, std::string>;

// minizip checks the CRC when a member is closed.
Members members_of(const std::filesystem::path& path) {
  Members members;
  unzFile archive = unzOpen64(path.c_str());
  EXPECT_NE(archive, nullptr);
  for (int code = unzGoToFirstFile(archive); code == UNZ_OK; code = unzGoToNextFile(archive)) {
    std::string name(100, '\0');
    unz_file_info64 info{};
    unzGetCurrentFileInfo64(archive, &info, name.data(), 100, nullptr, 0, nullptr, 0);
    name.resize(info.size_filename);
    std::string bytes(info.uncompressed_size, '\0');
    EXPECT_EQ(unzOpenCurrentFile(archive), UNZ_OK);
    EXPECT_EQ(
        unzReadCurrentFile(archive, bytes.data(), static_cast<unsigned>(info.uncompressed_size)),
        static_cast<int>(info.uncompressed_size));
    EXPECT_EQ(unzCloseCurrentFile(archive), UNZ_OK);
    EXPECT_EQ(info.tmu_date.tm_year, 1980);
    members[name] = bytes;
  }
  unzClose(archive);
  return members;
}

void write_members(AtomicFile& file, const Members& members, std::uint64_t claimed = 0) {
  ZipWriter archive(file);
  for (const auto& [name, bytes] : members) {
    archive.begin(name, claimed != 0 ? claimed : bytes.size());
    archive.write(bytes.data(), bytes.size() / 3);
    archive.write(bytes.data() + bytes.size() / 3, bytes.size() - bytes.size() / 3);
    archive.end();
  }
  archive.finish();
  file.commit();
}

Members some() {
  std::string large(3'000'000, 'x');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * i >> 7);
  return {{"empty.npy", ""}, {"large.npy", large}, {"small.npy", "abc"}};
}

TEST(ZipWriter, MembersComeBack) {
  AtomicFile file(path_of("some.zip"), true);
  write_members(file, some());
  EXPECT_EQ(members_of(path_of("some.zip")), some());
}

// A member that may pass 4 GB has longer headers, also when it stays below.
TEST(ZipWriter, RoomForSizesBeyond4GB) {
  AtomicFile file(path_of("wide.zip"), true);
  write_members(file, some(), std::uint64_t{5} << 30);
  EXPECT_EQ(members_of(path_of("wide.zip")), some());
  EXPECT_GT(std::filesystem::file_size(path_of("wide.zip")),
            std::filesystem::file_size(path_of("some.zip")));
}

TEST(ZipWriter, AnArchiveThatIsNotFinishedLeavesNothing) {
  const auto path = path_of("unfinished.zip");
  {
    AtomicFile file(path, true);
    ZipWriter archive(file);
    archive.begin("a", 3);
    archive.write("abc", 3);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

// A device without room: the error is the file's own, and comes through minizip unharmed.
TEST(ZipWriter, AFullDiskIsAnIoError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  AtomicFile file("/dev/full", true);
  EXPECT_THROW(write_members(file, some()), IoError);
}

}  // namespace
}  // namespace mbn
