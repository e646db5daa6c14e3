// SPDX-License-Identifier: Apache-2.0
//
// A model gives behaviour to ModelData. Rows are prepared and sent up layer by layer, a batch at a
// time, by the same encoders that `fit` uses; nothing in the model depends on the batch.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include <mbn/cluster.hpp>
#include <mbn/error.hpp>
#include <mbn/model.hpp>

#include "base/job.hpp"
#include "network/encode.hpp"
#include "network/model_data.hpp"
#include "network/outliers.hpp"
#include "network/planning.hpp"
#include "network/votes.hpp"
#include "store/model_file.hpp"

namespace mbn {

namespace {

void check_rows(const ModelData& model, RowsView rows, Job& job) {
  if (rows.columns() != model.columns) {
    throw InvalidArgument(ErrorCode::does_not_fit,
                          fmt::format("the rows have {} columns, but the model was trained on {}",
                                      rows.columns(), model.columns));
  }
  require_finite(rows, job);
}

std::size_t checked_layer(const ModelData& model, std::uint32_t layer) {
  if (layer == 0) return model.layer_count();
  if (layer > model.layer_count()) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option("layer"),
         fmt::format(" is {}, but the model has {} (1 is the bottom)", layer, model.layer_count())},
        {.option = "layer", .value = std::to_string(layer)});
  }
  return layer;
}

// Up to so many rows at a time come through engines that are kept.
constexpr std::size_t kFewRows = 1024;

// The model's engines where keeping them is worth it: many rows pay for their own, one layer at a
// time, and a limit may leave no room for all layers' at once.
Engines* kept_engines(const ModelData& model, Engines& engines, std::size_t rows,
                      const RunOptions& run) {
  const bool fits = run.memory_limit == 0 || Engines::bytes(model) <= run.memory_limit / 2;
  return rows <= kFewRows && fits ? &engines : nullptr;
}

// Calls `body(first, codes)` with the codes of layer `layers` for one batch of rows after another.
void encode_in_batches(const ModelData& model, Engines* kept, RowsView rows, std::size_t layers,
                       const RunOptions& run, Job& job,
                       const std::function<void(std::size_t, CodeMatrix)>& body) {
  std::size_t batch_rows = transform_batch_rows(rows.rows(), model.options.clusterings,
                                                model.bottom.draws.centroids, run);
  // Rows that must be made dense first are so a few at a time.
  constexpr std::size_t kDenseBytes = std::size_t{1} << 28;
  if (rows.is_sparse() && !model.bottom.is_sparse()) {
    batch_rows =
        std::clamp<std::size_t>(kDenseBytes / (rows.columns() * sizeof(float)), 1, batch_rows);
  }
  const std::size_t batches = blocks(rows.rows(), batch_rows);
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, batches) * layers);
  for (std::size_t first = 0; first < rows.rows(); first += batch_rows) {
    const RowsView batch = rows.slice(first, std::min(batch_rows, rows.rows() - first));
    const auto announce = [&](std::size_t layer) {
      job.stage("encode", share, model.options.clusterings, static_cast<std::uint32_t>(layer),
                static_cast<std::uint32_t>(layers));
    };
    announce(1);
    const RowStore same_kind = model.bottom.is_sparse() ? as_sparse(batch) : as_dense(batch);
    const RowStore prepared = prepare_rows(model.scaler, same_kind.view(), job);
    CodeMatrix codes = kept != nullptr ? kept->encode_bottom(prepared.view(), job)
                                       : encode_bottom(model.bottom, model.options.metric,
                                                       prepared.view(), 0, job);
    for (std::size_t l = 1; l < layers; ++l) {
      announce(l + 1);
      codes = kept != nullptr ? kept->encode_upper(l - 1, codes, job)
                              : encode_upper(model.upper[l - 1], codes, job);
    }
    body(first, std::move(codes));
  }
}

Matrix embed(const ModelData& model, Engines* kept, RowsView rows, std::size_t layers,
             const Projection& projection, const RunOptions& run, Job& job) {
  Matrix embedding(rows.rows(), projection.components);
  const auto keep = [&](std::size_t first, const CodeMatrix& codes) {
    const Matrix part = project(projection, codes, job);
    for (std::size_t i = 0; i < part.rows(); ++i) {
      std::copy_n(part.row<float>(i), projection.components,
                  embedding.mutable_row<float>(first + i));
    }
  };
  encode_in_batches(model, kept, rows, layers, run, job, keep);
  return embedding;
}

}  // namespace

Model::Model(std::shared_ptr<const ModelData> data)
    : data_(std::move(data)), engines_(std::make_shared<Engines>(*data_)) {}

const FitOptions& Model::options() const {
  return data_->options;
}

const Selection& Model::selection() const {
  return data_->selection;
}

std::uint64_t Model::training_rows() const {
  return data_->training_rows;
}

std::uint64_t Model::columns() const {
  return data_->columns;
}

std::uint32_t Model::components() const {
  return data_->projection.components;
}

