// SPDX-License-Identifier: Apache-2.0
#include "choose/pilot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include <mbn/evaluate.hpp>
#include <mbn/generate.hpp>

#include "choose/count.hpp"
#include "choose/sample.hpp"

namespace mbn {
namespace {

Table blobs() {
  return generate(
      {.kind = ToyKind::gaussians, .rows = 200, .columns = 6, .clusters = 3, .seed = 2});
}

FitOptions options() {
  return {.feature_fraction = 0.5, .decay = 0.5, .clusters = 3, .components = 3, .seed = 7};
}

TEST(Pilot, DiffersFromItsTwinsAndFindsTheClusters) {
  const Table table = blobs();
  Job job(RunOptions{.threads = 2});
  const std::vector<Pilot> pilots = make_pilots(table.data(), options(), 0, 3, job);
  ASSERT_EQ(pilots.size(), 3U);
  EXPECT_NE(pilots[0].bottom, pilots[1].bottom);
  EXPECT_NE(pilots[0].seed, pilots[1].seed);
  for (const Pilot& pilot : pilots) {
    EXPECT_EQ(pilot.bottom.clusterings(), kPilotClusterings);
    EXPECT_EQ(pilot.bottom.centroids(), 100U);
    const CodeMatrix top = top_codes(pilot, options(), job);
    EXPECT_EQ(top.centroids(), 6U);  // 100, 50, 25, 12, 6; 3 would be below 1.5 x 3
    const Labelling labels = label(pilot, embed(pilot, top, 3, job), 3, 10, {});
    EXPECT_GT(clustering_accuracy(labels, table.labels->values), 0.95);
  }
}

TEST(Pilot, OfAHalfLearnsFromThoseRowsOnly) {
  const Table table = blobs();
  Job job(RunOptions{.threads = 2});
  const Pilot pilot = make_half_pilot(table.data(), options(), 0, job);
  EXPECT_EQ(pilot.learned.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(pilot.learned));
  EXPECT_EQ(pilot.bottom.rows(), 200U);
  EXPECT_EQ(pilot.bottom.centroids(), 50U);
  EXPECT_NE(make_half_pilot(table.data(), options(), 1, job).learned, pilot.learned);

  // Rows it did not learn from can be anything without a change to the others.
  Matrix changed = Matrix::copy_of(table.rows.dense());
  for (std::size_t i = 0; i < 200; ++i) {
    if (!std::ranges::binary_search(pilot.learned, i)) {
      std::fill_n(changed.mutable_row<float>(i), 6, 1000.0F);
    }
  }
  const Pilot other = make_half_pilot(RowsView(changed.view()), options(), 0, job);
  const CodeMatrix top = top_codes(pilot, options(), job);
  const CodeMatrix other_top = top_codes(other, options(), job);
  EXPECT_EQ(top.gather(pilot.learned), other_top.gather(pilot.learned));
  const Labelling labels = label(pilot, embed(pilot, top, 3, job), 3, 10, {});
  const Labelling other_labels = label(other, embed(other, other_top, 3, job), 3, 10, {});
  for (const std::uint32_t row : pilot.learned) EXPECT_EQ(labels[row], other_labels[row]);
}

TEST(Pilot, IsCutIntoAnyNumberOfClusters) {
  const Table table = blobs();
  Job job(RunOptions{.threads = 2});
  const Pilot pilot = make_half_pilot(table.data(), options(), 0, job);
  constexpr std::array<std::uint32_t, 5> kNumbers = {2, 3, 4, 5, 6};
  const std::vector<Labelling> labels = cut_into(pilot, options(), kNumbers, {});
  ASSERT_EQ(labels.size(), 5U);
  for (std::size_t c = 2; c <= 6; ++c) {
    ASSERT_EQ(labels[c - 2].size(), 200U);
    EXPECT_EQ(*std::ranges::max_element(labels[c - 2]), static_cast<std::int32_t>(c - 1));
  }
  EXPECT_GT(clustering_accuracy(labels[1], table.labels->values), 0.95);
}

TEST(Sample, KeepsTheShapeOfTheNetwork) {
  const Table table = generate({.kind = ToyKind::gaussians, .rows = 1000, .columns = 4});
  Job job(RunOptions{});
  FitOptions given = FitOptions::paper();
  given.centroids = 400;
  given.pool = 800;
  const Sample sample(table.data(), given, 100, job);
  EXPECT_EQ(sample.rows().rows(), 100U);
  EXPECT_EQ(sample.options().centroids, 50U);
  EXPECT_EQ(sample.options().pool, std::nullopt);
  EXPECT_EQ(sample.options().clusters, 10U);
  const Sample whole(table.data(), FitOptions::paper(), 5000, job);
  EXPECT_EQ(whole.rows().rows(), 1000U);
}

TEST(Sample, SeesColumnsOfDifferentSize) {
  Job job(RunOptions{});
  Matrix rows(50, 4);
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      rows.mutable_row<float>(i)[j] = static_cast<float>((i * (j + 3)) % 17);
    }
  }
  EXPECT_FALSE(columns_differ_in_size(RowsView(rows.view()), job));
  for (std::size_t i = 0; i < 50; ++i) rows.mutable_row<float>(i)[2] *= 100;
  EXPECT_TRUE(columns_differ_in_size(RowsView(rows.view()), job));
}

}  // namespace
}  // namespace mbn
