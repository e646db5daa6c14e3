// SPDX-License-Identifier: Apache-2.0
//
// From tensors to a model, bottom up. Each step knows from the one below it what it must find: kept
// rows have as many columns as the data, or as there are clusterings below; codes are less than the
// centroids below; the projection has a row per centroid of the top. A tensor is first compared
// with the expected type and shape, then read, then its numbers are checked. A tensor that no step
// asked for is an error. Codes and draws are packed from format version 2 on.
#include "store/model_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "map/joint_space.hpp"
#include "store/coding_json.hpp"
#include "store/drawn_columns_tensor.hpp"
#include "store/kind.hpp"
#include "store/model_check.hpp"
#include "store/options_json.hpp"
#include "store/packed_tensor.hpp"
#include "store/selection_json.hpp"

namespace mbn {

namespace {

constexpr std::uint64_t kMaxIndex = std::numeric_limits<std::uint32_t>::max();

class Reading {
 public:
  explicit Reading(const TensorReader& file)
      : file_(file), packed_(read_format_version(file) >= 2) {}

  ModelData model() {
    check_kind("model");
    ModelData model = network(1);
    const Draws& top = model.draws(model.layer_count() - 1);
    model.projection = projection("projection", top.clusterings, top.centroids);
    if (model.options.clusters.is_number()) {
      const std::uint32_t clusters = model.options.clusters.count();
      model.centres = matrix<float>("centres");
      if (model.centres.rows() != clusters ||
          model.centres.columns() != model.projection.components) {
        file_.fail(fmt::format(
            "tensor 'centres' has {} rows and {} columns, but the model has {} "
            "clusters and {} components",
            model.centres.rows(), model.centres.columns(), clusters, model.projection.components));
      }
    }
    // Files from before there were votes have none.
    if (model.options.clusters.is_number() && file_.find("votes") != nullptr)
      model.votes = votes(top, model);
    if (model.options.map != 0) model.map = map(model);
    check_all_used();
    return model;
  }

  Checkpoint checkpoint() {
    check_kind("checkpoint");
    Checkpoint checkpoint;
    checkpoint.data_hash = number("data_hash", 0, std::numeric_limits<std::uint64_t>::max());
    // Without layers it holds what was chosen, so that it is not chosen again.
    checkpoint.model = network(0);
    if (checkpoint.model.layer_count() == 0) {
      check_all_used();
      return checkpoint;
    }
    const Draws& newest = checkpoint.model.draws(checkpoint.model.layer_count() - 1);
    checkpoint.codes = codes("codes", newest);
    if (checkpoint.codes.rows() != checkpoint.model.training_rows) {
      file_.fail(fmt::format("tensor 'codes' has {} rows, but there are {} training rows",
                             checkpoint.codes.rows(), checkpoint.model.training_rows));
    }
    check_all_used();
    return checkpoint;
  }

 private:
  Matrix votes(const Draws& top, const ModelData& model) {
    Matrix votes = matrix<float>("votes");
    const std::uint64_t cells = std::uint64_t{top.clusterings} * top.centroids;
    if (votes.rows() != cells || votes.columns() != model.centres.rows()) {
      file_.fail(
          fmt::format("tensor 'votes' has {} rows and {} columns, but the model has {} codes "
                      "and {} clusters",
                      votes.rows(), votes.columns(), cells, model.centres.rows()));
    }
    check_votes(file_, votes);
    return votes;
  }

  bool has(std::string_view key) const { return file_.metadata().contains(key); }
  const std::string& text(std::string_view key) const { return read_text(file_, key); }

  std::uint64_t number(std::string_view key, std::uint64_t minimum, std::uint64_t maximum) const {
    return read_number(file_, key, minimum, maximum);
  }

  // A model and a checkpoint are easily taken for each other.
  void check_kind(std::string_view wanted) const {
    const std::string& kind = read_kind(file_);
    if (kind != wanted && kind == "checkpoint") {
      file_.fail(
          "a checkpoint of an unfinished fit, not a model; resume the fit and save its "
          "model",
          ErrorCode::wrong_kind);
    }
    if (kind != wanted && kind == "model") {
      file_.fail("a finished model, not a checkpoint that can be resumed", ErrorCode::wrong_kind);
    }
    mbn::check_kind(file_, wanted, fmt::format("a {}", wanted));
  }

