// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <mbn/evaluate.hpp>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"

namespace mbn::python {

namespace {

nb::dict clusters(const Labels32& labels, const Labels32& truth) {
  const ClusterScores scores = score_clusters(span_of(labels), span_of(truth));
  nb::dict entry;
  entry["nmi"] = scores.nmi;
  entry["accuracy"] = scores.accuracy;
  entry["ari"] = scores.ari;
  entry["purity"] = scores.purity;
  return entry;
}

nb::dict neighbours(const Rows& data, const Rows& embedding, std::uint32_t count,
                    std::uint32_t sample, const std::string& metric, const nb::dict& run) {
  const MatrixView rows = view_of(data);
  const MatrixView map = view_of(embedding);
  const Metric of_data = choice<Metric>("metric", metric);
  const NeighbourScores scores = Watch(run)([&](const RunOptions& how) {
    return score_neighbours(rows, map, count, sample, how, of_data);
  });
  nb::dict entry;
  entry["trustworthiness"] = scores.trustworthiness;
  entry["continuity"] = scores.continuity;
  entry["neighbour_preservation"] = scores.neighbour_preservation;
  return entry;
}

nb::dict map_scores(const Rows& data, const Rows& embedding, const Labels32& labels,
                    std::uint32_t sample, const std::string& metric, const nb::dict& run) {
  const MatrixView rows = view_of(data);
  const MatrixView map = view_of(embedding);
  const MapScoreOptions options{
      .labels = span_of(labels), .sample = sample, .metric = choice<Metric>("metric", metric)};
  const MapScores scores =
      Watch(run)([&](const RunOptions& how) { return score_map(rows, map, options, how); });
  nb::dict entry;
  entry["random_triplets"] = scores.random_triplets;
  entry["centroid_triplets"] = scores.centroid_triplets;
  entry["nearest_neighbour"] = scores.nearest_neighbour;
  entry["kmeans_nmi"] = scores.kmeans_nmi;
  return entry;
}

nb::dict correlation(const Model& model, const Rows& rows, std::uint32_t layer,
                     std::uint32_t sample, const nb::dict& run) {
  const MatrixView view = view_of(rows);
  const LayerCorrelation found = Watch(run)(
      [&](const RunOptions& how) { return layer_correlation(model, view, layer, sample, how); });
  nb::dict entry;
  entry["correlation"] = found.correlation;
  entry["single_error"] = found.single_error;
  entry["ensemble_error"] = found.ensemble_error;
  entry["error_ratio"] = found.error_ratio;
  return entry;
}

}  // namespace

void add_evaluate(nb::module_& module) {
  using nb::arg;
  module.def("score_clusters", &clusters, arg("labels"), arg("truth"));
  module.def("score_neighbours", &neighbours, arg("data"), arg("embedding"), arg("neighbours"),
             arg("sample"), arg("metric"), arg("run"));
  module.def("score_map", &map_scores, arg("data"), arg("embedding"), arg("labels"), arg("sample"),
             arg("metric"), arg("run"));
  module.def("layer_correlation", &correlation, arg("model"), arg("rows"), arg("layer"),
             arg("sample"), arg("run"));
}

}  // namespace mbn::python
