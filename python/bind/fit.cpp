// SPDX-License-Identifier: Apache-2.0
#include <mbn/choose.hpp>
#include <mbn/fit.hpp>
#include <mbn/pool.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace mbn::python {

namespace {

nb::dict to_dict(FitResult result) {
  nb::list notes;
  nb::list advice;  // what a person may want to act on, also a number of clusters that was found
  const bool counted = result.model.selection().clusters != 0;
  for (const Note& note : result.notes) {
    notes.append(in_python_words(note.message));
    if (counted || note.code != NoteCode::options_chosen)
      advice.append(in_python_words(note.message));
  }
  nb::dict entry;
  entry["embedding"] = to_numpy(std::move(result.embedding));
  entry["map"] = to_numpy(std::move(result.map));
  entry["labels"] = to_numpy(std::move(result.labels));
  entry["confidence"] = to_numpy(std::move(result.confidence));
  entry["layer_seconds"] = result.layer_seconds;
  entry["projection_seconds"] = result.projection_seconds;
  entry["clustering_seconds"] = result.clustering_seconds;
  entry["map_seconds"] = result.map_seconds;
  entry["notes"] = notes;
  entry["advice"] = advice;
  entry["model"] = nb::cast(std::move(result.model));
  return entry;
}

template <class AnyRows>
nb::dict fit(const AnyRows& rows, const nb::dict& options, const std::string& checkpoint,
             const std::vector<std::string>& names, const std::vector<double>& means,
             const TableCoding& coding, const nb::dict& run) {
  const RowsView view = view_of(rows);
  FitOptions wanted = fit_options(options);
  wanted.blocks = blocks_of(coding);
  return to_dict(Watch(run)([&](const RunOptions& how) {
    return fit_transform(view, wanted, how, checkpoint, {names, means, coding});
  }));
}

template <class AnyRows>
nb::dict update_model(const Model& model, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_dict(Watch(run)([&](const RunOptions& how) { return update(model, view, how); }));
}

nb::dict with_other_clusters(const Model& model, std::uint32_t clusters, const nb::dict& run) {
  return to_dict(
      Watch(run)([&](const RunOptions& how) { return with_clusters(model, clusters, how); }));
}

/// The selection as JSON, with the library's words.
template <class AnyRows>
std::string choose_options(const AnyRows& rows, const nb::dict& options, const TableCoding& coding,
                           const nb::dict& run) {
  const RowsView view = view_of(rows);
  FitOptions wanted = fit_options(options);
  wanted.blocks = blocks_of(coding);
  return to_json(Watch(run)([&](const RunOptions& how) { return choose(view, wanted, how); }));
}

nb::dict to_dict(const Plan& result) {
  nb::dict entry;
  entry["layers"] = to_list(result.layers);
  entry["components"] = result.components;
  entry["clusterings"] = result.clusterings;
  entry["directions"] = result.directions;
  entry["model_bytes"] = result.model_bytes;
  entry["file_bytes"] = result.file_bytes;
  entry["peak_bytes"] = result.peak_bytes;
  entry["streaming_bytes"] = result.streaming_bytes;
  entry["batch_rows"] = result.batch_rows;
  entry["fit_seconds"] = result.fit_seconds;
  return entry;
}

nb::dict plan_sparse(const SparseRows& rows, const nb::dict& options, const nb::dict& run) {
  return to_dict(plan(RowsView(rows.view()), fit_options(options), run_options(run)));
}

nb::dict describe_plan(std::size_t rows, std::size_t columns, bool bytes, const nb::dict& options,
                       const nb::dict& run) {
  const Shape shape{rows, columns, bytes ? ElementType::uint8 : ElementType::float32};
  return to_dict(plan(shape, fit_options(options), run_options(run)));
}

}  // namespace

void add_fit(nb::module_& module) {
  using nb::arg;
  module.def("available_memory", &available_memory);
  module.def(
      "pool_rows",
      [](std::uint64_t rows, const nb::dict& options) {
        const FitOptions wanted = fit_options(options);
        validate(wanted);
        return pool_rows(rows, wanted);
      },
      arg("rows"), arg("options"));
  nb::class_<SparseRows>(module, "SparseRows")
      .def(nb::init<SparseRows::Array<std::uint64_t>, SparseRows::Array<std::uint32_t>,
                    SparseRows::Array<float>, std::size_t>(),
           arg("starts"), arg("indices"), arg("values"), arg("columns"))
      .def_prop_ro("shape", [](const SparseRows& rows) {
        return nb::make_tuple(rows.view().rows(), rows.view().columns());
      });
  module.def("fit", &fit<SparseRows>, arg("rows"), arg("options"), arg("checkpoint"), arg("names"),
             arg("means"), arg("coding"), arg("run"));
  module.def("fit", &fit<Rows>, arg("rows"), arg("options"), arg("checkpoint"), arg("names"),
             arg("means"), arg("coding"), arg("run"));
  module.def("choose", &choose_options<SparseRows>, arg("rows"), arg("options"), arg("coding"),
             arg("run"));
  module.def("choose", &choose_options<Rows>, arg("rows"), arg("options"), arg("coding"),
             arg("run"));
  module.def("update", &update_model<SparseRows>, arg("model"), arg("rows"), arg("run"));
  module.def("update", &update_model<Rows>, arg("model"), arg("rows"), arg("run"));
  module.def("with_clusters", &with_other_clusters, arg("model"), arg("clusters"), arg("run"));
  module.def("plan", &plan_sparse, arg("rows"), arg("options"), arg("run"));
  module.def("plan", &describe_plan, arg("rows"), arg("columns"), arg("bytes"), arg("options"),
             arg("run"));
}

}  // namespace mbn::python
