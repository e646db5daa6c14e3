// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include <mbn/cluster.hpp>
#include <mbn/compress.hpp>
#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "rows/toy.hpp"

namespace mbn {
namespace {

constexpr std::size_t kRows = 400;

const Matrix& rows() {
  static const Matrix kToy = toy_images(kRows, 12, 3);
  return kToy;
}

const Model& teacher() {
  static const Model kModel =
      fit(rows(), {.clusterings = 30, .decay = 0.5, .clusters = 3, .restarts = 5});
  return kModel;
}

CompressOptions quick() {
  CompressOptions options;
  options.hidden = {40, 30};
  options.epochs = 30;
  options.batch_rows = 32;
  options.learning_rate = 0.005;
  options.validation = 0.2;
  return options;
}

SparseMatrix as_sparse(MatrixView view) {
  SparseMatrix sparse;
  sparse.columns = view.columns();
  for (std::size_t i = 0; i < view.rows(); ++i) {
    for (std::size_t j = 0; j < view.columns(); ++j) {
      if (view.at(i, j) == 0) continue;
      sparse.indices.push_back(static_cast<std::uint32_t>(j));
      sparse.values.push_back(view.at(i, j));
    }
    sparse.starts.push_back(sparse.indices.size());
  }
  return sparse;
}

TEST(Compress, TheStudentFollowsTheTeacher) {
  const CompressResult result = compress(teacher(), rows(), quick());
  const StudentInfo& info = result.student.info();
  EXPECT_GT(info.validation.r2, 0.9);
  EXPECT_GT(info.training.r2, 0.9);
  EXPECT_EQ(info.validation.rows, 80U);
  EXPECT_EQ(info.training_rows, 640U);  // as many made as given
  EXPECT_EQ(info.options.augment, Augment::table);
  EXPECT_GT(info.validation.labels.value_or(0), 0.95);
  EXPECT_EQ(info.sizes, (std::vector<std::uint32_t>{12, 40, 30, 3}));
  EXPECT_EQ(info.weights, 13U * 40 + 41 * 30 + 31 * 3);
  EXPECT_EQ(info.teacher_checksum, teacher().checksum());
  EXPECT_EQ(info.teacher_options, teacher().options());
  EXPECT_EQ(result.validation_loss.size(), info.epochs);
  EXPECT_FALSE(result.stopped);
  const auto labels = result.student.predict(rows());
  EXPECT_EQ(labels, nearest_centres(result.student.transform(rows()), teacher().cluster_centres()));
}

TEST(Compress, ThreadsChangeNothing) {
  CompressOptions options = quick();
  options.epochs = 3;
  options.dropout = 0.2;
  options.augment = Augment::mix;
  const auto bytes = compress(teacher(), rows(), options, {.threads = 1}).student.to_bytes();
  EXPECT_EQ(bytes, compress(teacher(), rows(), options, {.threads = 2}).student.to_bytes());
  EXPECT_EQ(bytes, compress(teacher(), rows(), options, {.threads = 3}).student.to_bytes());
  options.seed = 1;
  EXPECT_NE(bytes, compress(teacher(), rows(), options, {.threads = 3}).student.to_bytes());
}

TEST(Compress, SparseAndFloatRowsGiveTheSameStudent) {
  CompressOptions options = quick();
  options.epochs = 2;
  const auto bytes = compress(teacher(), rows(), options).student.to_bytes();
  const SparseMatrix sparse = as_sparse(rows());
  const CompressResult result = compress(teacher(), sparse, options);
  EXPECT_EQ(bytes, result.student.to_bytes());
  EXPECT_EQ(bytes, compress(teacher(), as_floats(rows()), options).student.to_bytes());
  EXPECT_TRUE(same_bytes(result.student.transform(sparse), result.student.transform(rows())));
}

TEST(Compress, ARowIsARow) {
  CompressOptions options = quick();
  options.epochs = 2;
  const Student student = compress(teacher(), rows(), options).student;
  const Matrix all = student.transform(rows());
  for (const std::size_t i : {0U, 5U, 97U, 399U}) {
    EXPECT_TRUE(same_bytes(student.transform(rows().view().slice(i, 1)), all.view().slice(i, 1)));
  }
  EXPECT_TRUE(
      same_bytes(student.transform(rows().view().slice(90, 110)), all.view().slice(90, 110)));
  EXPECT_EQ(student.transform(rows().view().slice(0, 0)).rows(), 0U);
}

TEST(Compress, Clusters) {
  CompressOptions options = quick();
  options.target = Target::clusters;
  const Student student = compress(teacher(), rows(), options).student;
  EXPECT_GT(student.info().validation.labels.value_or(0), 0.95);
  const Matrix probabilities = student.transform(rows());
  ASSERT_EQ(probabilities.columns(), 3U);
  const std::vector<std::int32_t> labels = student.predict(rows());
  for (std::size_t i = 0; i < kRows; ++i) {
    const float* row = probabilities.row<float>(i);
    EXPECT_NEAR(row[0] + row[1] + row[2], 1, 1e-5);
    EXPECT_GE(row[labels[i]], std::max({row[0], row[1], row[2]}));
  }
}

TEST(Compress, RowsThatOnlyTheTeacherHasSeen) {
  for (const Augment augment : {Augment::jitter, Augment::mix}) {
    CompressOptions options = quick();
    options.augment = augment;
    options.augment_rows = 2;
    const Student student = compress(teacher(), rows(), options).student;
    EXPECT_EQ(student.info().training_rows, 320U * 3);
    EXPECT_GT(student.info().validation.r2, 0.9);
  }
}

TEST(Compress, CosineTeachersStudentIgnoresLengths) {
  const Matrix floats = as_floats(rows());
  const Model model =
      fit(floats, {.clusterings = 20, .decay = 0.5, .clusters = 3, .metric = Metric::cosine});
  CompressOptions options = quick();
  options.epochs = 2;
  const Student student = compress(model, floats, options).student;
  Matrix longer = Matrix::copy_of(floats);
  for (std::size_t j = 0; j < longer.columns(); ++j) longer.mutable_row<float>(0)[j] *= 7;
  const Matrix a = student.transform(floats.view().slice(0, 1));
  const Matrix b = student.transform(longer.view().slice(0, 1));
  for (std::size_t j = 0; j < a.columns(); ++j) EXPECT_NEAR(a.at(0, j), b.at(0, j), 1e-4);
  // A row of zeros has no length; it gets some answer.
  EXPECT_TRUE(std::isfinite(student.transform(Matrix(1, 12)).at(0, 0)));
}

TEST(Compress, ScaledTeacherConstantColumnsAndOneHiddenUnit) {
  Matrix floats = as_floats(rows());
  for (std::size_t i = 0; i < kRows; ++i) floats.mutable_row<float>(i)[4] = 3;
  const Model model = fit(floats, {.clusterings = 20, .scale = Scale::standard});
  CompressOptions options = quick();
  options.epochs = 2;
  options.hidden = {1};
  const Student student = compress(model, floats, options).student;
  EXPECT_FALSE(student.info().validation.labels);
  EXPECT_TRUE(std::isfinite(student.transform(floats).at(0, 0)));
  EXPECT_THROW(student.predict(floats), InvalidArgument);
}

TEST(Compress, StopKeepsTheBestSoFar) {
  CompressOptions options = quick();
  options.epochs = 1000;
  options.patience = 1000;
  std::atomic<bool> cancel{true};
  RunOptions run{.cancel = &cancel};
  EXPECT_THROW(compress(teacher(), rows(), options, run), Cancelled);
  cancel = false;
  std::uint32_t seen = 0;
  double overall = 0;
  run.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.overall, overall);
    overall = progress.overall;
    seen = std::max(seen, progress.layer);
    if (progress.layer == 4) cancel = true;
  };
  const CompressResult result = compress(teacher(), rows(), options, run);
  EXPECT_TRUE(result.stopped);
  EXPECT_EQ(result.student.info().epochs, 3U);
  EXPECT_EQ(seen, 4U);
  EXPECT_GT(result.student.info().validation.rows, 0U);
  EXPECT_EQ(result.student.info().training.rows, 0U);
}

