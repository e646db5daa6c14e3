// SPDX-License-Identifier: Apache-2.0
#include "compress/compress.hpp"

#include <utility>

#include <mbn/compress.hpp>
#include <mbn/error.hpp>

#include "api/model_access.hpp"
#include "api/student_implementation.hpp"

namespace mbn {

CompressResult compress(const Model& model, RowsView rows, const CompressOptions& options,
                        const RunOptions& run) {
  if (rows.is_sparse() && model.options().metric == Metric::precomputed) {
    throw InvalidArgument(ErrorCode::sparse_rows,
                          "a student takes distances to all training rows, and these rows have "
                          "some of them only; give "
                          "dense rows",
                          {.option = "metric", .value = "precomputed"});
  }
  const Teacher teacher{
      .embed = [&](RowsView some, const RunOptions& how) { return model.transform(some, how); },
      .columns = model.columns(),
      .components = model.components(),
      .centres = model.cluster_centres(),
      .options = model.options(),
      .preparation = &ModelAccess::data(model).preparation,
      .checksum = model.checksum()};
  Compressed trained = train_student(teacher, rows, options, run);
  trained.student.info.column_names = model.column_names();
  trained.student.info.column_means = model.column_means();
  trained.student.info.coding = model.coding();
  return {Student(std::make_shared<const Student::Implementation>(std::move(trained.student))),
          trained.stopped,
          std::move(trained.training_loss),
          std::move(trained.validation_loss),
          trained.teacher_seconds,
          trained.training_seconds,
          trained.training_operations};
}

}  // namespace mbn
