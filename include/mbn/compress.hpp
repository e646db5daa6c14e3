// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <mbn/compress_options.hpp>
#include <mbn/matrix.hpp>
#include <mbn/model.hpp>
#include <mbn/rows.hpp>

namespace mbn {

struct CompressResult;

/// A small neural network that was trained to give a Model's output, in less time: fully connected
/// layers of rectified linear units. It never changes; copies share it; every method may be called
/// from many threads at once. It holds no row of the training data.
class Student {
 public:
  const StudentInfo& info() const;
  std::uint64_t columns() const;
  std::uint32_t outputs() const;
  /// The teacher's cluster centres, when the target is the embedding and there are some.
  MatrixView cluster_centres() const;

  /// The embedding, or one probability per cluster. A row gives the same bytes alone, in any batch,
  /// in any order.
  Matrix transform(RowsView rows, const RunOptions& run = {}) const;
  /// The cluster of each row: the likeliest, or the nearest in the embedding. InvalidArgument when
  /// the teacher had no clusters.
  std::vector<std::int32_t> predict(RowsView rows, const RunOptions& run = {}) const;

  /// Writes or reads an ONNX file (docs/compress.md) that any ONNX runtime can run. A file appears
  /// whole or not at all. `load` reads only what `save` wrote, and checks all of it: FormatError
  /// otherwise.
  void save(const std::filesystem::path& path, bool overwrite = false) const;
  static Student load(const std::filesystem::path& path);
  /// The bytes of such a file.
  std::vector<std::uint8_t> to_bytes() const;
  static Student from_bytes(std::span<const std::uint8_t> bytes);

 private:
  struct Implementation;
  friend CompressResult compress(const Model& teacher, RowsView rows,
                                 const CompressOptions& options, const RunOptions& run);
  explicit Student(std::shared_ptr<const Implementation> implementation);

  std::shared_ptr<const Implementation> implementation_;
};

struct CompressResult {
  Student student;
  bool stopped = false;                 ///< by RunOptions::cancel: the student is the best so far
  std::vector<double> training_loss;    ///< one per epoch
  std::vector<double> validation_loss;  ///< one per epoch
  double teacher_seconds = 0;           ///< in which the teacher labelled the rows
  double training_seconds = 0;
  double training_operations = 0;  ///< additions and multiplications of the matrix products
};

/// Trains a student on rows that the teacher labels. Any rows with the teacher's columns can be
/// used; most often they are its training rows. The same bytes for any number of threads.
///
/// When RunOptions::cancel is set after the first epoch, the best student so far is returned, with
/// `stopped` true. When it is set before, Cancelled is thrown.
CompressResult compress(const Model& teacher, RowsView rows, const CompressOptions& options = {},
                        const RunOptions& run = {});

}  // namespace mbn
