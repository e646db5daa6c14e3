// SPDX-License-Identifier: Apache-2.0
#include <mbn/model.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"

namespace mbn::python {

namespace {

template <class AnyRows>
nb::object transform(const Model& model, const AnyRows& rows, std::uint32_t layer,
                     const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(Watch(run)(
      [&](const RunOptions& options) { return model.transform_layer(view, layer, options); }));
}

template <class AnyRows>
nb::object map(const Model& model, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(Watch(run)([&](const RunOptions& options) { return model.map(view, options); }));
}

template <class AnyRows>
nb::object map_layer(const Model& model, const AnyRows& rows, std::uint32_t layer,
                     const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(
      Watch(run)([&](const RunOptions& options) { return model.map_layer(view, layer, options); }));
}

template <class AnyRows>
nb::object codes(const Model& model, const AnyRows& rows, std::uint32_t layer,
                 const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(
      Watch(run)([&](const RunOptions& options) { return model.codes(view, layer, options); }));
}

template <class AnyRows>
nb::object predict(const Model& model, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(
      Watch(run)([&](const RunOptions& options) { return model.predict(view, options); }));
}

template <class AnyRows>
nb::dict assign(const Model& model, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  Assignment assignment =
      Watch(run)([&](const RunOptions& options) { return model.assign(view, options); });
  nb::dict entry;
  entry["labels"] = to_numpy(std::move(assignment.labels));
  entry["probabilities"] = to_numpy(std::move(assignment.probabilities));
  entry["confidence"] = to_numpy(std::move(assignment.confidence));
  return entry;
}

template <class AnyRows>
nb::object outlier_scores(const Model& model, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(
      Watch(run)([&](const RunOptions& options) { return model.outlier_scores(view, options); }));
}

template <class AnyRows>
nb::dict tree(const Model& model, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  const Tree found =
      Watch(run)([&](const RunOptions& options) { return model.tree(view, options); });
  nb::list cuts;
  for (const TreeCut& cut : cuts_of(found.merges)) {
    cuts.append(nb::make_tuple(cut.clusters, cut.least_rows, cut.persistence));
  }
  std::vector<double> linkage;
  for (const Merge& merge : found.merges) {
    linkage.insert(linkage.end(),
                   {static_cast<double>(merge.first), static_cast<double>(merge.second),
                    merge.height, static_cast<double>(merge.rows)});
  }
  nb::dict entry;
  entry["rows"] = to_numpy(std::vector<std::int32_t>(found.rows.begin(), found.rows.end()));
  entry["linkage"] = to_numpy(std::move(linkage));
  entry["cuts"] = cuts;
  return entry;
}

/// `linkage` is what `tree` gave; a ValueError when it is no such matrix.
nb::object tree_labels(
    nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> linkage,
    std::uint32_t least_rows) {
  const std::size_t count = linkage.size() / 4;
  std::vector<Merge> merges;
  for (std::size_t i = 0; i < count; ++i) {
    const double* line = linkage.data() + 4 * i;
    const auto limit = static_cast<double>(count + 1 + i);
    if (!(line[0] >= 0 && line[0] < limit && line[1] >= 0 && line[1] < limit && line[3] >= 2 &&
          line[3] <= static_cast<double>(count + 1))) {
      throw nb::value_error("linkage is not a matrix of merges");
    }
    merges.push_back({static_cast<std::uint32_t>(line[0]), static_cast<std::uint32_t>(line[1]),
                      line[2], static_cast<std::uint32_t>(line[3])});
  }
  return to_numpy(labels_of(merges, least_rows));
}

nb::dict training_output(const Model& model, const nb::dict& run) {
  TrainingOutput output =
      Watch(run)([&](const RunOptions& options) { return model.training_output(options); });
  nb::dict entry;
  entry["embedding"] = to_numpy(std::move(output.embedding));
  entry["map"] = to_numpy(std::move(output.map));
  entry["labels"] = to_numpy(std::move(output.labels));
  entry["confidence"] = to_numpy(std::move(output.confidence));
  return entry;
}

void save(const Model& model, const std::filesystem::path& path, bool overwrite) {
  const nb::gil_scoped_release released;
  model.save(path, overwrite);
}

Model load(const std::filesystem::path& path) {
  const nb::gil_scoped_release released;
  return Model::load(path);
}

nb::bytes to_bytes(const Model& model) {
  std::vector<std::uint8_t> bytes;
  {
    const nb::gil_scoped_release released;
    bytes = model.to_bytes();
  }
  return nb::bytes(bytes.data(), bytes.size());
}

Model from_bytes(const nb::bytes& bytes) {
  const std::span all(static_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const nb::gil_scoped_release released;
  return Model::from_bytes(all);
}

nb::dict engine(const Model& model) {
  const EngineInfo info = model.engine();
  nb::dict entry;
  entry["name"] = info.name;
  entry["neighbours"] = info.neighbours;
  entry["recall"] = info.recall;
  entry["excess"] = info.excess;
  return entry;
}

nb::dict directions(const Model& model) {
  const DirectionInfo info = model.directions();
  nb::dict entry;
  entry["count"] = info.count;
  entry["variance"] = info.variance;
  return entry;
}

nb::object cluster_centres(const Model& model) {
  return to_numpy(Matrix::copy_of(model.cluster_centres()));
}

}  // namespace

void add_model(nb::module_& module) {
  using nb::arg;
  module.def("tree_labels", &tree_labels, arg("linkage"), arg("least_rows"));
  nb::class_<Model>(module, "Model", "A trained network. It never changes.")
      .def("transform", &transform<SparseRows>, arg("rows"), arg("layer"), arg("run"))
      .def("transform", &transform<Rows>, arg("rows"), arg("layer"), arg("run"))
      .def("map", &map<SparseRows>, arg("rows"), arg("run"))
      .def("map", &map<Rows>, arg("rows"), arg("run"))
      .def("map_layer", &map_layer<SparseRows>, arg("rows"), arg("layer"), arg("run"))
      .def("map_layer", &map_layer<Rows>, arg("rows"), arg("layer"), arg("run"))
      .def("codes", &codes<SparseRows>, arg("rows"), arg("layer"), arg("run"))
      .def("codes", &codes<Rows>, arg("rows"), arg("layer"), arg("run"))
      .def("predict", &predict<SparseRows>, arg("rows"), arg("run"))
      .def("predict", &predict<Rows>, arg("rows"), arg("run"))
      .def("assign", &assign<SparseRows>, arg("rows"), arg("run"))
      .def("assign", &assign<Rows>, arg("rows"), arg("run"))
      .def("outlier_scores", &outlier_scores<SparseRows>, arg("rows"), arg("run"))
      .def("outlier_scores", &outlier_scores<Rows>, arg("rows"), arg("run"))
      .def("tree", &tree<SparseRows>, arg("rows"), arg("run"))
      .def("tree", &tree<Rows>, arg("rows"), arg("run"))
      .def("training_output", &training_output, arg("run"))
      .def_prop_ro("holds_training_rows", &Model::holds_training_rows)
      .def_prop_ro("updated_rows", &Model::updated_rows)
      .def("save", &save, arg("path"), arg("overwrite"))
      .def_static("load", &load, arg("path"))
      .def("to_bytes", &to_bytes)
      .def_static("from_bytes", &from_bytes, arg("data"))
      .def_prop_ro("options", [](const Model& model) { return to_dict(model.options()); })
      .def_prop_ro("training_rows", &Model::training_rows)
      .def_prop_ro("columns", &Model::columns)
      .def_prop_ro("column_names", &Model::column_names)
      .def_prop_ro("column_means", &Model::column_means)
      .def_prop_ro("coding", &Model::coding)
      .def_prop_ro("components", &Model::components)
      .def_prop_ro("layers", [](const Model& model) { return to_list(model.layers()); })
      .def_prop_ro("engine", &engine)
      .def_prop_ro("directions", &directions)
      .def_prop_ro("selection", [](const Model& model) { return to_json(model.selection()); })
      .def_prop_ro("explained_variance",
                   [](const Model& model) { return to_numpy(model.explained_variance()); })
      .def_prop_ro("explained_variance_ratio",
                   [](const Model& model) { return to_numpy(model.explained_variance_ratio()); })
      .def_prop_ro("cluster_centres", &cluster_centres)
      .def_prop_ro("nbytes", &Model::memory_bytes)
      .def_prop_ro("checksum", &Model::checksum)
      // It never changes, so a copy is itself.
      .def("__copy__", [](nb::object self) { return self; })
      .def("__deepcopy__", [](nb::object self, const nb::handle& /*memo*/) { return self; });
}

}  // namespace mbn::python