  /// The tensor, seen to have this type and rank, and extents that indices can count.
  const TensorInfo& tensor(const std::string& name, TensorType type, std::size_t rank) {
    return use(find_tensor(file_, name, type, rank));
  }

  const TensorInfo& tensor(const std::string& name, std::size_t rank) {
    return use(find_tensor(file_, name, rank));
  }

  const TensorInfo& use(const TensorInfo& info) {
    for (const std::uint64_t extent : info.shape) {
      if (extent >= 1 && extent <= kMaxIndex) continue;
      file_.fail(fmt::format("tensor '{}' has the shape [{}]; it must have extents from 1 to {}",
                             info.name, fmt::join(info.shape, ", "), kMaxIndex));
    }
    used_.insert(info.name);
    return info;
  }

  void check_extent(const std::string& name, std::uint64_t extent, std::uint64_t wanted,
                    std::string_view what) const {
    if (extent == wanted) return;
    file_.fail(fmt::format("tensor '{}' has {} {}; it must have {}", name, extent, what, wanted));
  }

  /// Finite numbers, `count` of them.
  std::vector<double> doubles(const std::string& name, std::uint64_t count) {
    const TensorInfo& info = tensor(name, TensorType::f64, 1);
    check_extent(name, info.shape[0], count, "elements");
    std::vector<double> values(count);
    file_.read(info, values.data());
    check_finite(file_, name, values);
    return values;
  }

  /// With `partial`, cells may be missing (NaN).
  template <class T>
  Matrix matrix(const std::string& name, bool partial = false) {
    const TensorInfo& info = tensor(name, tensor_type_of<T>(), 2);
    Matrix values(info.shape[0], info.shape[1], element_type_of<T>());
    file_.read(info, values.mutable_row<T>(0));
    if constexpr (std::is_same_v<T, float>) {
      check_cells(file_, name, values, partial);
    }
    return values;
  }

  /// Codes that the layer with these draws made.
  CodeMatrix codes(const std::string& name, const Draws& below) {
    if (packed_) return packed_codes(name, below);
    const TensorInfo& info = tensor(name, 2);
    check_extent(name, info.shape[1], below.clusterings, "columns");
    const std::size_t bytes = CodeMatrix::element_bytes(below.centroids);
    if (info.type != (bytes == 1   ? TensorType::u8
                      : bytes == 2 ? TensorType::u16
                                   : TensorType::u32)) {
      file_.fail(fmt::format("tensor '{}' is {}; codes of {} centroids must be U{}", name,
                             type_name(info.type), below.centroids, 8 * bytes));
    }
    CodeMatrix values(info.shape[0], below.clusterings, below.centroids);
    values.visit([&](auto* cells) { file_.read(info, cells); });
    check_codes(file_, name, values);
    return values;
  }

  CodeMatrix packed_codes(const std::string& name, const Draws& below) {
    const TensorInfo& info = tensor(name, TensorType::u8, 2);
    check_packed(file_, info, below.clusterings, below.centroids);
    CodeMatrix values(info.shape[0], below.clusterings, below.centroids);
    const std::uint32_t highest = values.visit([&](auto* cells) -> std::uint32_t {
      return read_packed(file_, info, below.clusterings, below.centroids, cells);
    });
    // Looks for its place.
    if (highest >= below.centroids) check_codes(file_, name, values);
    return values;
  }

  std::vector<std::uint32_t> indices(const std::string& name, std::uint64_t clusterings) {
    const TensorInfo& info = tensor(name, TensorType::u32, 2);
    check_extent(name, info.shape[0], clusterings, "rows");
    std::vector<std::uint32_t> values(info.shape[0] * info.shape[1]);
    file_.read(info, values.data());
    return values;
  }

