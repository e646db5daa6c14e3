// SPDX-License-Identifier: Apache-2.0
#include <mbn/fit.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace mbn::python {

namespace {

// With a checkpoint every finished layer is kept in that file, and a fit goes on from it when it is
// there. It has done its duty when the fit is done.
FitResult train(MatrixView rows, const FitOptions& options, const RunOptions& run,
                const std::filesystem::path& checkpoint) {
  if (checkpoint.empty()) return fit_transform(rows, options, run);
  Fitter fitter(rows, options, run);
  if (std::filesystem::exists(checkpoint)) fitter.resume(checkpoint);
  while (!fitter.done()) {
    fitter.add_layer();
    fitter.save_checkpoint(checkpoint);
  }
  FitResult result = fitter.finish();
  std::filesystem::remove(checkpoint);
  return result;
}

nb::dict fit(const Rows& rows, const nb::dict& options, const std::string& checkpoint,
             const nb::dict& run) {
  const MatrixView view = view_of(rows);
  const FitOptions wanted = fit_options(options);
  FitResult result =
      Watch(run)([&](const RunOptions& how) { return train(view, wanted, how, checkpoint); });
  nb::list notes;
  for (std::string& note : result.notes) notes.append(in_python_words(std::move(note)));
  nb::dict entry;
  entry["embedding"] = to_numpy(std::move(result.embedding));
  entry["labels"] = to_numpy(std::move(result.labels));
  entry["layer_seconds"] = result.layer_seconds;
  entry["projection_seconds"] = result.projection_seconds;
  entry["clustering_seconds"] = result.clustering_seconds;
  entry["notes"] = notes;
  entry["model"] = nb::cast(std::move(result.model));
  return entry;
}

nb::dict describe_plan(std::size_t rows, std::size_t columns, bool bytes, const nb::dict& options,
                       const nb::dict& run) {
  const Shape shape{rows, columns, bytes ? ElementType::uint8 : ElementType::float32};
  const Plan result = plan(shape, fit_options(options), run_options(run));
  nb::dict entry;
  entry["layers"] = to_list(result.layers);
  entry["components"] = result.components;
  entry["model_bytes"] = result.model_bytes;
  entry["peak_bytes"] = result.peak_bytes;
  entry["batch_rows"] = result.batch_rows;
  entry["fit_seconds"] = result.seconds;
  return entry;
}

}  // namespace

void add_fit(nb::module_& module) {
  using nb::arg;
  module.def("available_memory", &available_memory);
  module.def("fit", &fit, arg("rows"), arg("options"), arg("checkpoint"), arg("run"));
  module.def("plan", &describe_plan, arg("rows"), arg("columns"), arg("bytes"), arg("options"),
             arg("run"));
}

}  // namespace mbn::python
