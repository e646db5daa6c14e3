// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "arguments.hpp"
#include "option_fields.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct PlanArguments {
  DataArguments data;
  FitOptions options;
  const CLI::App* verb = nullptr;
};

/// Missing cells are counted and not refused: nothing is trained.
Table read_as_it_is(Session& session, const DataArguments& data) {
  DataArguments lenient = data;
  if (lenient.options.missing != Missing::drop) lenient.options.missing = Missing::keep;
  return lenient.read(session);
}

std::string what_happens(const ColumnProfile& column, Missing missing) {
  std::string text;
  switch (column.kind) {
    case ColumnKind::number:
      text = "taken as it is";
      break;
    case ColumnKind::boolean:
      text = "0 or 1";
      break;
    case ColumnKind::category:
      text = fmt::format("one column for each of {} levels", column.levels);
      break;
    case ColumnKind::log:
      text = "ln(1+x)";
      break;
    case ColumnKind::text:
      if (column.columns > 0) {
        return fmt::format("{} columns from {} words", column.columns, column.levels);
      }
      text = "left out; --types NAME=text takes its words, NAME=category all of it";
      break;
    case ColumnKind::drop:
      text = "left out";
      break;
    default:
      text = "days since 1970";
  }
  if (column.heavy_tailed) text += "; heavy-tailed, --types NAME=log takes logarithms";
  if (column.missing.value_or(0) == 0) return text;
  if (missing == Missing::refuse) return text + "; missing: refused, see --missing";
  if (missing == Missing::drop) return text + "; missing: its rows are left out";
  if (column.kind == ColumnKind::category) return text + "; missing: no level";
  return text + (missing == Missing::partial ? "; missing: compared on the other columns"
                                             : "; missing: the mean");
}

/// Pixels and genes are too many to be looked at one by one.
bool is_a_table(const Table& table) {
  constexpr std::size_t kMostColumns = 100;
  if (table.rows.is_sparse() || table.data().columns() == 0) return false;
  return !table.coding.empty() || (!table.columns.empty() && table.columns.size() <= kMostColumns);
}

void show_columns(Session& session, const Table& table, Missing missing) {
  if (!is_a_table(table)) return;
  Json list = Json::array();
  if (!session.json) fmt::print("{:24}  {:8}  {:>7}  what happens\n", "column", "kind", "missing");
  for (std::size_t number = 1; ColumnProfile column : profile_columns(table)) {
    if (column.name.empty()) column.name = std::to_string(number);
    ++number;
    const std::string happens = what_happens(column, missing);
    Json entry{{"name", column.name}, {"kind", name_of(column.kind)}, {"happens", happens}};
    if (column.missing) entry["missing"] = *column.missing;
    if (column.kind == ColumnKind::category) entry["levels"] = column.levels;
    if (column.heavy_tailed) entry["heavy_tailed"] = true;
    list.push_back(std::move(entry));
    if (session.json) continue;
    fmt::print("{:24}  {:8}  {:>7}  {}\n", column.name, name_of(column.kind),
               column.missing ? std::to_string(*column.missing) : "-", happens);
  }
  session.report()["table"] = std::move(list);
  if (!session.json) fmt::print("\n");
}

void run_plan(Session& session, const PlanArguments& arguments) {
  const Table table = read_as_it_is(session, arguments.data);
  const FitOptions options = options_for(session, *arguments.verb, arguments.options, table);
  show_columns(session, table, arguments.data.options.missing);
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
  report["streaming_bytes"] = result.streaming_bytes;
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
  if (!options.decay && options.clusters != Clusters::unknown) {
    fmt::print(
        "The fit chooses the decay. These are the layers of 0.5; memory and sizes are those of the "
        "deepest network that may be chosen.\n");
  }
  fmt::print(
      "{} component{}; model at most {:.1f} MB, its file {:.1f} MB; peak memory about {:.1f} MB; "
      "about {:.2g} s\n",
      result.components, result.components == 1 ? "" : "s",
      static_cast<double>(result.model_bytes) / 1e6, static_cast<double>(result.file_bytes) / 1e6,
      static_cast<double>(result.peak_bytes) / 1e6, result.fit_seconds);
  if (result.streaming_bytes == result.peak_bytes) return;
  fmt::print("rows outside the pool read in batches: about {:.1f} MB\n",
             static_cast<double>(result.streaming_bytes) / 1e6);
}

}  // namespace

void add_plan(CLI::App& app, Session& session) {
  CLI::App& verb =
      *app.add_subcommand("plan", "Tell layers, memory and time of a fit before paying for it");
  const auto arguments = std::make_shared<PlanArguments>();
  arguments->verb = &verb;
  arguments->data.declare(verb);
  add_fields(verb, arguments->options, "The network");
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_plan(session, *arguments); };
  });
}

}  // namespace mbn::tool
