// SPDX-License-Identifier: Apache-2.0
#include <mbn/choose.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>
#include <mbn/fit.hpp>
#include <mbn/generate.hpp>

#include "base/random.hpp"
#include "store/selection_json.hpp"

namespace mbn {
namespace {

FitOptions open_options(Clusters clusters) {
  FitOptions options;
  options.clusterings = 40;
  options.clusters = clusters;
  options.scale = Scale::none;
  options.restarts = 5;
  return options;
}

Table blobs(std::uint32_t clusters, std::uint64_t rows = 240) {
  return generate(
      {.kind = ToyKind::gaussians, .rows = rows, .columns = 8, .clusters = clusters, .seed = 3});
}

// Two clusters in three quiet columns, and a loud column of noise.
Matrix loud_column() {
  Random random(5, Purpose::generate);
  Matrix rows(200, 4);
  for (std::size_t i = 0; i < 200; ++i) {
    float* row = rows.mutable_row<float>(i);
    for (std::size_t j = 0; j < 3; ++j) {
      row[j] = static_cast<float>(random.normal() + (i % 2 == 0 ? 0 : 6));
    }
    row[3] = static_cast<float>(1000 * random.uniform());
  }
  return rows;
}

TEST(Choose, GivesTheSameChoiceOnAnyNumberOfThreads) {
  const Table table = blobs(4);
  const Selection one = choose(table.data(), open_options(4), {.threads = 1});
  const Selection three = choose(table.data(), open_options(4), {.threads = 3});
  EXPECT_EQ(one, three);
  EXPECT_GE(one.candidates.size(), 5U);
  EXPECT_EQ(one.rows, 240U);
  for (const Candidate& candidate : one.candidates) {
    EXPECT_EQ(candidate.by_sample.has_value(), candidate.decay <= 0.5);
  }
}

TEST(Choose, LeavesAloneWhatWasGiven) {
  const Table table = blobs(3);
  FitOptions options = open_options(3);
  options.decay = 0.3;
  EXPECT_FALSE(is_open(options));
  const Selection selection = choose(table.data(), options);
  EXPECT_TRUE(selection.empty());
  EXPECT_EQ(apply(selection, options), options);
  EXPECT_EQ(describe(selection), "");
  EXPECT_TRUE(fit(table.data(), options).selection().empty());
}

TEST(Choose, TakesTheScaleOfColumnsInDifferentUnits) {
  const Matrix rows = loud_column();
  FitOptions options = open_options(2);
  options.scale = Scale::automatic;
  const Selection selection = choose(RowsView(rows.view()), options);
  EXPECT_EQ(selection.scale, Scale::standard);
  EXPECT_NE(describe(selection).text().find("scale standard"), std::string::npos);
  options.decay = 0.5;
  EXPECT_EQ(choose(RowsView(rows.view()), options).scale, Scale::standard);
}

TEST(Choose, IsWhatDefaultsDo) {
  EXPECT_TRUE(is_open(FitOptions{.clusters = 3}));
  const Table table = blobs(3);
  const FitOptions options{.clusterings = 40, .clusters = 3, .restarts = 5};
  const Model model = fit(table.data(), options);
  EXPECT_GE(model.selection().candidates.size(), 5U);
  EXPECT_EQ(model.options().scale, Scale::none);
  EXPECT_EQ(model.options().feature_fraction, 0.5);
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).options(), model.options());
}

TEST(Choose, HasNoDecayToChooseWithoutANumberOfClusters) {
  const Table table = blobs(3);
  const FitOptions options{.clusterings = 20};
  const FitResult result = fit_transform(table.data(), options);
  EXPECT_TRUE(result.model.selection().empty());
  EXPECT_EQ(result.model.options().decay, 0.5);
  EXPECT_TRUE(result.notes.empty());
  // But columns in different units are seen.
  const Matrix rows = loud_column();
  const Selection selection = choose(RowsView(rows.view()), options);
  EXPECT_EQ(selection.scale, Scale::standard);
  ASSERT_EQ(selection.candidates.size(), 2U);
  EXPECT_TRUE(describe(selection).text().starts_with("scale standard was chosen"));
  EXPECT_EQ(fit(RowsView(rows.view()), options).options().scale, Scale::standard);
}

TEST(Choose, PapersSettingLeavesNothingOpen) {
  FitOptions options = FitOptions::paper();
  options.clusters = 3;
  EXPECT_FALSE(is_open(options));
}

TEST(Choose, KeepsTheUsualDecayWhereThereAreTooFewRows) {
  const Table table = blobs(3, 10);
  const Selection selection = choose(table.data(), open_options(3));
  EXPECT_TRUE(selection.empty());
  EXPECT_EQ(selection.decay, 0.5);
  EXPECT_EQ(fit(table.data(), open_options(3)).options().decay, 0.5);
  // Also when it goes on from a checkpoint, which has no selection then.
  const auto path = std::filesystem::temp_directory_path() / "mbn-few-rows-test.checkpoint";
  begin_fit(table.data(), open_options(3), {}, path).save_checkpoint(path);
  EXPECT_EQ(begin_fit(table.data(), open_options(3), {}, path).layers_done(), 0U);
  std::filesystem::remove(path);
}

TEST(Choose, DoubtsWhatIsNotStable) {
  Selection selection;
  EXPECT_EQ(doubt(selection), std::nullopt);
  selection.decay = 0.5;
  selection.candidates = {{0.5, Scale::none, 0.9, 0.8}};
  EXPECT_EQ(doubt(selection), std::nullopt);
  selection.candidates[0].by_seed = 0.4;
  EXPECT_TRUE(doubt(selection)->text().starts_with("do not rely on these clusters"));
  selection.counts = {{2, 0.5, 0.4}};
  selection.clusters = 2;
  EXPECT_TRUE(doubt(selection)->text().starts_with("the number of clusters is unsure"));
}

