// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "batches.hpp"
#include "our_files.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

// A student is small, and so is what it makes of a row.
constexpr std::size_t kStudentBatchRows = 1 << 16;

struct TransformArguments {
  std::string model;
  DataArguments data;
  BatchArguments batches;
  TextArguments texts;
  PlotArguments plot;
  std::string output = "-";
  std::uint32_t layer = 0;
  bool codes = false;
  bool map = false;
};

void deliver_map(Session& session, const TransformArguments& arguments, const Table& table,
                 const Matrix& map, std::vector<std::string> names,
                 std::vector<std::string> axis_names) {
  session.report()["components"] = map.columns();
  std::vector<float> values = arguments.plot.read_values(table, arguments.data);
  if (arguments.output != "-" || !session.json) {
    write_matrix(arguments.output, map, named_rows(session, table, std::move(names)));
  }
  arguments.plot.write(session, map,
                       {table.labels.value_or(Labels{}), std::move(values), std::move(axis_names),
                        fmt::format("{} rows through {}", table.data().rows(), arguments.model)},
                       arguments.data);
}

// Whether rows can go through one batch after the other: a picture, and a layer's own components
// and map, need all of them.
bool in_batches(const TransformArguments& arguments, bool layer_needs_all) {
  const bool streams =
      arguments.plot.path.empty() && !layer_needs_all && arguments.data.is_streamable();
  require_batches(arguments.batches, streams);
  return streams;
}

// What each batch gives goes to the output as it comes.
template <class Trained, class Transform>
void transform_in_batches(Session& session, const TransformArguments& arguments,
                          const Trained& trained, std::size_t batch_rows,
                          const std::string& identity, std::vector<std::string> names,
                          const Transform& transform) {
  session.start(interrupted);
  const RunOptions run = session.quiet_run();
  KnownRows rows = arguments.data.stream_for(trained);
  Batches batches(session, arguments.batches, arguments.data, identity);
  const auto place = batches.add({"", arguments.output, std::move(names)});
  session.report()["rows"] =
      batches.run(rows, batch_rows, [&](const Table& batch, std::vector<TableWriter>& writers) {
        const auto outputs = transform(batch.data(), run);
        if (place) writers[*place].add(outputs, batch.ids);
      });
  batches.commit();
}

void stream_through_model(Session& session, const TransformArguments& arguments,
                          const Model& model) {
  const std::size_t batch_rows = model.batch_rows(session.run);
  const std::string identity = model.checksum();
  const auto report = [&](const char* name, std::size_t columns) {
    session.report()[name] = columns;
    return columns;
  };
  if (arguments.codes) {
    const std::uint32_t layer = arguments.layer;
    const std::size_t columns = report("clusterings", *model.options().clusterings);
    transform_in_batches(
        session, arguments, model, batch_rows, fmt::format("{} codes {}", identity, layer),
        numbered("clustering", columns),
        [&](RowsView rows, const RunOptions& run) { return model.codes(rows, layer, run); });
  } else if (arguments.map) {
    const std::size_t columns = report("components", model.options().map);
    transform_in_batches(
        session, arguments, model, batch_rows, identity + " map", numbered("map", columns),
        [&](RowsView rows, const RunOptions& run) { return model.map(rows, run); });
  } else {
    const std::size_t columns = report("components", model.components());
    transform_in_batches(
        session, arguments, model, batch_rows, identity, component_names(columns),
        [&](RowsView rows, const RunOptions& run) { return model.transform(rows, run); });
  }
}

void transform_with_model(Session& session, const TransformArguments& arguments) {
  const Model model = Model::load(arguments.model);
  if (in_batches(arguments, arguments.layer != 0 && !arguments.codes)) {
    return stream_through_model(session, arguments, model);
  }
  const Table table = arguments.data.read_for(session, model);
  const RunOptions& run_options = session.start(interrupted);
  session.report()["rows"] = table.data().rows();
  if (arguments.codes) {
    const CodeMatrix codes = model.codes(table.data(), arguments.layer, run_options);
    session.report()["clusterings"] = codes.clusterings();
    if (arguments.output != "-" || !session.json) {
      write_codes(arguments.output, codes,
                  named_rows(session, table, numbered("clustering", codes.clusterings())));
    }
  } else if (arguments.map) {
    const Matrix map = arguments.layer == 0
                           ? model.map(table.data(), run_options)
                           : model.map_layer(table.data(), arguments.layer, run_options);
    deliver_map(session, arguments, table, map, numbered("map", map.columns()), {});
  } else {
    const Matrix embedding = model.transform_layer(table.data(), arguments.layer, run_options);
    // Shares of the variance are known at the top only.
    deliver_map(session, arguments, table, embedding, component_names(embedding.columns()),
                arguments.layer == 0 ? component_axes(model) : component_axes(embedding.columns()));
  }
}

