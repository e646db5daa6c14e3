// SPDX-License-Identifier: Apache-2.0
//
// Compressive MBN (section "Compressive MBN" of the paper): the teacher labels rows, a perceptron
// learns the map from row to label, and then predicts in the teacher's place.
#include "compress/compress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include <mbn/error.hpp>

#include "base/job.hpp"
#include "base/memory.hpp"
#include "base/part_of.hpp"
#include "compress/fidelity.hpp"
#include "compress/input_rows.hpp"
#include "compress/lesson.hpp"
#include "compress/packed_network.hpp"
#include "compress/trainer.hpp"
#include "rows/scaler.hpp"

namespace mbn {

namespace {

/// Fidelity is measured on at most this many rows; more would not make it more accurate.
constexpr std::size_t kMostMeasured = 10000;
constexpr std::uint32_t kPaperUnits = 2048;
constexpr std::uint32_t kSmallUnits = 256;

void check_rows(const Teacher& teacher, RowsView rows, const CompressOptions& options,
                const RunOptions& run) {
  validate(options);
  if (options.target == Target::clusters && teacher.centres.rows() == 0) {
    throw InvalidArgument(
        ErrorCode::no_clusters,
        {"the model has no clusters, so target cannot be 'clusters'; fit it with ",
         option("clusters")},
        {.option = "target", .value = "clusters"});
  }
  if (rows.columns() != teacher.columns) {
    throw InvalidArgument(ErrorCode::does_not_fit,
                          fmt::format("the rows have {} columns, but the model was trained on {}; "
                                      "give rows with the same columns",
                                      rows.columns(), teacher.columns));
  }
  if (rows.rows() < 2) {
    throw InvalidArgument(ErrorCode::too_small,
                          fmt::format("there are {} rows; a student needs at least 2, one for "
                                      "training and one for validation",
                                      rows.rows()));
  }
  const double made = Lesson::most_augment_rows(options);
  if (static_cast<double>(rows.rows()) * (1 + made) > std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(
        ErrorCode::too_large,
        fmt::format("{} rows, with {} made for each, are more than a student can learn from ({}); "
                    "give fewer rows",
                    rows.rows(), made, std::numeric_limits<std::int32_t>::max()));
  }
  Job job(without_progress(run));
  require_finite(rows, job);
}

std::vector<std::size_t> layer_sizes(const Teacher& teacher, const CompressOptions& options) {
  std::vector<std::size_t> sizes{teacher.columns};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  if (options.hidden.empty()) {
    sizes.insert(sizes.end(), 2, options.size == StudentSize::paper ? kPaperUnits : kSmallUnits);
  }
  sizes.push_back(options.target == Target::embedding ? teacher.components
                                                      : teacher.centres.rows());
  return sizes;
}

void check_memory(const Teacher& teacher, std::span<const std::size_t> sizes, std::size_t rows,
                  const CompressOptions& options, const RunOptions& run) {
  std::vector<std::size_t> layers(sizes.begin(), sizes.end());
  const bool directions =
      teacher.preparation != nullptr && !teacher.preparation->directions.empty();
  if (directions) layers.front() = teacher.preparation->directions.count();
  const std::uint64_t needed =
      Perceptron::bytes(layers, options.batch_rows) +
      Lesson::bytes(rows, layers.front(), layers.back(), directions, options);
  const std::uint64_t limit = run.memory_limit.value_or(available_memory());
  if (limit == 0 || needed <= limit) return;
  throw MemoryLimitExceeded(
      ErrorCode::memory,
      {fmt::format("training this student takes {}, but there are {}; ask for fewer hidden units (",
                   readable_bytes(needed), readable_bytes(limit)),
       option("hidden"), ") or smaller batches (", option("batch_rows"), ")"},
      {.option = "memory_limit", .value = std::to_string(limit)});
}

// Fidelity on the chosen rows, at most kMostMeasured of them, evenly spread.
Fidelity measure(const PackedNetwork& network, const Lesson& lesson,
                 const std::vector<std::uint32_t>& chosen, const StudentData& student,
                 MatrixView centres, Job& job) {
  const std::size_t count = std::min(chosen.size(), kMostMeasured);
  Matrix rows(count, lesson.rows().columns());
  Matrix teacher(count, lesson.output_count());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = chosen[i * chosen.size() / count];
    copy_dense_row(lesson.rows(), row, rows.mutable_row<float>(i));
    std::copy_n(lesson.outputs().row<float>(row), teacher.columns(), teacher.mutable_row<float>(i));
  }
  return measure_fidelity(teacher, network.run(rows, job), centres, student.info.options.target);
}

}  // namespace

Compressed train_student(const Teacher& teacher, RowsView rows, const CompressOptions& options,
                         const RunOptions& run) {
  check_rows(teacher, rows, options, run);
  const std::vector<std::size_t> sizes = layer_sizes(teacher, options);
  check_memory(teacher, sizes, rows.rows(), options, run);

  Lesson lesson(teacher, rows, options, run);
  std::vector<std::size_t> layers = sizes;
  layers.front() = lesson.width();
  Trainer trainer(lesson, layers, options, part_of(run, kTeacherShare, 1));
  bool stopped = false;
  try {
    while (trainer.run_epoch()) {
    }
  } catch (const Cancelled&) {
    if (trainer.best_epoch() == 0) throw;
    stopped = true;
  }

  StudentData data;
  StudentInfo& info = data.info;
  info.sizes.assign(sizes.begin(), sizes.end());
  info.options = options;
  info.options.augment = lesson.augment();
  info.options.dropout = lesson.dropout();
  if (lesson.augment() != Augment::none) info.options.augment_rows = lesson.augment_rows();
  info.teacher_options = teacher.options;
  info.teacher_checksum = teacher.checksum;
  info.training_rows = lesson.learning_count();
  info.epochs = trainer.epochs();
  info.best_epoch = trainer.best_epoch();
  data.input = lesson.input_stage();
  data.layers = trainer.best_layers();
  if (data.input.product() != nullptr) {
    info.weights += data.input.product()->layer.weights.size();
  }
  for (const DenseLayer& layer : data.layers) {
    info.weights += layer.weights.size() + layer.bias.size();
  }
  if (options.target == Target::embedding) data.centres = Matrix::copy_of(teacher.centres);

  Job job({.threads = run.threads});
  const PackedNetwork network(data);
  info.validation = measure(network, lesson, lesson.kept_aside(), data, teacher.centres, job);
  if (!stopped) {
    info.training = measure(network, lesson, lesson.learning(), data, teacher.centres, job);
  }
  return {std::move(data),          stopped,
          trainer.training_loss(),  trainer.validation_loss(),
          lesson.teacher_seconds(), trainer.seconds(),
          trainer.operations()};
}

}  // namespace mbn
