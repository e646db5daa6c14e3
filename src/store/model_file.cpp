// SPDX-License-Identifier: Apache-2.0
//
// A model file is a safetensors file: the network's numbers are tensors, everything else is text in
// the metadata. docs/model-format.md lists both. Empty tensors (the scaler of unscaled data, the
// centres of a model without clusters) are left out.
//
// Writing only points at the model's own memory; codes and draws are packed while they are written.
// Reading is in model_reader.cpp.
#include "store/model_file.hpp"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "store/coding_json.hpp"
#include "store/drawn_columns_tensor.hpp"
#include "store/kind.hpp"
#include "store/model_reader.hpp"
#include "store/names_json.hpp"
#include "store/options_json.hpp"
#include "store/packed_tensor.hpp"
#include "store/selection_json.hpp"
#include "store/tensor_file.hpp"

namespace mbn {

namespace {

class Writing {
 public:
  explicit Writing(Packing packing) : packed_(packing == Packing::bits) {}

  Metadata metadata;
  std::vector<TensorSource> tensors;

  void add_network(const ModelData& model, std::string kind) {
    metadata = common_metadata(std::move(kind), packed_ ? 2 : 1);
    metadata["options"] = options_to_json(model.options);
    if (!model.selection.empty()) metadata["selection"] = to_json(model.selection);
    metadata["training_rows"] = std::to_string(model.training_rows);
    if (model.updated_rows != 0) metadata["updated_rows"] = std::to_string(model.updated_rows);
    metadata["columns"] = std::to_string(model.columns);
    if (!model.column_names.empty()) metadata["column_names"] = names_to_json(model.column_names);
    if (!model.column_means.empty()) metadata["column_means"] = means_to_json(model.column_means);
    if (!model.coding.empty()) metadata["column_kinds"] = coding_to_json(model.coding);
    metadata["layers"] = std::to_string(model.layer_count());
    if (model.layer_count() == 0) return;
    add_preparation(model.preparation, model.columns);
    if (model.bottom.is_sparse()) {
      add_sparse(layer_name(0) + ".pool", model.bottom.kept.sparse());
    } else {
      add_matrix(layer_name(0) + ".pool", model.bottom.kept.dense());
    }
    add_draws(layer_name(0), model.bottom.draws, model.bottom.kept.rows(),
              model.bottom.kept.columns());
    add_walk_settings(model.bottom.settings);
    for (std::size_t index = 1; index < model.layer_count(); ++index) {
      const UpperLayer& layer = model.upper[index - 1];
      add_codes(layer_name(index) + ".pool", layer.kept);
      add_draws(layer_name(index), layer.draws, layer.kept.rows(), layer.kept.clusterings());
    }
  }

  void add_projection(const std::string& name, const Projection& projection) {
    add(name + ".loadings", projection.loadings.data(),
        {std::uint64_t{projection.clusterings} * projection.centroids, projection.components});
    add_vector(name + ".offset", projection.offset);
    add_vector(name + ".variance", projection.variance);
    add(name + ".total_variance", &projection.total_variance, {1});
  }

  void add_map(const MapData& map) {
    if (map.empty()) return;
    add_matrix("map.places", map.places);
    add_matrix("map.components", map.components);
    factors_ = {map.space.input_factor, map.space.network_factor};
    add_vector("map.factors", factors_);
    add_directions("map.directions", map.space.input.directions);
    if (map.space.projection.components != 0)
      add_projection("map.projection", map.space.projection);
  }

  void add_matrix(const std::string& name, const Matrix& matrix) {
    if (matrix.rows() == 0) return;
    // A file has no room for a stride between rows.
    const bool packed = matrix.view().row_stride() == matrix.columns();
    const Matrix& source = packed ? matrix : copies_.emplace_back(Matrix::copy_of(matrix));
    source.view().visit([&](const auto* cells) {
      add(name, cells, {source.rows(), source.columns()});
    });
  }

  // Nonzeros per row, not starts of rows: the format has no integers of 64 bits.
  void add_sparse(const std::string& name, const SparseMatrix& matrix) {
    lengths_.clear();
    for (std::size_t i = 0; i < matrix.rows(); ++i) {
      lengths_.push_back(static_cast<std::uint32_t>(matrix.starts[i + 1] - matrix.starts[i]));
    }
    add(name + ".lengths", lengths_.data(), {lengths_.size()});
    if (matrix.indices.empty()) return;
    add(name + ".indices", matrix.indices.data(), {matrix.indices.size()});
    add(name + ".values", matrix.values.data(), {matrix.values.size()});
  }

  void add_codes(const std::string& name, const CodeMatrix& codes) {
    codes.visit([&](const auto* cells) {
      if (packed_) {
        tensors.push_back(
            packed_source(name, cells, codes.rows(), codes.clusterings(), codes.centroids()));
      } else {
        add(name, cells, {codes.rows(), codes.clusterings()});
      }
    });
  }

 private:
  void add_drawn(const DrawnColumns& drawn, std::uint64_t columns) {
    if (!packed_)
      return add(kDrawnColumns, drawn.columns.data(), {drawn.clusterings, drawn.centroids});
    metadata["distances.centroids"] = std::to_string(drawn.centroids);
    tensors.push_back(packed_source(kDrawnColumns, drawn.columns.data(), drawn.clusterings,
                                    drawn.centroids, columns));
  }