void transform_with_student(Session& session, const TransformArguments& arguments) {
  const Student student = Student::load(arguments.model);
  if (in_batches(arguments, false)) {
    const bool clusters = student.info().options.target == Target::clusters;
    const std::size_t columns = student.info().sizes.back();
    session.report()["components"] = columns;
    return transform_in_batches(
        session, arguments, student, kStudentBatchRows, identity_of(arguments.model),
        numbered(clusters ? "cluster" : "component", columns),
        [&](RowsView rows, const RunOptions& run) { return student.transform(rows, run); });
  }
  const Table table = arguments.data.read_for(session, student);
  const Matrix outputs = student.transform(table.data(), session.start(interrupted));
  session.report()["rows"] = table.data().rows();
  const bool clusters = student.info().options.target == Target::clusters;
  deliver_map(session, arguments, table, outputs,
              numbered(clusters ? "cluster" : "component", outputs.columns()),
              numbered(clusters ? "cluster " : "component ", outputs.columns()));
}

void transform_with_lsa(Session& session, const TransformArguments& arguments) {
  const Lsa lsa = Lsa::load(arguments.model);
  const Table table = arguments.data.read_for(session, lsa.columns(), {});
  const Matrix embedding = lsa.transform(table.data(), session.start(interrupted));
  session.report()["rows"] = table.data().rows();
  deliver_map(session, arguments, table, embedding, component_names(embedding.columns()),
              component_axes(embedding.columns()));
}

void transform_with_index(Session& session, const TransformArguments& arguments) {
  const Index index = Index::load(arguments.model);
  const RunOptions& run = session.start(interrupted);
  const Table table = arguments.texts.read_for(session, index, arguments.data);
  const Matrix embedding = index.embed(table.data(), run);
  session.report()["rows"] = table.data().rows();
  deliver_map(session, arguments, table, embedding, component_names(embedding.columns()),
              component_axes(embedding.columns()));
}

void transform_with(FileKind kind, Session& session, const TransformArguments& arguments) {
  switch (kind) {
    case FileKind::model:
      return transform_with_model(session, arguments);
    case FileKind::student:
      return transform_with_student(session, arguments);
    case FileKind::lsa:
      return transform_with_lsa(session, arguments);
    case FileKind::index:
      return transform_with_index(session, arguments);
    default:
      refuse_kind(arguments.model, kind, "embed rows");
  }
}

void run_transform(Session& session, const TransformArguments& arguments) {
  if (arguments.codes && !arguments.plot.path.empty()) {
    throw InvalidArgument("--codes has no map to draw; leave out --plot or --codes");
  }
  session.check_table_output(arguments.output);
  arguments.plot.check(session);
  if (arguments.map && arguments.codes) {
    throw InvalidArgument("--map and --codes are two things; leave out one of them");
  }
  const FileKind kind = kind_to_load(session, arguments.model);
  arguments.texts.check(arguments.model, kind);
  if (kind != FileKind::model && (arguments.codes || arguments.map || arguments.layer != 0)) {
    throw InvalidArgument(
        fmt::format("{} is {}, which has no map, no codes and no layers; leave out --map, --codes "
                    "and --layer, or give a model",
                    arguments.model, describe(kind)));
  }
  transform_with(kind, session, arguments);
  if (arguments.output == "-") return;
  session.report()["output"] = arguments.output;
  session.say(fmt::format("wrote {}: {} rows, {:.2f} s", arguments.output,
                          session.report()["rows"].get<std::uint64_t>(), session.seconds()));
}

}  // namespace

void add_transform(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("transform", "Embed any rows with any trained file");
  const auto arguments = std::make_shared<TransformArguments>();
  verb.add_option("MODEL", arguments->model,
                  "A model, a student of it (.onnx), what 'mbn lsa --model' kept, or an index")
      ->required();
  arguments->data.declare(verb);
  arguments->batches.declare(verb);
  arguments->texts.declare(verb);
  verb.add_option("-o,--output", arguments->output,
                  "Embedding to write: .npy, .csv, .tsv; - is CSV")
      ->capture_default_str();
  verb.add_option("--layer", arguments->layer,
                  "The embedding after this layer instead of the top; 1 is the bottom");
  verb.add_flag(
      "--map", arguments->map,
      "Write places on the model's map instead; with --layer, on a map of these rows after it");
  verb.add_flag("--codes", arguments->codes, "Write the layer's codes instead of an embedding");
  arguments->plot.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_transform(session, *arguments); };
  });
}

}  // namespace mbn::tool