TEST(Choose, CountsNoMoreClustersThanThereAreRows) {
  const FitOptions options = open_options(Clusters::find);
  EXPECT_EQ(options.most_clusters, 30U);
  for (const std::uint64_t rows : {2U, 3U, 10U, 15U, 16U, 18U, 19U, 20U}) {
    const Table table = blobs(2, rows);
    const FitResult result = fit_transform(table.data(), options);
    EXPECT_GE(result.model.options().clusters.count(), 1U) << rows;
    EXPECT_LE(result.model.options().clusters.count(), rows);
    EXPECT_EQ(result.labels.size(), rows);
  }
}

TEST(Choose, IsPlannedForTheWorstThatItCouldTake) {
  const Table table = blobs(3);
  FitOptions open = open_options(Clusters::find);
  open.most_clusters = 20;
  const Plan planned = plan(table.data(), open);
  for (const std::uint32_t clusters : {1U, 3U, 20U}) {
    FitOptions known = open_options(clusters);
    known.decay = 0.9;
    EXPECT_GE(planned.peak_bytes, plan(table.data(), known).peak_bytes) << clusters;
  }
}

TEST(Choose, IsKeptInTheModelAndItsFile) {
  const Table table = blobs(3);
  FitResult result = fit_transform(table.data(), open_options(3));
  const Selection& selection = result.model.selection();
  ASSERT_FALSE(selection.empty());
  EXPECT_EQ(result.model.options().decay, selection.decay);
  EXPECT_EQ(result.notes.back(), (Note{NoteCode::options_chosen, describe(selection)}));
  EXPECT_EQ(Model::from_bytes(result.model.to_bytes()).selection(), selection);
  EXPECT_EQ(selection, choose(table.data(), open_options(3)));
  // The same network as for somebody who knew.
  FitOptions known = open_options(3);
  known.decay = selection.decay;
  EXPECT_EQ(fit_transform(table.data(), known).labels, result.labels);
}

TEST(Choose, GoesOnFromACheckpoint) {
  const auto path = std::filesystem::temp_directory_path() / "mbn-choose-test.checkpoint";
  const Table table = blobs(3);
  Fitter fitter = begin_fit(table.data(), open_options(3), {}, path);
  // What was chosen is there before the first layer, and is not chosen again.
  std::uint32_t choosing = 0;
  RunOptions run;
  run.progress = [&](const Progress& progress) { choosing += progress.stage == "choosing"; };
  EXPECT_EQ(begin_fit(table.data(), open_options(3), run, path).layers_done(), 0U);
  EXPECT_EQ(choosing, 0U);
  fitter.add_layer();
  fitter.save_checkpoint(path);
  Fitter again = begin_fit(table.data(), open_options(3), run, path);
  EXPECT_EQ(again.layers_done(), 1U);
  EXPECT_EQ(choosing, 0U);
  EXPECT_THROW(begin_fit(table.data(), open_options(4), {}, path), InvalidArgument);
  std::filesystem::remove(path);
  while (!again.done()) again.add_layer();
  while (!fitter.done()) fitter.add_layer();
  EXPECT_EQ(again.finish().model.to_bytes(), fitter.finish().model.to_bytes());
}

TEST(Choose, ReportsProgressOfTheWholeAndStopsWhenAsked) {
  const Table table = blobs(3);
  std::vector<double> seen;
  RunOptions run;
  run.threads = 1;
  run.progress = [&](const Progress& progress) { seen.push_back(progress.overall); };
  fit(table.data(), open_options(3), run);
  ASSERT_FALSE(seen.empty());
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_GE(seen.front(), 0);
  EXPECT_LE(seen.back(), 1);
  const std::atomic<bool> stop = true;
  EXPECT_THROW(choose(table.data(), open_options(3), {.cancel = &stop}), Cancelled);
}

TEST(Choose, RefusesWhatAFitWouldRefuse) {
  const Table table = blobs(3);
  EXPECT_THROW(fit(table.data(), open_options(1000)), InvalidArgument);
  EXPECT_THROW(fit(table.data(), open_options(3), {.memory_limit = 1000}), MemoryLimitExceeded);
  FitOptions wrong = open_options(3);
  wrong.decay = 1.5;
  EXPECT_THROW(choose(table.data(), wrong), InvalidArgument);
}

TEST(Choose, ReadsBackItsOwnJsonOnly) {
  Selection selection;
  selection.candidates = {{0.5, Scale::none, 0.75, 0.5}, {0.9, Scale::standard, 0.1, std::nullopt}};
  selection.counts = {{2, 0.25, 0.125}, {3, 0.5, 0.75}};
  selection.rows = 99;
  selection.decay = 0.5;
  selection.clusters = 3;
  const std::string text = to_json(selection);
  EXPECT_EQ(selection_from_json(text, "x"), selection);
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    EXPECT_THROW(selection_from_json(text.substr(0, cut), "x"), FormatError) << cut;
  }
  EXPECT_THROW(selection_from_json("[]", "x"), FormatError);
  EXPECT_THROW(selection_from_json(std::string(100, '['), "x"), FormatError);
  EXPECT_THROW(selection_from_json(R"({"decay":1e999})", "x"), FormatError);
}

}  // namespace
}  // namespace mbn
