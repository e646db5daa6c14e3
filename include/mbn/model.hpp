// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <mbn/assignment.hpp>
#include <mbn/codes.hpp>
#include <mbn/column_coding.hpp>
#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/plan.hpp>
#include <mbn/rows.hpp>
#include <mbn/selection.hpp>
#include <mbn/tree.hpp>

namespace mbn {

/// What finds the nearest drawn rows at the bottom layer.
struct EngineInfo {
  std::string name;              ///< "exact", or "walk" over lists of neighbours
  std::uint32_t neighbours = 0;  ///< length of the lists
  double recall = 1;  ///< share of codes as exact search finds them, measured on a sample at fit
  double excess = 0;  ///< how much farther than the nearest the found rows are on average, there
};

/// The principal directions that the network works on in the place of columns.
struct DirectionInfo {
  std::uint32_t count = 0;  ///< 0: none
  double variance = 0;      ///< the share of the rows' variance that they hold
};

/// What a model says of its training rows: the same bytes as `fit` gave.
struct TrainingOutput {
  Matrix embedding;
  Matrix map;                        ///< no rows when the model has no map
  std::vector<std::int32_t> labels;  ///< empty when the model has no clusters
  std::vector<float> confidence;     ///< of the labels; empty also for files older than it
};

/// What `Model::outputs` is asked for.
struct OutputChoice {
  bool embedding = false;
  bool map = false;
  bool labels = false;  ///< with their confidence, unless the model's file is too old for it
  bool probabilities = false;
};

/// What a model says of some rows; what was not asked for is empty.
struct RowOutputs {
  Matrix embedding;
  Matrix map;
  std::vector<std::int32_t> labels;
  std::vector<float> confidence;
  Matrix probabilities;
};

/// A trained network: what its clusterings drew, the projection of its top codes, and the cluster
/// centres. It never changes; copies share it; every method may be called from many threads at
/// once. Its kept rows *are* rows of the training data.
///
/// Rows that come few at a time (up to 1024) are encoded with tables that the first such call
/// makes and the model then keeps, so that later calls take milliseconds; so are the tables of the
/// map, for any number of rows, and from the second call with more rows on (rows that come in
/// batches) the tables for many rows. They can take twice as much memory as the model itself; a
/// RunOptions::memory_limit that leaves no room for them is respected.
class Model {
 public:
  const FitOptions& options() const;
  /// How open options were chosen; empty when none was.
  const Selection& selection() const;
  /// Rows that the network was made from (those of the pool, where there were more) and columns
  /// that any data must have.
  std::uint64_t training_rows() const;
  std::uint64_t columns() const;
  /// Rows of the newest `update`, which components, clusters and map are made for; 0: never
  /// updated.
  std::uint64_t updated_rows() const;
  /// The names of the columns, in order; empty when the training data had none.
  const std::vector<std::string>& column_names() const;
  /// The means by which missing cells of the training rows were filled, for `fill_missing`; empty
  /// unless Fitter::keep_means was called.
  const std::vector<double>& column_means() const;
  /// How the columns were made from those of a table, for ReadOptions::coding; empty when all were
  /// numbers.
  const TableCoding& coding() const;
  std::uint32_t components() const;
  std::vector<LayerInfo> layers() const;
  EngineInfo engine() const;
  DirectionInfo directions() const;
  /// Share of the top codes' variance that each component explains, largest first.
  std::vector<double> explained_variance_ratio() const;
  /// The variance itself: of the training rows along each component.
  std::vector<double> explained_variance() const;
  /// Cluster centres in the embedding; empty unless FitOptions::clusters was set.
  MatrixView cluster_centres() const;
  /// Bytes of the model in memory, without the tables that calls with few rows keep.
  std::uint64_t memory_bytes() const;
  /// Rows to give at a time when there are more than memory holds: by what a row and its codes
  /// take, and the memory limit.
  std::size_t batch_rows(const RunOptions& run = {}) const;
  /// 16 hexadecimal digits that tell this model from others, in memory or in any file of it.
  std::string checksum() const;

  /// The embedding, rows x components. A row gives the same bytes alone, in any batch, in any
  /// order.
  Matrix transform(RowsView rows, const RunOptions& run = {}) const;
  /// The codes of layer 1 .. layers().size(); 0 is the top.
  CodeMatrix codes(RowsView rows, std::uint32_t layer = 0, const RunOptions& run = {}) const;
  /// The embedding after a layer: principal components of that layer's codes. Below the top they
  /// are fitted to the kept rows of the next layer, anew at each call.
  Matrix transform_layer(RowsView rows, std::uint32_t layer, const RunOptions& run = {}) const;
  /// The place of each row on the map, rows x FitOptions::map. A training row gets its own place,
  /// any other the place to which its nearest kept rows draw it; the same alone, in any batch, in
  /// any order. InvalidArgument when the model was fitted without a map.
  Matrix map(RowsView rows, const RunOptions& run = {}) const;
  /// A map of these rows after a layer, laid out anew, in FitOptions::map dimensions (2 when that
  /// is 0): a picture of what the layer knows. Here a row's place depends on the other rows.
  Matrix map_layer(RowsView rows, std::uint32_t layer, const RunOptions& run = {}) const;
  /// The cluster of each row. InvalidArgument when the model has no clusters.
  std::vector<std::int32_t> predict(RowsView rows, const RunOptions& run = {}) const;
  /// The same labels, with probabilities. InvalidArgument also when the model's file was written
  /// before models had probabilities.
  Assignment assign(RowsView rows, const RunOptions& run = {}) const;
  /// Several of these at once, in one pass through the layers: the same bytes as one by one.
  /// InvalidArgument when the model lacks what is asked for.
  RowOutputs outputs(RowsView rows, const OutputChoice& choice, const RunOptions& run = {}) const;
  /// Which rows agree, as a tree over the codes of all layers: of all rows, or of a random 4,000
  /// where there are more. Time and memory grow as the square of its rows. InvalidArgument for
  /// fewer than two rows; MemoryLimitExceeded when it does not fit.
  Tree tree(RowsView rows, const RunOptions& run = {}) const;
  /// How far outside the training data each row lies: the distance to its sixth nearest kept row,
  /// divided by the median of that distance among kept rows. 1 is usual, 3 is far, 100 is unlike
  /// any training row. Time grows as rows x kept rows x columns.
  std::vector<float> outlier_scores(RowsView rows, const RunOptions& run = {}) const;

  /// Whether the model holds all its training rows: each was drawn by at least one clustering, and
  /// the model was not updated. With the usual options nearly always so for fewer rows than the
  /// pool may have; with a full pool it is not known, and counts as no.
  bool holds_training_rows() const;
  /// What the fit gave for the training rows, made again from the kept rows. InvalidArgument unless
  /// `holds_training_rows`.
  TrainingOutput training_output(const RunOptions& run = {}) const;

  /// Writes or reads a `.mbn` file (docs/model-format.md). A file appears whole or not at all.
  void save(const std::filesystem::path& path, bool overwrite = false) const;
  static Model load(const std::filesystem::path& path);
  /// The bytes of such a file without a file: for pickles, databases and sockets. `from_bytes`
  /// makes the same checks as `load`.
  std::vector<std::uint8_t> to_bytes() const;
  static Model from_bytes(std::span<const std::uint8_t> bytes);

 private:
  struct State;
  friend struct ModelAccess;
  explicit Model(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

}  // namespace mbn
