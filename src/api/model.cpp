// SPDX-License-Identifier: Apache-2.0
//
// A model gives behaviour to ModelData. Rows are prepared and sent up layer by layer, a batch at a
// time, by the same encoders that `fit` uses; nothing in the model depends on the batch.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include <mbn/cluster.hpp>
#include <mbn/error.hpp>
#include <mbn/model.hpp>

#include "api/model_access.hpp"
#include "base/job.hpp"
#include "base/memory.hpp"
#include "map/joint_space.hpp"
#include "map/make_map.hpp"
#include "map/placer.hpp"
#include "network/encode.hpp"
#include "network/model_data.hpp"
#include "network/outliers.hpp"
#include "network/planning.hpp"
#include "network/schedule.hpp"
#include "network/votes.hpp"
#include "rows/kinds.hpp"
#include "rows/missing_cells.hpp"
#include "store/model_file.hpp"

namespace mbn {

namespace {

void check_rows(const ModelData& model, RowsView rows, Job& job) {
  if (rows.columns() != model.columns) {
    throw InvalidArgument(ErrorCode::does_not_fit,
                          fmt::format("the rows have {} columns, but the model was trained on {}; "
                                      "give rows with the same columns",
                                      rows.columns(), model.columns));
  }
  require_values(rows, model.options.missing, job);
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

// The model's kept engines, for calls with few rows and for many rows that come in batches; null
// for the first many rows, which are encoded with engines of their own, one layer at a time, and
// when a memory limit has no room for the engines of all layers at once.
EngineCache* kept_engines(const ModelData& model, EngineCache& engines, std::size_t rows,
                          const RunOptions& run) {
  const bool fits = !run.memory_limit || EngineCache::bytes(model) <= *run.memory_limit / 2;
  return engines.are_worth_keeping(rows) && fits ? &engines : nullptr;
}

// What `encode_in_batches` hands over: the first row's number, the batch as the bottom layer sees
// it, and its codes.
using BatchBody = std::function<void(std::size_t first, RowsView prepared, CodeMatrix codes)>;

// Calls `body` with the codes of layer `layers` for one batch of rows after another.
void encode_in_batches(const ModelData& model, EngineCache* kept, RowsView rows, std::size_t layers,
                       const RunOptions& run, Job& job, const BatchBody& body) {
  std::size_t batch_rows = transform_batch_rows(rows.rows(), model.bottom.draws.clusterings,
                                                model.bottom.draws.centroids, run);
  // Sparse rows that must be made dense take at most this much memory at a time.
  constexpr std::size_t kDenseBytes = std::size_t{1} << 28;
  if (rows.is_sparse() && !model.preparation.sparse) {
    batch_rows =
        std::clamp<std::size_t>(kDenseBytes / (rows.columns() * sizeof(float)), 1, batch_rows);
  }
  const std::size_t batches = blocks(rows.rows(), batch_rows);
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(1, batches) * layers);
  for (std::size_t first = 0; first < rows.rows(); first += batch_rows) {
    const RowsView batch = rows.slice(first, std::min(batch_rows, rows.rows() - first));
    const auto announce = [&](std::size_t layer) {
      job.stage("encode", share, model.bottom.draws.clusterings, static_cast<std::uint32_t>(layer),
                static_cast<std::uint32_t>(layers));
    };
    announce(1);
    const Rows same_kind = as_worked_on(batch, model.preparation.sparse, model.options.metric);
    const Rows prepared = prepare_rows(model.preparation, same_kind, job);
    CodeMatrix codes = kept != nullptr ? kept->encode_bottom(prepared.view(), job)
                                       : encode_bottom(model.bottom, model.options.metric,
                                                       prepared.view(), 0, job);
    for (std::size_t l = 1; l < layers; ++l) {
      announce(l + 1);
      codes = kept != nullptr ? kept->encode_upper(l - 1, codes, job)
                              : encode_upper(model.upper[l - 1], codes, job);
    }
    body(first, prepared, std::move(codes));
  }
}

// Laying out rows anew takes memory for all of them at once.
void require_memory_for_map(std::uint64_t rows, const ModelData& model, unsigned threads,
                            const RunOptions& run) {
  const std::uint64_t columns = joint_columns(model.bottom.kept.columns(), model.bottom.is_sparse(),
                                              map_components(model.options), model.options.metric);
  const std::uint64_t codes = CodeMatrix::element_bytes(model.bottom.draws.centroids) *
                              model.bottom.draws.clusterings * rows;
  const std::uint64_t needed =
      codes + make_map_bytes(rows, columns, model.options.neighbours, threads);
  const std::uint64_t limit = usable_memory(run.memory_limit);
  if (needed <= limit) return;
  throw MemoryLimitExceeded(
      ErrorCode::memory,
      fmt::format("a map of {} rows laid out anew needs {}, but there are only {}; give fewer rows",
                  rows, readable_bytes(needed), readable_bytes(limit)),
      {.option = "memory_limit", .value = std::to_string(limit)});
}

// Copies the rows of a batch to where they belong among all.
void put_rows(const Matrix& part, std::size_t first, Matrix& all) {
  for (std::size_t i = 0; i < part.rows(); ++i) {
    std::copy_n(part.row<float>(i), all.columns(), all.mutable_row<float>(first + i));
  }
}

Matrix embed(const ModelData& model, EngineCache* kept, RowsView rows, std::size_t layers,
             const Projection& projection, const RunOptions& run, Job& job) {
  Matrix embedding(rows.rows(), projection.components);
  const auto keep = [&](std::size_t first, RowsView, const CodeMatrix& codes) {
    put_rows(project(projection, codes, job), first, embedding);
  };
  encode_in_batches(model, kept, rows, layers, run, job, keep);
  return embedding;
}

}  // namespace

struct Model::State {
  explicit State(std::shared_ptr<const ModelData> model)
      : owner(std::move(model)), data(*owner), engines(data) {}

