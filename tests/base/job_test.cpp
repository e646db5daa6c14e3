// SPDX-License-Identifier: Apache-2.0
#include "base/job.hpp"
#include "base/notes.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>

#include <mbn/error.hpp>

namespace mbn {
namespace {

class JobThreads : public testing::TestWithParam<std::uint32_t> {};

TEST_P(JobThreads, EveryTaskRunsExactlyOnce) {
  Job job({.threads = GetParam()});
  std::vector<std::atomic<int>> runs(1000);
  job.parallel(runs.size(), [&](std::size_t task, unsigned worker) {
    EXPECT_LT(worker, job.threads());
    ++runs[task];
  });
  for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
}

TEST_P(JobThreads, TheExceptionOfATaskComesBack) {
  Job job({.threads = GetParam()});
  std::atomic<int> after{0};
  EXPECT_THROW(job.parallel(100,
                            [&](std::size_t task, unsigned) {
                              if (task == 3) throw std::domain_error("three");
                              ++after;
                            }),
               std::domain_error);
  EXPECT_LT(after.load(), 100);
}

TEST_P(JobThreads, CancellationStopsBeforeTheNextTask) {
  std::atomic<bool> cancel{false};
  Job job({.threads = GetParam(), .cancel = &cancel});
  std::atomic<int> runs{0};
  EXPECT_THROW(job.parallel(1000,
                            [&](std::size_t, unsigned) {
                              ++runs;
                              cancel = true;
                            }),
               Cancelled);
  EXPECT_LE(runs.load(), static_cast<int>(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(OneAndMany, JobThreads, testing::Values(1U, 2U, 7U));

TEST(Job, NoTasksAreDoneAtOnce) {
  Job job({.threads = 2});
  job.parallel(0, [](std::size_t, unsigned) { FAIL(); });
}

TEST(Job, ProgressRisesFromZeroToOneOverTheStages) {
  std::vector<double> seen;
  Job job({.threads = 1, .progress = [&](const Progress& p) { seen.push_back(p.overall); }});
  job.stage("first", 0.25, 10, 1, 2);
  job.parallel(10, [](std::size_t, unsigned) {});
  job.stage("second", 0.75, 10, 2, 2);
  job.parallel(10, [](std::size_t, unsigned) {});
  job.stage("end", 0, 1);
  ASSERT_GE(seen.size(), 3U);
  EXPECT_EQ(seen.front(), 0);
  EXPECT_EQ(seen.back(), 1);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST(Job, NotesAreStoredAndReported) {
  const Note note{NoteCode::few_columns, {"mind the gap; raise ", option("feature_fraction")}};
  std::vector<Note> told;
  Notes notes({.note = [&](const Note& given) { told.push_back(given); }});
  notes.add(note);
  EXPECT_EQ(told, std::vector<Note>{note});
  EXPECT_EQ(notes.all(), std::vector<Note>{note});
}

TEST(Job, AStepThatWasDoneElsewhereMovesTheBar) {
  std::vector<double> told;
  Job job({.threads = 1, .progress = [&](const Progress& p) { told.push_back(p.overall); }});
  job.stage("steps", 1, 4);
  job.advance();
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told, (std::vector<double>{0, 0.25}));
}

TEST(Job, AStepIsAPlaceToStopAt) {
  std::atomic<bool> cancel{false};
  Job job({.cancel = &cancel});
  job.stage("steps", 1, 4);
  job.advance();
  cancel = true;
  EXPECT_THROW(job.advance(), Cancelled);
}

}  // namespace
}  // namespace mbn
