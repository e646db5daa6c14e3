// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/model.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

namespace mbn {

/// What a fit will build and take, known from the shape of the data alone.
struct Plan {
  std::vector<LayerInfo> layers;  ///< bottom first; pool_rows is an upper bound
  std::uint32_t components = 0;
  std::uint64_t model_bytes = 0;  ///< upper bound of the model in memory and in its file
  std::uint64_t peak_bytes = 0;   ///< the data, the model and the work space at the worst moment
  std::uint64_t batch_rows = 0;   ///< rows searched at a time
  /// Roughly how long the fit will take, on a core of 2021 like those it was measured on.
  double seconds = 0;
};

/// InvalidArgument when the options do not fit the data (more clusters or centroids than rows,
/// ...), MemoryLimitExceeded when even the smallest batch does not fit.
Plan plan(Shape data, const FitOptions& options, const RunOptions& run = {});
/// The same for the rows themselves: it counts zeros, and knows what compressed rows save.
Plan plan(RowsView rows, const FitOptions& options, const RunOptions& run = {});

/// Bytes that this process could still take: what the system calls available, or less when the
/// process lives in a container with a limit of its own. 0 when the system does not tell.
std::uint64_t available_memory();

/// A trained model with what it makes of its own training rows: the same bytes that
/// `model.transform` and `model.assign` would give, without paying for them again.
struct FitResult {
  Model model;
  Matrix embedding;
  std::vector<std::int32_t> labels;   ///< empty unless FitOptions::clusters was set
  std::vector<float> confidence;      ///< of the labels, as in Assignment; empty without labels
  std::vector<double> layer_seconds;  ///< one per layer
  double projection_seconds = 0;
  double clustering_seconds = 0;
  std::vector<Note> notes;  ///< advice about the data, also given to RunOptions::note
};

/// Trains layer by layer, so that a caller can look, stop, save and go on.
///
///   Fitter fitter(rows, options);
///   while (!fitter.done()) fitter.add_layer();
///   FitResult result = fitter.finish();
class Fitter {
 public:
  /// `rows` must outlive the fitter.
  Fitter(RowsView rows, const FitOptions& options, const RunOptions& run = {});
  ~Fitter();
  Fitter(Fitter&&) noexcept;
  Fitter& operator=(Fitter&&) noexcept;

  const Plan& plan() const;
  std::uint32_t layers_done() const;
  bool done() const;
  void add_layer();
  /// The codes of the newest layer.
  const CodeMatrix& codes() const;
  /// Projection and clusters. All layers must be done; the fitter is empty afterwards.
  FitResult finish();

  /// Keeps what is done so far in a file, replacing an older one.
  void save_checkpoint(const std::filesystem::path& path);
  /// Goes on from such a file. InvalidArgument when it belongs to other data or other options.
  void resume(const std::filesystem::path& path);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

FitResult fit_transform(RowsView rows, const FitOptions& options = {}, const RunOptions& run = {});
Model fit(RowsView rows, const FitOptions& options = {}, const RunOptions& run = {});

}  // namespace mbn
