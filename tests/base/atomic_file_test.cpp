// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

#include <mbn/error.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;
using files::slurp;

TEST(AtomicFile, AppearsWithCommit) {
  const Folder folder;
  AtomicFile file(folder / "a.txt", false);
  file.write("hello ");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.txt"));
  file.write("world");
  file.commit();
  EXPECT_EQ(slurp(folder / "a.txt"), "hello world");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const Folder folder;
  try {
    AtomicFile file(folder / "a.txt", false);
    file.write(std::string(1 << 20, 'x'));
    throw std::runtime_error("interrupted");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(folder.count(), 0u);
}

TEST(AtomicFile, LeavesNothingOfAKilledProcess) {
  const Folder folder;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    AtomicFile file(folder / "a.txt", false);
    file.write(std::string(1 << 20, 'x'));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const int nameless = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (nameless < 0) GTEST_SKIP() << "this file system has no files without a name";
  ::close(nameless);
  EXPECT_EQ(folder.count(), 0u);
}

TEST(AtomicFile, RefusesToOverwriteAtOnce) {
  const Folder folder;
  const auto path = folder.put("a.txt", "old");
  expect_error<IoError>(
      [&] { AtomicFile(path, false); },
      {path.string(),
       "exists already; allow overwriting it (overwrite = true) or choose another name"});
  EXPECT_EQ(slurp(path), "old");
  EXPECT_EQ(folder.count(), 1u);
}

TEST(AtomicFile, RefusesToOverwriteAFileThatAppearedMeanwhile) {
  const Folder folder;
  AtomicFile file(folder / "a.txt", false);
  file.write("mine");
  folder.put("a.txt", "theirs");
  expect_error<IoError>([&] { file.commit(); }, {"exists already"});
  EXPECT_EQ(slurp(folder / "a.txt"), "theirs");
}

TEST(AtomicFile, OverwritesWhenAskedAndKeepsPermissions) {
  const Folder folder;
  const auto path = folder.put("a.txt", "old");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  AtomicFile file(path, true);
  file.write("new");
  EXPECT_EQ(slurp(path), "old");
  file.commit();
  EXPECT_EQ(slurp(path), "new");
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(AtomicFile, ReplacesTheFileBehindALink) {
  const Folder folder;
  const auto target = folder.put("target.txt", "old");
  std::filesystem::create_symlink(target, folder / "link.txt");
  AtomicFile file(folder / "link.txt", true);
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
  EXPECT_EQ(slurp(target), "new");
}

TEST(AtomicFile, NamesAMissingFolder) {
  expect_error<IoError>([] { AtomicFile("/no/such/folder/a.txt", false); },
                        {"/no/such/folder/a.txt", "the folder /no/such/folder does not exist"});
}

TEST(AtomicFile, RefusesAFolder) {
  const Folder folder;
  expect_error<IoError>([&] { AtomicFile(folder.path(), true); }, {"Is a directory"});
  expect_error<IoError>([&] { AtomicFile("", true); }, {"without a name"});
}

TEST(AtomicFile, ReportsAFolderThatMayNotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const Folder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0500), 0);
  expect_error<IoError>([&] { AtomicFile(folder / "a.txt", false); }, {"Permission denied"});
  ::chmod(folder.path().c_str(), 0700);
}

TEST(AtomicFile, ReportsAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  expect_error<IoError>(
      [] {
        AtomicFile file("/dev/full", false);
        file.write("x");
        file.commit();
      },
      {"/dev/full", "No space left on device"});
  expect_error<IoError>(
      [] {
        AtomicFile file("/dev/full", false);
        file.write(std::string(1 << 20, 'x'));
      },
      {"No space left on device"});
}

TEST(AtomicFile, WritesToADeviceDirectly) {
  AtomicFile file("/dev/null", false);
  file.write("x");
  file.commit();
}

TEST(AtomicFile, WritesToADescriptorThatIsOpen) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  AtomicFile file("/dev/fd/" + std::to_string(ends[1]), false);
  file.write("through");
  file.commit();
  ::close(ends[1]);
  char text[16] = {};
  EXPECT_EQ(::read(ends[0], text, sizeof(text)), 7);
  EXPECT_STREQ(text, "through");
  ::close(ends[0]);
}

TEST(AtomicFile, ReportsAPipeWithoutAReader) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  AtomicFile file("/dev/fd/" + std::to_string(ends[1]), false);
  file.write("x");
  expect_error<IoError>([&] { file.commit(); }, {"Broken pipe"});
  ::close(ends[1]);
  std::signal(SIGPIPE, before);
}

}  // namespace
}  // namespace mbn
