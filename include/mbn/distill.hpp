// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mbn/distill_options.hpp>
#include <mbn/matrix.hpp>
#include <mbn/model.hpp>
#include <mbn/rows.hpp>

namespace mbn {

struct StudentData;
class PackedNetwork;

/// How well a student follows its teacher on some rows.
struct Fidelity {
  std::uint64_t rows = 0;
  /// 1 - (squared errors) / (squared deviations of the teacher's outputs from their means), all
  /// outputs together: 1 is a perfect copy, 0 no better than always saying the mean.
  double r2 = 0;
  /// Share of the rows that get the teacher's cluster; nothing when the teacher has no clusters.
  std::optional<double> agreement{};
};

struct StudentInfo {
  std::vector<std::uint32_t> sizes;  ///< columns, hidden layers, outputs
  std::uint64_t weights = 0;
  DistillOptions options;
  FitOptions teacher_options;
  std::string teacher_checksum;     ///< Model::checksum()
  std::uint64_t training_rows = 0;  ///< that it learned from, those that were made included
  std::uint32_t epochs = 0;         ///< done
  std::uint32_t best_epoch = 0;     ///< the one that was kept, from 1
  Fidelity validation;              ///< on rows kept aside
  Fidelity training;                ///< on given rows it learned from; none when interrupted
};

/// A small neural network that does what a Model does, faster: fully connected layers of rectified
/// linear units. It never changes; copies share it; every method may be called from many threads at
/// once. It holds no row of the training data.
class Student {
 public:
  explicit Student(std::shared_ptr<const StudentData> data);

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
  /// whole or not at all. Only files of `save` can be read, and they are trusted no more than any.
  void save(const std::filesystem::path& path, bool overwrite = false) const;
  static Student load(const std::filesystem::path& path);
  /// The bytes of such a file.
  std::vector<std::uint8_t> to_bytes() const;
  static Student from_bytes(std::span<const std::uint8_t> bytes);

  const StudentData& data() const { return *data_; }

 private:
  std::shared_ptr<const StudentData> data_;
  std::shared_ptr<const PackedNetwork> network_;
};

struct DistillResult {
  Student student;
  bool stopped = false;               ///< the caller asked to stop: the student is the best so far
  std::vector<double> training_loss;  ///< one per epoch
  std::vector<double> validation_loss;  ///< one per epoch
  double teacher_seconds = 0;           ///< of labelling
  double training_seconds = 0;
  double training_operations = 0;  ///< additions and multiplications of the matrix products
};

/// Trains a student on rows that the teacher labels. Any rows with the teacher's columns will do;
/// most often they are its training rows. The same bytes for any number of threads.
///
/// RunOptions::cancel does not lose what was learned: after the first epoch the best student so far
/// is returned, with `stopped`; before, it is Cancelled as everywhere.
DistillResult distill(const Model& teacher, RowsView rows, const DistillOptions& options = {},
                      const RunOptions& run = {});

}  // namespace mbn
