// SPDX-License-Identifier: Apache-2.0
#include <mbn/cluster.hpp>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"

namespace mbn::python {

namespace {

nb::dict run_kmeans(const Rows& rows, std::uint32_t clusters, std::uint32_t restarts,
                    std::uint32_t max_iterations, std::uint64_t seed, const nb::dict& run) {
  const MatrixView view = view_of(rows);
  KMeans result = Watch(run)([&](const RunOptions& how) {
    return kmeans(view, {clusters, restarts, max_iterations, seed}, how);
  });
  nb::dict entry;
  entry["centres"] = to_numpy(std::move(result.centres));
  entry["labels"] = to_numpy(std::move(result.labels));
  entry["objective"] = result.objective;
  entry["iterations"] = result.iterations;
  return entry;
}

}  // namespace

void add_cluster(nb::module_& module) {
  using nb::arg;
  module.def("kmeans", &run_kmeans, arg("rows"), arg("clusters"), arg("restarts"),
             arg("max_iterations"), arg("seed"), arg("run"));
}

}  // namespace mbn::python
