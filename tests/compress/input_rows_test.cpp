// SPDX-License-Identifier: Apache-2.0
//
// Against the plain twin: the teacher's own preparation, then plain loops.
#include "compress/input_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include <mbn/fit.hpp>

#include "api/model_access.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

// Counts of 240 words, most of them 0.
Matrix toy_counts(std::size_t rows) {
  Matrix counts(rows, 240);
  for (std::size_t i = 0; i < rows; ++i) {
    Random random(5, Purpose::generate, 3, static_cast<std::uint32_t>(i));
    for (std::size_t word = 0; word < 40; ++word) {
      counts.mutable_row<float>(i)[(i % 4) * 60 + random.below(60)] += 1;
    }
  }
  return counts;
}

void expect_the_teachers_rows(const Matrix& rows, const FitOptions& options) {
  const Model model = fit(rows, options);
  const Preparation& preparation = ModelAccess::data(model).preparation;
  const Teacher teacher{.embed = {},
                        .columns = model.columns(),
                        .components = model.components(),
                        .centres = {},
                        .options = model.options(),
                        .preparation = &preparation,
                        .checksum = {}};
  std::vector<std::uint32_t> all(rows.rows());
  std::iota(all.begin(), all.end(), 0U);
  Job job({});
  const InputStage stage = make_input_stage(teacher, rows, all, job);
  const InputRows input(stage);
  const Matrix prepared = input.prepare(rows, job);
  const Rows worked = as_worked_on(rows, preparation.sparse, model.options().metric);
  const Rows expected = prepare_rows(preparation, worked.view(), job);
  ASSERT_EQ(expected.view().columns(), input.width());
  ASSERT_EQ(input.columns(), rows.columns());
  std::vector<float> plain(input.width());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    copy_dense_row(expected.view(), i, plain.data());
    for (std::size_t j = 0; j < plain.size(); ++j) {
      EXPECT_NEAR(prepared.at(i, j), (plain[j] - stage.shift[j]) * stage.factor[j], 2e-4)
          << "row " << i << ", column " << j;
    }
  }
  // A row alone gives the same bytes.
  EXPECT_TRUE(same_bytes(input.prepare(rows.view().slice(7, 1), job), prepared.view().slice(7, 1)));
}

TEST(InputRows, AreWhatTheTeacherWorksOn) {
  const FitOptions few{.clusterings = 5, .clusters = 4};
  for (const Weighting weighting : {Weighting::counts, Weighting::logarithm, Weighting::tfidf,
                                    Weighting::log_tfidf, Weighting::cells}) {
    for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
      SCOPED_TRACE(std::string(name_of(weighting)) + " " + std::string(name_of(metric)));
      FitOptions options = few;
      options.weighting = weighting;
      options.metric = metric;
      options.directions = 20;
      expect_the_teachers_rows(toy_counts(120), options);
    }
  }
  FitOptions scaled = few;
  scaled.scale = Scale::standard;
  scaled.directions = 10;
  expect_the_teachers_rows(as_floats(toy_images(150, 30, 4)), scaled);
}

TEST(InputRows, WithoutDirectionsColumnsStayColumns) {
  const Matrix rows = toy_images(100, 12, 3);
  const Model model = fit(rows, {.clusterings = 5, .clusters = 3});
  const Teacher teacher{.embed = {},
                        .columns = 12,
                        .components = 3,
                        .centres = {},
                        .options = model.options(),
                        .preparation = &ModelAccess::data(model).preparation,
                        .checksum = {}};
  const std::vector<std::uint32_t> chosen{1, 5, 9};
  Job job({});
  const InputStage stage = make_input_stage(teacher, rows, chosen, job);
  EXPECT_TRUE(stage.steps.empty());
  EXPECT_EQ(InputRows(stage).width(), 12U);
}

}  // namespace
}  // namespace mbn
