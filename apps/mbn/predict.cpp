// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "batches.hpp"
#include "our_files.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct PredictArguments {
  std::string model;
  DataArguments data;
  BatchArguments batches;
  TextArguments texts;
  TruthArguments truth;
  std::string output = "-";
  RowNumbers numbers;
  AppendArguments append;
};

std::vector<std::int32_t> labels_of(const Model& model, Session& session,
                                    const PredictArguments& arguments, const Table& table) {
  const RowNumbers& numbers = arguments.numbers;
  const bool sure = !numbers.confidence.empty() || !numbers.probabilities.empty();
  Assignment assignment;
  if (!sure && !arguments.append.wanted()) {
    assignment.labels = model.predict(table.data(), session.start(interrupted));
  } else {
    assignment = model.assign(table.data(), session.start(interrupted));
  }
  numbers.deliver(session, model, table, assignment);
  Matrix map;
  if (arguments.append.wanted() && model.options().map != 0) {
    map = model.map(table.data(), session.run);
  }
  arguments.append.write(session, table, arguments.data, assignment.labels, assignment.confidence,
                         map);
  return std::move(assignment.labels);
}

std::vector<std::int32_t> labels_of(const Student& student, Session& session,
                                    const PredictArguments& arguments, const Table& table) {
  if (arguments.numbers.wanted()) {
    throw InvalidArgument(
        "a student has no confidence, probabilities or outlier scores; use its teacher, "
        "or 'mbn transform' with a student of --target clusters");
  }
  std::vector<std::int32_t> labels = student.predict(table.data(), session.start(interrupted));
  arguments.append.write(session, table, arguments.data, labels, {}, {});
  return labels;
}

template <class Network>
void predict_with(const Network& network, Session& session, const PredictArguments& arguments,
                  const Table& table) {
  const std::optional<Labels> truth = arguments.truth.read(table, arguments.data);
  const std::vector<std::int32_t> labels = labels_of(network, session, arguments, table);
  session.report()["rows"] = table.data().rows();
  deliver_labels(session, labels, truth, table, arguments.output);
}

void stream(const Model& model, Session& session, const PredictArguments& arguments) {
  session.start(interrupted);
  label_in_batches(session, model, arguments.data, arguments.batches,
                   {.labels = arguments.output, .embedding = {}, .numbers = arguments.numbers});
}

void stream(const Student& student, Session& session, const PredictArguments& arguments) {
  constexpr std::size_t kBatchRows = 1 << 16;
  session.start(interrupted);
  const RunOptions run = session.quiet_run();
  KnownRows rows = arguments.data.stream_for(student);
  Batches batches(session, arguments.batches, arguments.data, identity_of(arguments.model));
  const auto place = batches.add({"output", arguments.output, {"label"}});
  session.report()["rows"] =
      batches.run(rows, kBatchRows, [&](const Table& batch, std::vector<TableWriter>& writers) {
        const std::vector<std::int32_t> labels = student.predict(batch.data(), run);
        if (place) writers[*place].add(labels, batch.ids);
      });
  batches.commit();
}

// Scores and added columns need all rows, and a student has nothing but labels.
template <class Network>
void predict_with(const Network& network, Session& session, const PredictArguments& arguments) {
  const bool only_labels = !arguments.numbers.wanted() || std::is_same_v<Network, Model>;
  const bool in_batches = arguments.truth.path.empty() && !arguments.append.wanted() &&
                          only_labels && arguments.data.is_streamable();
  require_batches(arguments.batches, in_batches);
  if (in_batches) return stream(network, session, arguments);
  predict_with(network, session, arguments, arguments.data.read_for(session, network));
}

void predict_with_index(Session& session, const PredictArguments& arguments) {
  const Index index = Index::load(arguments.model);
  const Model& network = network_of(index, arguments.model, "cannot label rows");
  const Table table = arguments.texts.read_for(session, index, arguments.data);
  predict_with(network, session, arguments, table);
}

void run_predict(Session& session, const PredictArguments& arguments) {
  session.check_table_output(arguments.output);
  arguments.numbers.check(session);
  arguments.append.check(session, arguments.data);
  const FileKind kind = kind_to_load(session, arguments.model);
  arguments.texts.check(arguments.model, kind);
  switch (kind) {
    case FileKind::model:
      return predict_with(Model::load(arguments.model), session, arguments);
    case FileKind::student:
      return predict_with(Student::load(arguments.model), session, arguments);
    case FileKind::index:
      return predict_with_index(session, arguments);
    default:
      refuse_kind(arguments.model, kind, "label rows");
  }
}

}  // namespace

void add_predict(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("predict", "Label new rows with a trained network");
  const auto arguments = std::make_shared<PredictArguments>();
  verb.add_option(
          "MODEL", arguments->model,
          "A model that was fitted with --clusters, its student (.onnx), or an index with one")
      ->required();
  arguments->data.declare(verb);
  arguments->batches.declare(verb);
  arguments->texts.declare(verb);
  verb.add_option("-o,--output", arguments->output, "Labels to write: .npy, .csv, .txt; - is text")
      ->capture_default_str();
  arguments->numbers.declare(verb);
  arguments->append.declare(verb);
  arguments->truth.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_predict(session, *arguments); };
  });
}

}  // namespace mbn::tool