  std::shared_ptr<const ModelData> owner;
  const ModelData& data;
  EngineCache engines;

  // Made when it is needed and then kept, as engines are, where a memory limit has room for it.
  std::shared_ptr<const Placer> placer(const RunOptions& run, Job& job) {
    {
      const std::lock_guard lock(placer_mutex);
      if (kept_placer) return kept_placer;
    }
    auto made = std::make_shared<const Placer>(data.map, data.bottom.kept, data.options.seed, job);
    if (run.memory_limit && made->bytes() > *run.memory_limit / 2) return made;
    const std::lock_guard lock(placer_mutex);
    if (!kept_placer) kept_placer = std::move(made);
    return kept_placer;
  }

 private:
  std::mutex placer_mutex;
  std::shared_ptr<const Placer> kept_placer;
};

namespace {

void require_map(const ModelData& data) {
  if (!data.map.empty()) return;
  throw InvalidArgument(ErrorCode::no_map,
                        {"the model has no map; fit it with ", option("map", "2")});
}

void require_clusters(const ModelData& data) {
  if (data.centres.rows() != 0) return;
  throw InvalidArgument(ErrorCode::no_clusters,
                        {"the model has no clusters; fit it with ", option("clusters")});
}

void require_votes(const ModelData& data) {
  if (data.votes.rows() != 0) return;
  throw InvalidArgument(ErrorCode::too_old,
                        "the model's file is older than probabilities; fit it again");
}

// Puts batches of encoded rows on the model's map.
class RowPlacer {
 public:
  RowPlacer(const ModelData& data, std::shared_ptr<const Placer> placer)
      : projection_(data.map.space.projection.components == 0 ? data.projection
                                                              : data.map.space.projection),
        placer_(std::move(placer)) {}

  void operator()(std::size_t first, RowsView prepared, const CodeMatrix& codes, Matrix& map,
                  Job& job) const {
    const Matrix components = project(projection_, codes, job);
    for (std::size_t done = 0; done < components.rows(); done += Placer::kBatchRows) {
      const std::size_t count = std::min(Placer::kBatchRows, components.rows() - done);
      put_rows(
          placer_->place(prepared.slice(done, count), components.view().slice(done, count), job),
          first + done, map);
    }
  }

