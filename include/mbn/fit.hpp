// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <mbn/column_coding.hpp>
#include <mbn/matrix.hpp>
#include <mbn/model.hpp>
#include <mbn/options.hpp>
#include <mbn/plan.hpp>
#include <mbn/rows.hpp>

namespace mbn {

/// A trained model, and its output for the training rows: the same bytes that `model.transform`,
/// `model.map` and `model.assign` would give, without computing them again.
struct FitResult {
  Model model;
  Matrix embedding;
  Matrix map;                         ///< as `model.map` gives it; no rows unless asked for
  std::vector<std::int32_t> labels;   ///< empty unless FitOptions::clusters was set
  std::vector<float> confidence;      ///< of the labels, as in Assignment; empty without labels
  std::vector<double> layer_seconds;  ///< one per layer
  double projection_seconds = 0;
  double clustering_seconds = 0;
  double map_seconds = 0;
  std::vector<Note> notes;  ///< advice about the data, also given to RunOptions::note
};

/// Trains layer by layer, so that a caller can look, stop, save and go on.
///
/// Where there are more rows than FitOptions::pool allows (`pool_rows`), the network is made from
/// those of the pool alone: layers, components, clusters and map. All other rows then go through
/// it, as any row would.
///
///   Fitter fitter = begin_fit(rows, options);
///   while (!fitter.done()) fitter.add_layer();
///   FitResult result = fitter.finish();
class Fitter {
 public:
  /// `rows` must outlive the fitter. InvalidArgument when an option is open; `choose` decides it,
  /// and its `selection` is kept in the model.
  Fitter(RowsView rows, const FitOptions& options, const RunOptions& run = {},
         Selection selection = {});
  /// Resumes from a checkpoint of the same rows and options; options that were open then are taken
  /// from it. InvalidArgument when it belongs to other data or other options.
  static Fitter resume(const std::filesystem::path& checkpoint, RowsView rows,
                       const FitOptions& options, const RunOptions& run = {});
  ~Fitter();
  Fitter(Fitter&&) noexcept;
  Fitter& operator=(Fitter&&) noexcept;

  const Plan& plan() const;
  std::uint32_t layers_done() const;
  bool done() const;
  void add_layer();
  /// The codes of the newest layer, of the rows that the network is made from.
  const CodeMatrix& codes() const;
  /// Names for the columns, kept in the model: `match_columns` puts new rows in their order.
  /// InvalidArgument unless there is one for each column, or none at all.
  void name_columns(std::vector<std::string> names);
  /// The means of the columns (`Table::means`), kept in the model: `fill_missing` fills new rows by
  /// them. InvalidArgument unless there is one for each column, or none at all.
  void keep_means(std::vector<double> means);
  /// How the columns were made from those of a table (`Table::coding`), kept in the model: new rows
  /// are read with it (ReadOptions::coding). Its blocks must be those of the options.
  /// InvalidArgument unless it gives as many columns as there are, or is empty.
  void keep_coding(TableCoding coding);
  /// Projection and clusters. All layers must be done; the fitter is empty afterwards.
  FitResult finish();

  /// Writes a checkpoint: the chosen options and the layers so far. Replaces an older file.
  void save_checkpoint(const std::filesystem::path& path);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The fitter that `fit` uses. Resumes from `checkpoint` when that file exists. Otherwise it
/// chooses the open options (`choose`) and writes them to the checkpoint, so that they are not
/// chosen twice.
Fitter begin_fit(RowsView rows, const FitOptions& options, const RunOptions& run = {},
                 const std::filesystem::path& checkpoint = {});

/// What a model keeps about its columns: see name_columns, keep_means and keep_coding of Fitter.
struct ColumnFacts {
  std::vector<std::string> names{};
  std::vector<double> means{};
  TableCoding coding{};
};

/// Chooses open options, trains, and finds the clusters. With a `checkpoint`, every finished layer
/// is written to that file, and a fit resumes from it when it exists; it is removed at the end.
/// The model keeps what is said about the columns.
FitResult fit_transform(RowsView rows, const FitOptions& options = {}, const RunOptions& run = {},
                        const std::filesystem::path& checkpoint = {}, ColumnFacts columns = {});
Model fit(RowsView rows, const FitOptions& options = {}, const RunOptions& run = {});

/// A model with the same layers (draws, kept rows, scaling, directions), and with components,
/// clusters and map made anew for other rows: for data that drifts, or that comes a day at a time.
/// `model` stays as it is. The number of clusters, the seed and all other options are the model's.
/// With the training rows it gives the bytes of the fit. Takes as long as to embed the rows and to
/// cluster them, and with a map to embed and lay out the kept rows too: for as many rows about as
/// long as a fit. Of more rows than the pool has, those of the pool decide, as in a fit. A note
/// tells when rows lie far from all that the network drew, and it should be fitted anew.
FitResult update(const Model& model, RowsView rows, const RunOptions& run = {});

/// The same network cut into another number of clusters: layers and map stay as they are, the
/// components follow the number unless FitOptions::components was given. What it gives is of the
/// training rows, and `model` must hold them (Model::holds_training_rows); InvalidArgument
/// otherwise, and for more clusters than rows. A note tells when the layers were made for far fewer
/// clusters, and a new fit would see more.
FitResult with_clusters(const Model& model, std::uint32_t clusters, const RunOptions& run = {});

}  // namespace mbn