  Draws draws(const std::string& layer, std::uint32_t clusterings, std::uint64_t kept_rows,
              std::uint64_t input_columns) {
    Draws draws;
    draws.clusterings = clusterings;
    if (packed_) {
      read_packed_draws(layer, draws, kept_rows, input_columns);
    } else {
      draws.rows = indices(layer + ".rows", clusterings);
      draws.columns = indices(layer + ".columns", clusterings);
      draws.centroids = static_cast<std::uint32_t>(draws.rows.size() / clusterings);
      draws.features = static_cast<std::uint32_t>(draws.columns.size() / clusterings);
    }
    check_draws(file_, layer, draws, kept_rows, input_columns);
    return draws;
  }

  Preparation preparation(const ModelData& model) {
    Preparation preparation;
    preparation.scaler = scaler(model);
    preparation.weights = weights(model);
    if (file_.find("directions.basis") != nullptr) {
      preparation.sparse = number("sparse", 0, 1) == 1;
      preparation.directions =
          directions("directions", model.columns, compared_by(model.options.metric));
    } else {
      preparation.sparse = file_.find(layer_name(0) + ".pool.lengths") != nullptr;
    }
    if (model.options.metric == Metric::precomputed) {
      preparation.drawn = read_drawn_columns(file_, tensor(kDrawnColumns, 2), packed_, model);
    }
    preparation.partial = model.options.missing == MissingValues::partial;
    if (preparation.partial && preparation.sparse) file_.fail("sparse rows have no missing cells");
    return preparation;
  }

  Weights weights(const ModelData& model) {
    Weights weights;
    weights.weighting = model.options.weighting;
    if (has_frequencies(weights.weighting)) {
      weights.frequency = doubles("weights.frequency", model.columns);
    }
    if (weights.weighting == Weighting::cells) {
      weights.size = doubles("weights.size", 1).front();
      if (!(weights.size > 0)) file_.fail("tensor 'weights.size' must be above 0");
    }
    return weights;
  }

  Directions directions(const std::string& name, std::uint64_t columns, Metric metric) {
    Directions directions;
    directions.basis = matrix<float>(name + ".basis");
    check_extent(name + ".basis", directions.basis.rows(), columns, "rows");
    directions.variance = doubles(name + ".variance", directions.basis.columns());
    directions.total_variance = doubles(name + ".total_variance", 1).front();
    if (metric == Metric::cosine) return directions;
    directions.centre = numbers<float>(name + ".centre");
    check_extent(name + ".centre", directions.centre.size(), columns, "elements");
    check_finite(file_, name + ".centre", directions.centre);
    return directions;
  }

  MapData map(const ModelData& model) {
    MapData map;
    map.neighbours = model.options.neighbours;
    map.places = matrix<float>("map.places");
    check_extent("map.places", map.places.rows(), model.bottom.kept.rows(), "rows");
    check_extent("map.places", map.places.columns(), model.options.map, "columns");
    const Draws& top = model.draws(model.layer_count() - 1);
    std::uint64_t components = model.projection.components;
    if (file_.find("map.projection.loadings") != nullptr) {
      map.space.projection = projection("map.projection", top.clusterings, top.centroids);
      components = map.space.projection.components;
    }
    map.components = matrix<float>("map.components");
    check_extent("map.components", map.components.rows(), model.bottom.kept.rows(), "rows");
    check_extent("map.components", map.components.columns(), components, "columns");
    const std::vector<double> factors = doubles("map.factors", 2);
    map.space.input_factor = factors[0];
    map.space.network_factor = factors[1];
    map.space.input.sparse = model.bottom.is_sparse();
    set_metric(map.space, model.options.metric);
    if (file_.find("map.directions.basis") != nullptr) {
      map.space.input.directions = directions("map.directions", model.bottom.kept.columns(),
                                              map_compared_by(model.options.metric));
    }
    check_joint_space(file_, map.space);
    if (model.preparation.partial) {
      fill_missing_cells(model.bottom.kept.dense(), map.space.input);
    }
    return map;
  }

