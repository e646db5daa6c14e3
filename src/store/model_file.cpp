// SPDX-License-Identifier: Apache-2.0
//
// A model file is a safetensors file: the network's numbers are tensors, everything else is text in
// the metadata. docs/model-format.md lists both. Empty tensors (the scaler of unscaled data, the
// centres of a model without clusters) are left out.
//
// Writing only points at the model's own memory. Reading is in model_reader.cpp.
#include "store/model_file.hpp"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "store/kind.hpp"
#include "store/model_reader.hpp"
#include "store/options_json.hpp"
#include "store/selection_json.hpp"
#include "store/tensor_file.hpp"

namespace mbn {

namespace {

class Writing {
 public:
  Metadata metadata;
  std::vector<TensorSource> tensors;

  void add_network(const ModelData& model, std::string kind) {
    metadata = common_metadata(std::move(kind));
    metadata["options"] = options_to_json(model.options);
    if (!model.selection.empty()) metadata["selection"] = to_json(model.selection);
    metadata["training_rows"] = std::to_string(model.training_rows);
    metadata["columns"] = std::to_string(model.columns);
    metadata["layers"] = std::to_string(model.layer_count());
    if (model.layer_count() == 0) return;
    add_vector("scaler.shift", model.scaler.shift);
    add_vector("scaler.factor", model.scaler.factor);
    if (model.bottom.is_sparse()) {
      add_sparse(layer_name(0) + ".pool", model.bottom.kept.sparse());
    } else {
      add_matrix(layer_name(0) + ".pool", model.bottom.kept.dense());
    }
    add_draws(layer_name(0), model.bottom.draws);
    add_walk_settings(model.bottom.settings);
    for (std::size_t index = 1; index < model.layer_count(); ++index) {
      add_codes(layer_name(index) + ".pool", model.upper[index - 1].kept);
      add_draws(layer_name(index), model.upper[index - 1].draws);
    }
  }

  void add_projection(const Projection& projection) {
    add("projection.loadings", projection.loadings.data(),
        {std::uint64_t{projection.clusterings} * projection.centroids, projection.components});
    add_vector("projection.offset", projection.offset);
    add_vector("projection.variance", projection.variance);
    add("projection.total_variance", &projection.total_variance, {1});
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
    codes.visit([&](const auto* cells) { add(name, cells, {codes.rows(), codes.clusterings()}); });
  }

 private:
  // Exact search has no settings.
  void add_walk_settings(const BottomSettings& settings) {
    if (settings.kind == BottomKind::exact) return;
    search_ = {static_cast<double>(settings.list_length), settings.tau, settings.margin,
               settings.recall};
    add_vector("bottom.search", search_);
    const Directions& directions = settings.directions;
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

  void add_draws(const std::string& layer, const Draws& draws) {
    add(layer + ".rows", draws.rows.data(), {draws.clusterings, draws.centroids});
    add(layer + ".columns", draws.columns.data(), {draws.clusterings, draws.features});
  }

  // These must live until the tensors are written.
  std::deque<Matrix> copies_;
  std::vector<std::uint32_t> lengths_;
  std::vector<double> search_;
  std::vector<float> directions_;
};

void add_model(Writing& writing, const ModelData& model) {
  writing.add_network(model, "model");
  writing.add_projection(model.projection);
  writing.add_matrix("centres", model.centres);
  writing.add_matrix("votes", model.votes);
}

}  // namespace

void write_model_file(const std::filesystem::path& path, const ModelData& model, bool overwrite) {
  Writing writing;
  add_model(writing, model);
  write_tensor_file(path, std::move(writing.metadata), std::move(writing.tensors), overwrite);
}

ModelData read_model_file(const std::filesystem::path& path) {
  return read_model(TensorReader(path));
}

std::vector<std::uint8_t> encode_model(const ModelData& model) {
  Writing writing;
  add_model(writing, model);
  return encode_tensors(std::move(writing.metadata), std::move(writing.tensors));
}

std::string model_checksum(const ModelData& model) {
  Writing writing;
  add_model(writing, model);
  return tensors_checksum(std::move(writing.metadata), std::move(writing.tensors));
}

ModelData decode_model(std::span<const std::uint8_t> bytes) {
  return read_model(TensorReader(bytes, "model bytes"));
}

void write_checkpoint_file(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  Writing writing;
  writing.add_network(checkpoint.model, "checkpoint");
  writing.metadata["data_hash"] = std::to_string(checkpoint.data_hash);
  if (checkpoint.model.layer_count() != 0) writing.add_codes("codes", checkpoint.codes);
  write_tensor_file(path, std::move(writing.metadata), std::move(writing.tensors), true);
}

Checkpoint read_checkpoint_file(const std::filesystem::path& path) {
  return read_checkpoint(TensorReader(path));
}

}  // namespace mbn
