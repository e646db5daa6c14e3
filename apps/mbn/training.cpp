// SPDX-License-Identifier: Apache-2.0
#include "training.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>

#include "arguments.hpp"

namespace mbn::tool {

namespace {

Json widths(const Model& model) {
  Json list = Json::array();
  for (const LayerInfo& layer : model.layers()) list.push_back(layer.centroids);
  return list;
}

void fill_report(Session& session, RowsView rows, std::uint64_t all, const FitResult& result) {
  Json& report = session.report();
  const std::vector<double> variance = result.model.explained_variance_ratio();
  report["rows"] = all;
  if (result.model.training_rows() != all) report["pool"] = result.model.training_rows();
  report["columns"] = rows.columns();
  report["layers"] = widths(result.model);
  report["components"] = result.model.components();
  report["explained_variance_ratio"] = variance;
  if (!result.model.selection().empty()) {
    report["selection"] = Json::parse(to_json(result.model.selection()));
  }
  report["seconds"] = session.seconds();
  report["layer_seconds"] = result.layer_seconds;
  report["projection_seconds"] = result.projection_seconds;
  report["clustering_seconds"] = result.clustering_seconds;
  if (result.map.rows() != 0) report["map_seconds"] = result.map_seconds;
  report["engine"] = result.model.engine().name;
  report["recall"] = result.model.engine().recall;
  report["excess"] = result.model.engine().excess;
  report["clusterings"] = *result.model.options().clusterings;
  report["directions"] = result.model.directions().count;
  report["model_bytes"] = result.model.memory_bytes();
  report["seed"] = result.model.options().seed;
  const std::string described =
      result.model.training_rows() == all
          ? fmt::format("{} rows", all)
          : fmt::format("{} rows, a network of {} of them,", all, result.model.training_rows());
  session.say(fmt::format(
      "{} x {} columns; {} layers of {} clusterings, {} rows drawn; {} component{} with "
      "{:.1f} % of the variance; {:.1f} s",
      described, rows.columns(), result.model.layers().size(), *result.model.options().clusterings,
      describe_widths(result.model.layers()), result.model.components(),
      result.model.components() == 1 ? "" : "s",
      100 * std::accumulate(variance.begin(), variance.end(), 0.0), session.seconds()));
}

}  // namespace

void TrainingArguments::declare(CLI::App& app) {
  verb = &app;
  add_fields(app, options, "The network");
  app.add_option("--checkpoint", checkpoint,
                 "Keep every finished layer in this file, and go on from it when it exists; "
                 "removed at the end")
      ->group("Running");
  batch.declare_batch(app);
}

void TrainingArguments::discard_checkpoint() const {
  if (!checkpoint.empty()) std::filesystem::remove(checkpoint);
}

BatchArguments TrainingArguments::batches() const {
  BatchArguments how = batch;
  if (!checkpoint.empty()) how.checkpoint = checkpoint + ".rows";
  return how;
}

FitResult TrainingArguments::train(Session& session, const Table& table, std::uint64_t all) const {
  const RowsView rows = table.data();
  const FitOptions wanted = options_for(session, *verb, options, table);
  Fitter fitter = begin_fit(rows, wanted, session.start(interrupted), checkpoint);
  fitter.name_columns(table.columns);
  fitter.keep_means(table.means);
  fitter.keep_coding(table.coding);
  if (fitter.layers_done() > 0) {
    session.say(fmt::format("going on after layer {} of {}, from {}", fitter.layers_done(),
                            fitter.plan().layers.size(), checkpoint));
  }
  while (!fitter.done()) {
    fitter.add_layer();
    if (!checkpoint.empty()) fitter.save_checkpoint(checkpoint);
  }
  FitResult result = fitter.finish();
  fill_report(session, rows, all != 0 ? all : rows.rows(), result);
  return result;
}

}  // namespace mbn::tool