  void read_packed_draws(const std::string& layer, Draws& draws, std::uint64_t kept_rows,
                         std::uint64_t input_columns) {
    draws.centroids = static_cast<std::uint32_t>(number(layer + ".centroids", 1, kept_rows));
    draws.features = static_cast<std::uint32_t>(number(layer + ".features", 1, input_columns));
    const TensorInfo& rows = tensor(layer + ".rows", TensorType::u8, 2);
    check_extent(rows.name, rows.shape[0], draws.clusterings, "rows");
    check_packed(file_, rows, draws.centroids, kept_rows);
    draws.rows.resize(std::size_t{draws.clusterings} * draws.centroids);
    read_packed(file_, rows, draws.centroids, kept_rows, draws.rows.data());
    const TensorInfo& columns = tensor(layer + ".columns", TensorType::u8, 2);
    check_extent(columns.name, columns.shape[0], draws.clusterings, "rows");
    draws.columns = read_packed_sets(file_, columns, draws.features, input_columns);
  }

  Scaler scaler(const ModelData& model) {
    Scaler scaler;
    scaler.scale = model.options.scale;
    scaler.metric = model.options.metric;
    if (scaler.scale == Scale::none) return scaler;
    scaler.shift = doubles("scaler.shift", model.columns);
    scaler.factor = doubles("scaler.factor", model.columns);
    return scaler;
  }

  /// Everything up to the top layer: what models and checkpoints have in common.
  ModelData network(std::uint64_t least_layers) {
    ModelData model;
    model.options = options_from_json(text("options"), file_.name());
    check_options(file_, model.options);
    if (has("selection")) model.selection = selection_from_json(text("selection"), file_.name());
    model.training_rows = number("training_rows", 1, kMaxIndex);
    if (has("updated_rows")) model.updated_rows = number("updated_rows", 1, kMaxIndex);
    model.columns = number("columns", 1, kMaxIndex);
    read_columns(file_.metadata(), file_.name(), model);
    const std::uint64_t layers = number("layers", least_layers, kMaxIndex);
    if (layers == 0) return model;
    model.preparation = preparation(model);
    model.bottom = bottom(model);
    for (std::size_t index = 1; index < layers; ++index) {
      const Draws& below = model.draws(index - 1);
      const std::string name = layer_name(index);
      UpperLayer layer;
      layer.kept = codes(name + ".pool", below);
      check_kept_rows(name, layer.kept.rows(), model.training_rows);
      layer.draws = draws(name, *model.options.clusterings, layer.kept.rows(), below.clusterings);
      model.upper.push_back(std::move(layer));
    }
    return model;
  }

  BottomLayer bottom(const ModelData& model) {
    const std::string name = layer_name(0);
    const std::string pool = name + ".pool";
    const bool partial = model.preparation.partial;
    if (file_.find(pool + ".lengths") != nullptr && !partial) return sparse_bottom(model, name);
    const TensorInfo& info = tensor(pool, 2);
    const Directions& directions = model.preparation.directions;
    const std::uint64_t columns = model.preparation.columns_of(model.columns);
    check_extent(pool, info.shape[1], columns, "columns");
    check_kept_rows(name, info.shape[0], model.training_rows);
    // Preparing makes floats of any data.
    const bool bytes = info.type == TensorType::u8;
    if (bytes && !model.preparation.is_identity()) {
      file_.fail("tensor 'bottom.pool' is U8; with this preparation it must be F32");
    }
    BottomLayer bottom;
    bottom.kept =
        bytes ? matrix<std::uint8_t>(pool) : matrix<float>(pool, partial && directions.empty());
    bottom.draws = draws(name, *model.options.clusterings, bottom.kept.rows(), columns);
    bottom.settings = walk_settings(bottom.kept.dense());
    bottom.settings.partial = partial;
    return bottom;
  }

  /// The same with compressed rows, for which the engine is always exact.
  BottomLayer sparse_bottom(const ModelData& model, const std::string& name) {
    if (model.preparation.scaler.scale != Scale::none || !model.preparation.directions.empty()) {
      file_.fail("tensor 'bottom.pool.lengths' has no place in a model with a scale or directions");
    }
    BottomLayer bottom;
    bottom.kept = sparse_matrix(name + ".pool", model.columns);
    check_kept_rows(name, bottom.kept.rows(), model.training_rows);
    bottom.draws = draws(name, *model.options.clusterings, bottom.kept.rows(), model.columns);
    return bottom;
  }

