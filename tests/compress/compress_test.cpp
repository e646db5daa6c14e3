// SPDX-License-Identifier: Apache-2.0
#include "compress/compress.hpp"

#include <gtest/gtest.h>

#include <mbn/error.hpp>

#include "rows/toy.hpp"

namespace mbn {
namespace {

// Any function of rows will do: here the sum and the difference of the first two columns.
Matrix sum_and_difference(RowsView rows, const RunOptions&) {
  Matrix embedding(rows.rows(), 2);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const float a = rows.dense().at(i, 0);
    const float b = rows.dense().at(i, 1);
    embedding.mutable_row<float>(i)[0] = a + b;
    embedding.mutable_row<float>(i)[1] = a - b;
  }
  return embedding;
}

TEST(TrainStudent, LearnsFromAnyTeacher) {
  const Matrix rows = toy_images(400, 5, 3);
  const Teacher teacher{.embed = sum_and_difference,
                        .columns = 5,
                        .components = 2,
                        .centres = {},
                        .options = {},
                        .checksum = "nobody"};
  const Compressed trained = train_student(
      teacher, rows, {.hidden = {32}, .epochs = 60, .batch_rows = 16, .patience = 60}, {});
  const StudentInfo& info = trained.student.info;
  EXPECT_FALSE(trained.stopped);
  EXPECT_EQ(info.sizes, (std::vector<std::uint32_t>{5, 32, 2}));
  EXPECT_EQ(info.teacher_checksum, "nobody");
  EXPECT_GT(info.validation.r2, 0.95);
  EXPECT_FALSE(info.validation.labels);
  EXPECT_EQ(trained.validation_loss.size(), info.epochs);
  EXPECT_EQ(trained.student.centres.rows(), 0U);
}

TEST(TrainStudent, ClustersNeedCentres) {
  const Teacher teacher{.embed = sum_and_difference,
                        .columns = 5,
                        .components = 2,
                        .centres = {},
                        .options = {},
                        .checksum = {}};
  EXPECT_THROW(train_student(teacher, toy_images(40, 5, 3), {.target = Target::clusters}, {}),
               InvalidArgument);
}

}  // namespace
}  // namespace mbn