 private:
  const Projection& projection_;
  std::shared_ptr<const Placer> placer_;
};

}  // namespace

Model ModelAccess::make(ModelData data) {
  return make(std::make_shared<const ModelData>(std::move(data)));
}

Model ModelAccess::make(std::shared_ptr<const ModelData> data) {
  return Model(std::make_shared<Model::State>(std::move(data)));
}

std::shared_ptr<const ModelData> ModelAccess::shared_data(const Model& model) {
  return model.state_->owner;
}

const ModelData& ModelAccess::data(const Model& model) {
  return model.state_->data;
}

const FitOptions& Model::options() const {
  return state_->data.options;
}

const Selection& Model::selection() const {
  return state_->data.selection;
}

std::uint64_t Model::training_rows() const {
  return state_->data.training_rows;
}

std::uint64_t Model::updated_rows() const {
  return state_->data.updated_rows;
}

std::uint64_t Model::columns() const {
  return state_->data.columns;
}

const std::vector<std::string>& Model::column_names() const {
  return state_->data.column_names;
}

const std::vector<double>& Model::column_means() const {
  return state_->data.column_means;
}

const TableCoding& Model::coding() const {
  return state_->data.coding;
}

std::uint32_t Model::components() const {
  return state_->data.projection.components;
}

std::vector<LayerInfo> Model::layers() const {
  std::vector<LayerInfo> infos;
  for (std::size_t l = 0; l < state_->data.layer_count(); ++l) {
    const Draws& draws = state_->data.draws(l);
    const std::uint64_t kept_rows =
        l == 0 ? state_->data.bottom.kept.rows() : state_->data.upper[l - 1].kept.rows();
    const std::uint64_t kept_bytes =
        l == 0 ? state_->data.bottom.kept.bytes() : state_->data.upper[l - 1].kept.bytes();
    infos.push_back({draws.centroids, draws.features, kept_rows, kept_bytes + draws.bytes()});
  }
  return infos;
}

EngineInfo Model::engine() const {
  const BottomSettings& settings = state_->data.bottom.settings;
  return {settings.kind == BottomKind::exact ? "exact" : "walk", settings.list_length,
          settings.recall, settings.excess};
}

DirectionInfo Model::directions() const {
  const Directions& directions = state_->data.preparation.directions;
  double along = 0;
  for (const double variance : directions.variance) along += variance;
  return {directions.count(),
          directions.total_variance > 0 ? along / directions.total_variance : 0};
}

std::vector<double> Model::explained_variance_ratio() const {
  const Projection& projection = state_->data.projection;
  std::vector<double> ratio = projection.variance;
  for (double& value : ratio) {
    value = projection.total_variance > 0 ? value / projection.total_variance : 0;
  }
  return ratio;
}

std::vector<double> Model::explained_variance() const {
  return state_->data.projection.variance;
}

MatrixView Model::cluster_centres() const {
  return state_->data.centres;
}

std::uint64_t Model::memory_bytes() const {
  const ModelData& data = state_->data;
  std::uint64_t sum = data.projection.bytes() + data.centres.shape().bytes() +
                      data.votes.shape().bytes() + data.preparation.bytes() + data.map.bytes();
  for (const LayerInfo& layer : layers()) sum += layer.bytes;
  return sum;
}

std::size_t Model::batch_rows(const RunOptions& run) const {
  const Draws& draws = state_->data.bottom.draws;
  return stream_batch_rows(2 * columns() * sizeof(float) +
                               2 * draws.clusterings * CodeMatrix::element_bytes(draws.centroids),
                           run);
}

Matrix Model::transform(RowsView rows, const RunOptions& run) const {
  return transform_layer(rows, 0, run);
}

CodeMatrix Model::codes(RowsView rows, std::uint32_t layer, const RunOptions& run) const {
  Job job(run);
  check_rows(state_->data, rows, job);
  const std::size_t layers = checked_layer(state_->data, layer);
  CodeMatrix all(rows.rows(), state_->data.bottom.draws.clusterings,
                 state_->data.draws(layers - 1).centroids);
  encode_in_batches(
      state_->data, kept_engines(state_->data, state_->engines, rows.rows(), run), rows, layers,
      run, job,
      [&](std::size_t first, RowsView, const CodeMatrix& batch) { all.copy_rows(first, batch); });
  return all;
}

Matrix Model::transform_layer(RowsView rows, std::uint32_t layer, const RunOptions& run) const {
  Job job(run);
  check_rows(state_->data, rows, job);
  const std::size_t layers = checked_layer(state_->data, layer);
  EngineCache* kept = kept_engines(state_->data, state_->engines, rows.rows(), run);
  if (layers == state_->data.layer_count()) {
    return embed(state_->data, kept, rows, layers, state_->data.projection, run, job);
  }
  // The kept rows of the next layer are codes of this one.
  const Projection projection =
      fit_projection(state_->data.upper[layers - 1].kept, state_->data.projection.components,
                     state_->data.options.solver, state_->data.options.seed, job);
  return embed(state_->data, kept, rows, layers, projection, run, job);
}

Matrix Model::map(RowsView rows, const RunOptions& run) const {
  return std::move(outputs(rows, {.map = true}, run).map);
}

RowOutputs Model::outputs(RowsView rows, const OutputChoice& choice, const RunOptions& run) const {
  const ModelData& data = state_->data;
  if (choice.map) require_map(data);
  if (choice.labels || choice.probabilities) require_clusters(data);
  if (choice.probabilities) require_votes(data);
  Job job(run);
  check_rows(data, rows, job);
  RowOutputs all;
  std::optional<RowPlacer> place_rows;
  if (choice.map) {
    place_rows.emplace(data, state_->placer(run, job));
    all.map = Matrix(rows.rows(), data.map.places.columns());
  }
  if (choice.embedding) all.embedding = Matrix(rows.rows(), data.projection.components);
  if (choice.probabilities) all.probabilities = Matrix(rows.rows(), data.centres.rows());
  const bool with_confidence = choice.labels && data.votes.rows() != 0;
  const RunOptions quiet = without_progress(run);
  const auto keep = [&](std::size_t first, RowsView prepared, const CodeMatrix& codes) {
    if (place_rows) (*place_rows)(first, prepared, codes, all.map, job);
    std::vector<std::int32_t> labels;
    if (choice.embedding || choice.labels) {
      const Matrix embedding = project(data.projection, codes, job);
      if (choice.embedding) put_rows(embedding, first, all.embedding);
      if (choice.labels) labels = nearest_centres(embedding, data.centres, quiet);
      all.labels.insert(all.labels.end(), labels.begin(), labels.end());
    }
    if (!with_confidence && !choice.probabilities) return;
    const Matrix probabilities = vote(data.votes, codes, job);
    if (choice.probabilities) put_rows(probabilities, first, all.probabilities);
    if (!with_confidence) return;
    const std::vector<float> confidence = confidence_of(probabilities, labels);
    all.confidence.insert(all.confidence.end(), confidence.begin(), confidence.end());
  };
  encode_in_batches(data, kept_engines(data, state_->engines, rows.rows(), run), rows,
                    data.layer_count(), run, job, keep);
  return all;
}

Matrix Model::map_layer(RowsView rows, std::uint32_t layer, const RunOptions& run) const {
  const ModelData& data = state_->data;
  const FitOptions& options = data.options;
  MapRequest request = map_request(options);
  if (request.dimensions == 0) request.dimensions = 2;
  if (rows.rows() == 0) return Matrix(0, request.dimensions);
  Job job(run);
  require_memory_for_map(rows.rows(), data, job.threads(), run);
  // The layout is the longer part, and the one that tells how far it is.
  const CodeMatrix codes = this->codes(rows, layer, without_progress(run));
  job.stage("map", 1, make_map_steps(rows.rows()));
  const Projection projection =
      fit_projection(codes, map_components(options), Solver::automatic, options.seed, job);
  const Rows same_kind = as_worked_on(rows, data.preparation.sparse, options.metric);
  const Rows prepared = prepare_rows(data.preparation, same_kind, job);
  return make_map(prepared, project(projection, codes, job), request, job).places;
}

std::vector<std::int32_t> Model::predict(RowsView rows, const RunOptions& run) const {
  require_clusters(state_->data);
  return nearest_centres(transform(rows, run), state_->data.centres, run);
}

Assignment Model::assign(RowsView rows, const RunOptions& run) const {
  RowOutputs all = outputs(rows, {.labels = true, .probabilities = true}, run);
  Assignment assignment;
  assignment.labels = std::move(all.labels);
  assignment.probabilities = std::move(all.probabilities);
  assignment.confidence = std::move(all.confidence);
  return assignment;
}

std::vector<float> Model::outlier_scores(RowsView rows, const RunOptions& run) const {
  Job job(run);
  check_rows(state_->data, rows, job);
  const Metric metric = state_->data.options.metric;
  job.stage("outliers", 1, rows.rows() + 1000);
  const double usual = usual_distance_to_kept(state_->data.bottom, metric, job);
  std::vector<float> scores;
  scores.reserve(rows.rows());
  constexpr std::size_t kBatch = 4096;
  for (std::size_t first = 0; first < rows.rows(); first += kBatch) {
    const RowsView batch = rows.slice(first, std::min(kBatch, rows.rows() - first));
    const Rows same_kind = as_worked_on(batch, state_->data.preparation.sparse, metric);
    const Rows prepared = prepare_rows(state_->data.preparation, same_kind, job);
    for (const double distance :
         distances_to_kept(state_->data.bottom, metric, prepared.view(), job)) {
      scores.push_back(static_cast<float>(distance / usual));
    }
  }
  return scores;
}

void Model::save(const std::filesystem::path& path, bool overwrite) const {
  write_model_file(path, state_->data, overwrite);
}

Model Model::load(const std::filesystem::path& path) {
  return ModelAccess::make(read_model_file(path));
}

std::vector<std::uint8_t> Model::to_bytes() const {
  return encode_model(state_->data);
}

Model Model::from_bytes(std::span<const std::uint8_t> bytes) {
  return ModelAccess::make(decode_model(bytes));
}

std::string Model::checksum() const {
  return model_checksum(state_->data);
}

}  // namespace mbn
