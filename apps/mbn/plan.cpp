// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "arguments.hpp"
#include "option_fields.hpp"
#include "training.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct PlanArguments {
  DataArguments data;
  FitOptions options;
};

void run_plan(Session& session, const PlanArguments& arguments, const CLI::App& verb) {
  const Table table = arguments.data.read(session);
  const FitOptions options = suited_to(session, table, arguments.options, verb);
  const Plan result = plan(table.data(), options, session.run);
  Json layers = Json::array();
  for (const LayerInfo& layer : result.layers) {
    layers.push_back({{"centroids", layer.centroids},
                      {"features", layer.features},
                      {"kept_rows", layer.kept_rows},
                      {"bytes", layer.bytes}});
  }
  Json& report = session.report();
  report["rows"] = table.data().rows();
  report["columns"] = table.data().columns();
  report["layers"] = layers;
  report["components"] = result.components;
  report["clusterings"] = result.clusterings;
  report["directions"] = result.directions;
  report["model_bytes"] = result.model_bytes;
  report["file_bytes"] = result.file_bytes;
  report["peak_bytes"] = result.peak_bytes;
  report["batch_rows"] = result.batch_rows;
  report["fit_seconds"] = result.fit_seconds;
  if (session.json) return;
  fmt::print("{} rows x {} columns{}, {} clusterings per layer\n", table.data().rows(),
             table.data().columns(),
             result.directions > 0 ? fmt::format(" (on {} directions)", result.directions) : "",
             result.clusterings);
  fmt::print("layer  rows drawn  features drawn  MB kept\n");
  for (std::size_t l = 0; l < result.layers.size(); ++l) {
    const LayerInfo& layer = result.layers[l];
    fmt::print("{:5}  {:10}  {:14}  {:7.1f}\n", l + 1, layer.centroids, layer.features,
               static_cast<double>(layer.bytes) / 1e6);
  }
  fmt::print(
      "{} component{}; model at most {:.1f} MB, its file {:.1f} MB; peak memory about {:.1f} MB; "
      "about {:.2g} s\n",
      result.components, result.components == 1 ? "" : "s",
      static_cast<double>(result.model_bytes) / 1e6, static_cast<double>(result.file_bytes) / 1e6,
      static_cast<double>(result.peak_bytes) / 1e6, result.fit_seconds);
}

}  // namespace

void add_plan(CLI::App& app, Session& session) {
  CLI::App& verb =
      *app.add_subcommand("plan", "Tell layers, memory and time of a fit before paying for it");
  const auto arguments = std::make_shared<PlanArguments>();
  arguments->data.declare(verb);
  add_fields(verb, arguments->options, "The network");
  add_common_options(verb, session);
  verb.callback([&session, arguments, &verb] {
    session.action = [&session, arguments, &verb] { run_plan(session, *arguments, verb); };
  });
}

}  // namespace mbn::tool