std::vector<LayerInfo> Model::layers() const {
  std::vector<LayerInfo> infos;
  for (std::size_t l = 0; l < data_->layer_count(); ++l) {
    const Draws& draws = data_->draws(l);
    const std::uint64_t pool_rows =
        l == 0 ? data_->bottom.pool_rows() : data_->upper[l - 1].pool.rows();
    const std::uint64_t pool_bytes =
        l == 0 ? data_->bottom.pool_bytes() : data_->upper[l - 1].pool.bytes();
    infos.push_back(
        {draws.centroids, draws.features, pool_rows,
         pool_bytes + (draws.rows.size() + draws.columns.size()) * sizeof(std::uint32_t)});
  }
  return infos;
}

SearchInfo Model::search() const {
  const BottomSettings& settings = data_->bottom.settings;
  return {settings.engine == BottomEngine::exact ? "exact" : "walk", settings.list_length,
          settings.agreement};
}

std::vector<double> Model::explained_variance_ratio() const {
  const Projection& projection = data_->projection;
  std::vector<double> ratio = projection.variance;
  for (double& value : ratio) {
    value = projection.total_variance > 0 ? value / projection.total_variance : 0;
  }
  return ratio;
}

std::vector<double> Model::explained_variance() const {
  return data_->projection.variance;
}

MatrixView Model::cluster_centres() const {
  return data_->centres;
}

std::uint64_t Model::bytes() const {
  std::uint64_t sum = data_->projection.loadings.size() * sizeof(float) +
                      data_->centres.shape().bytes() + data_->votes.shape().bytes() +
                      (data_->scaler.shift.size() + data_->scaler.factor.size()) * sizeof(double);
  for (const LayerInfo& layer : layers()) sum += layer.bytes;
  return sum;
}

Matrix Model::transform(RowsView rows, const RunOptions& run) const {
  return transform_layer(rows, 0, run);
}

CodeMatrix Model::codes(RowsView rows, std::uint32_t layer, const RunOptions& run) const {
  Job job(run);
  check_rows(*data_, rows, job);
  const std::size_t layers = checked_layer(*data_, layer);
  CodeMatrix all(rows.rows(), data_->options.clusterings, data_->draws(layers - 1).centroids);
  encode_in_batches(*data_, kept_engines(*data_, *engines_, rows.rows(), run), rows, layers, run,
                    job, [&](std::size_t first, CodeMatrix batch) { all.copy_rows(first, batch); });
  return all;
}

Matrix Model::transform_layer(RowsView rows, std::uint32_t layer, const RunOptions& run) const {
  Job job(run);
  check_rows(*data_, rows, job);
  const std::size_t layers = checked_layer(*data_, layer);
  Engines* kept = kept_engines(*data_, *engines_, rows.rows(), run);
  if (layers == data_->layer_count()) {
    return embed(*data_, kept, rows, layers, data_->projection, run, job);
  }
  // The pool of the next layer holds codes of this one.
  const Projection projection =
      fit_projection(data_->upper[layers - 1].pool, data_->projection.components,
                     data_->options.solver, data_->options.seed, job);
  return embed(*data_, kept, rows, layers, projection, run, job);
}

std::vector<std::int32_t> Model::predict(RowsView rows, const RunOptions& run) const {
  if (data_->centres.rows() == 0) {
    throw InvalidArgument(ErrorCode::no_clusters,
                          {"the model has no clusters; fit it with ", option("clusters")});
  }
  return nearest_centres(transform(rows, run), data_->centres, run);
}

Assignment Model::assign(RowsView rows, const RunOptions& run) const {
  if (data_->centres.rows() == 0) {
    throw InvalidArgument(ErrorCode::no_clusters,
                          {"the model has no clusters; fit it with ", option("clusters")});
  }
  if (data_->votes.rows() == 0) {
    throw InvalidArgument(ErrorCode::too_old,
                          "the model's file is older than probabilities; fit it again");
  }
  const CodeMatrix top = codes(rows, 0, run);
  Job job(run);
  Assignment assignment;
  assignment.labels = nearest_centres(project(data_->projection, top, job), data_->centres, run);
  assignment.probabilities = vote(data_->votes, top, job);
  assignment.confidence = confidence_of(assignment.probabilities, assignment.labels);
  return assignment;
}

std::vector<float> Model::outlier_scores(RowsView rows, const RunOptions& run) const {
  Job job(run);
  check_rows(*data_, rows, job);
  const Metric metric = data_->options.metric;
  job.stage("outliers", 1, rows.rows() + 1000);
  const double usual = usual_distance_to_pool(data_->bottom, metric, job);
  std::vector<float> scores;
  scores.reserve(rows.rows());
  constexpr std::size_t kBatch = 4096;
  for (std::size_t first = 0; first < rows.rows(); first += kBatch) {
    const RowsView batch = rows.slice(first, std::min(kBatch, rows.rows() - first));
    const RowStore same_kind = data_->bottom.is_sparse() ? as_sparse(batch) : as_dense(batch);
    const RowStore prepared = prepare_rows(data_->scaler, same_kind.view(), job);
    for (const double distance : distances_to_pool(data_->bottom, metric, prepared.view(), job)) {
      scores.push_back(static_cast<float>(distance / usual));
    }
  }
  return scores;
}

void Model::save(const std::filesystem::path& path, bool overwrite) const {
  write_model_file(path, *data_, overwrite);
}

Model Model::load(const std::filesystem::path& path) {
  return Model(std::make_shared<const ModelData>(read_model_file(path)));
}

}  // namespace mbn