TEST(Compress, StopsEarly) {
  CompressOptions options = quick();
  options.learning_rate = 1;  // too large to learn anything
  options.epochs = 200;
  options.patience = 2;
  const CompressResult result = compress(teacher(), rows(), options);
  EXPECT_LT(result.student.info().epochs, 200U);
  EXPECT_EQ(result.student.info().epochs - result.student.info().best_epoch, 2U);
}

TEST(Compress, Refusals) {
  const auto refused = [&](const Model& model, RowsView data, const CompressOptions& options) {
    EXPECT_THROW(compress(model, data, options), InvalidArgument);
  };
  refused(teacher(), toy_images(50, 11, 2), quick());
  refused(teacher(), rows().view().slice(0, 1), quick());
  CompressOptions options = quick();
  options.hidden = {10, 0};
  refused(teacher(), rows(), options);
  options = quick();
  options.validation = 1;
  refused(teacher(), rows(), options);
  options = quick();
  options.target = Target::clusters;
  refused(fit(rows(), {.clusterings = 5}), rows(), options);
  options = quick();
  options.hidden = {60000, 60000};
  EXPECT_THROW(compress(teacher(), rows(), options, {.memory_limit = 1'000'000'000}),
               MemoryLimitExceeded);
  Matrix holes = as_floats(rows());
  holes.mutable_row<float>(3)[2] = std::numeric_limits<float>::quiet_NaN();
  refused(teacher(), holes, quick());
}

}  // namespace
}  // namespace mbn