  SparseMatrix sparse_matrix(const std::string& name, std::uint64_t columns) {
    const std::vector<std::uint32_t> lengths = numbers<std::uint32_t>(name + ".lengths");
    SparseMatrix matrix;
    matrix.columns = columns;
    matrix.starts.reserve(lengths.size() + 1);
    for (const std::uint32_t length : lengths) {
      matrix.starts.push_back(matrix.starts.back() + length);
    }
    if (matrix.starts.back() != 0) {
      matrix.indices = numbers<std::uint32_t>(name + ".indices");
      matrix.values = numbers<float>(name + ".values");
    }
    check_extent(name + ".indices", matrix.indices.size(), matrix.starts.back(), "elements");
    check_extent(name + ".values", matrix.values.size(), matrix.starts.back(), "elements");
    check_sparse(file_, name, matrix);
    return matrix;
  }

  /// All elements of a tensor with one extent.
  template <class T>
  std::vector<T> numbers(const std::string& name) {
    const TensorInfo& info = tensor(name, tensor_type_of<T>(), 1);
    std::vector<T> values(info.shape[0]);
    file_.read(info, values.data());
    return values;
  }

  /// A walk when its settings are there, exact search otherwise.
  BottomSettings walk_settings(const Matrix& pool) {
    const std::string name = "bottom.search";
    if (file_.find(name) == nullptr) return {};
    // Files from before the excess was measured have four numbers.
    const std::vector<double> values = doubles(name, tensor(name, 1).shape[0] == 4 ? 4 : 5);
    check_walk(file_, values, pool.rows());
    return {.kind = BottomKind::walk,
            .list_length = static_cast<std::uint32_t>(values[0]),
            .tau = values[1],
            .margin = values[2],
            .recall = values[3],
            .excess = values.size() > 4 ? values[4] : 0,
            .directions = ranking_directions(pool.columns())};
  }

  /// None when they are not there.
  RankingDirections ranking_directions(std::uint64_t columns) {
    const std::string name = "bottom.directions";
    if (file_.find(name) == nullptr) return {};
    const TensorInfo& info = tensor(name, TensorType::f32, 2);
    check_extent(name, info.shape[1], columns, "columns");
    std::vector<float> values(info.shape[0] * info.shape[1]);
    file_.read(info, values.data());
    return ranking_directions_from(file_, values, columns);
  }

  void check_kept_rows(const std::string& layer, std::uint64_t kept_rows,
                       std::uint64_t rows) const {
    if (kept_rows <= rows) return;
    file_.fail(fmt::format("tensor '{}.pool' has {} rows, but there were only {} training rows",
                           layer, kept_rows, rows));
  }

  Projection projection(const std::string& prefix, std::uint32_t clusterings,
                        std::uint32_t centroids) {
    const std::string name = prefix + ".loadings";
    const TensorInfo& info = tensor(name, TensorType::f32, 2);
    check_extent(name, info.shape[0], std::uint64_t{clusterings} * centroids, "rows");
    Projection projection;
    projection.clusterings = clusterings;
    projection.centroids = centroids;
    projection.components = static_cast<std::uint32_t>(info.shape[1]);
    projection.loadings.resize(info.shape[0] * info.shape[1]);
    file_.read(info, projection.loadings.data());
    check_finite(file_, name, projection.loadings);
    projection.offset = doubles(prefix + ".offset", projection.components);
    projection.variance = doubles(prefix + ".variance", projection.components);
    projection.total_variance = doubles(prefix + ".total_variance", 1).front();
    return projection;
  }

  void check_all_used() const {
    for (const TensorInfo& info : file_.tensors()) {
      if (used_.contains(info.name)) continue;
      file_.fail(fmt::format("the tensor {} has no place in this model", in_quotes(info.name)));
    }
  }

  const TensorReader& file_;
  bool packed_;
  std::set<std::string_view> used_;
};

}  // namespace

ModelData read_model(const TensorReader& file) {
  return Reading(file).model();
}

Checkpoint read_checkpoint(const TensorReader& file) {
  return Reading(file).checkpoint();
}

std::string layer_name(std::size_t index) {
  return index == 0 ? "bottom" : fmt::format("layer{}", index + 1);
}

}  // namespace mbn