  void add_preparation(const Preparation& preparation, std::uint64_t columns) {
    add_vector("scaler.shift", preparation.scaler.shift);
    add_vector("scaler.factor", preparation.scaler.factor);
    add_vector("weights.frequency", preparation.weights.frequency);
    if (preparation.weights.size > 0) add("weights.size", &preparation.weights.size, {1});
    if (!preparation.drawn.empty()) add_drawn(preparation.drawn, columns);
    if (preparation.directions.empty()) return;
    metadata["sparse"] = preparation.sparse ? "1" : "0";
    add_directions("directions", preparation.directions);
  }

  void add_directions(const std::string& name, const Directions& directions) {
    if (directions.empty()) return;
    add_matrix(name + ".basis", directions.basis);
    if (!directions.centre.empty()) {
      add(name + ".centre", directions.centre.data(), {directions.centre.size()});
    }
    add_vector(name + ".variance", directions.variance);
    add(name + ".total_variance", &directions.total_variance, {1});
  }

  // Exact search has no settings.
  void add_walk_settings(const BottomSettings& settings) {
    if (settings.kind == BottomKind::exact) return;
    search_ = {static_cast<double>(settings.list_length), settings.tau, settings.margin,
               settings.recall, settings.excess};
    add_vector("bottom.search", search_);
    const RankingDirections& directions = settings.directions;
    if (directions.count == 0) return;
    // As floats, which hold 16 bits exactly: the format has no signed integers.
    directions_.assign(directions.centre.begin(), directions.centre.end());
    directions_.insert(directions_.end(), directions.cells.begin(), directions.cells.end());
    add("bottom.directions", directions_.data(),
        {1 + std::uint64_t{directions.count}, directions.centre.size()});
  }

  template <class T>
  void add(std::string name, const T* values, std::vector<std::uint64_t> shape) {
    tensors.push_back({std::move(name), tensor_type_of<T>(), std::move(shape), values});
  }

  void add_vector(const std::string& name, const std::vector<double>& values) {
    if (!values.empty()) add(name, values.data(), {values.size()});
  }

  void add_draws(const std::string& layer, const Draws& draws, std::uint64_t kept_rows,
                 std::uint64_t inputs) {
    if (packed_) return add_packed_draws(layer, draws, kept_rows, inputs);
    add(layer + ".rows", draws.rows.data(), {draws.clusterings, draws.centroids});
    add(layer + ".columns", draws.columns.data(), {draws.clusterings, draws.features});
  }

  // The shapes of packed tensors do not tell how many numbers there are.
  void add_packed_draws(const std::string& layer, const Draws& draws, std::uint64_t kept_rows,
                        std::uint64_t inputs) {
    metadata[layer + ".centroids"] = std::to_string(draws.centroids);
    metadata[layer + ".features"] = std::to_string(draws.features);
    tensors.push_back(packed_source(layer + ".rows", draws.rows.data(), draws.clusterings,
                                    draws.centroids, kept_rows));
    tensors.push_back(packed_sets_source(layer + ".columns", draws.columns.data(),
                                         draws.clusterings, draws.features, inputs));
  }

  bool packed_;
  // These must live until the tensors are written.
  std::deque<Matrix> copies_;
  std::vector<std::uint32_t> lengths_;
  std::vector<double> search_;
  std::vector<double> factors_;
  std::vector<float> directions_;
};

void add_model(Writing& writing, const ModelData& model) {
  writing.add_network(model, "model");
  writing.add_projection("projection", model.projection);
  writing.add_matrix("centres", model.centres);
  writing.add_matrix("votes", model.votes);
  writing.add_map(model.map);
}

}  // namespace

void write_model_file(const std::filesystem::path& path, const ModelData& model, bool overwrite) {
  Writing writing(Packing::bits);
  add_model(writing, model);
  write_tensor_file(path, std::move(writing.metadata), std::move(writing.tensors), overwrite);
}

ModelData read_model_file(const std::filesystem::path& path) {
  return read_model(TensorReader(path));
}

std::vector<std::uint8_t> encode_model(const ModelData& model, Packing packing) {
  Writing writing(packing);
  add_model(writing, model);
  return encode_tensors(std::move(writing.metadata), std::move(writing.tensors));
}

std::string model_checksum(const ModelData& model) {
  Writing writing(Packing::none);
  add_model(writing, model);
  return tensors_checksum(std::move(writing.metadata), std::move(writing.tensors));
}

ModelData decode_model(std::span<const std::uint8_t> bytes) {
  return read_model(TensorReader(bytes, "model bytes"));
}

void write_checkpoint_file(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  Writing writing(Packing::bits);
  writing.add_network(checkpoint.model, "checkpoint");
  writing.metadata["data_hash"] = std::to_string(checkpoint.data_hash);
  if (checkpoint.model.layer_count() != 0) writing.add_codes("codes", checkpoint.codes);
  write_tensor_file(path, std::move(writing.metadata), std::move(writing.tensors), true);
}

Checkpoint read_checkpoint_file(const std::filesystem::path& path) {
  return read_checkpoint(TensorReader(path));
}

}  // namespace mbn
