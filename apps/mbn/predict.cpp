// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "our_files.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct PredictArguments {
  std::string model;
  DataArguments data;
  TextArguments texts;
  TruthArguments truth;
  std::string output = "-";
  RowNumbers numbers;
};

std::vector<std::int32_t> labels_of(const Model& model, Session& session, const Table& table,
                                    const RowNumbers& numbers) {
  Assignment assignment;
  if (numbers.confidence.empty() && numbers.probabilities.empty()) {
    assignment.labels = model.predict(table.data(), session.start(interrupted));
  } else {
    assignment = model.assign(table.data(), session.start(interrupted));
  }
  numbers.deliver(session, model, table, assignment);
  return std::move(assignment.labels);
}

std::vector<std::int32_t> labels_of(const Student& student, Session& session, const Table& table,
                                    const RowNumbers& numbers) {
  if (numbers.wanted()) {
    throw InvalidArgument(
        "a student has no confidence, probabilities or outlier scores; use its teacher, "
        "or 'mbn transform' with a student of --target clusters");
  }
  return student.predict(table.data(), session.start(interrupted));
}

template <class Network>
void predict_with(const Network& network, Session& session, const PredictArguments& arguments,
                  const Table& table) {
  const std::optional<Labels> truth = arguments.truth.read(table, arguments.data);
  const std::vector<std::int32_t> labels = labels_of(network, session, table, arguments.numbers);
  session.report()["rows"] = table.data().rows();
  deliver_labels(session, labels, truth, table, arguments.output);
}

template <class Network>
void predict_with(const Network& network, Session& session, const PredictArguments& arguments) {
  predict_with(network, session, arguments, arguments.data.read_for(network));
}

void predict_with_index(Session& session, const PredictArguments& arguments) {
  const Index index = Index::load(arguments.model);
  if (index.model() == nullptr) {
    throw InvalidArgument(
        fmt::format("{} is an index without a network, which cannot label rows; use one that 'mbn "
                    "index --clusters' built with the method mbn",
                    arguments.model));
  }
  const Table table = arguments.texts.read_for(index, arguments.data, session.start(interrupted));
  predict_with(*index.model(), session, arguments, table);
}

void run_predict(Session& session, const PredictArguments& arguments) {
  session.check_table_output(arguments.output);
  arguments.numbers.check(session);
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
  arguments->texts.declare(verb);
  verb.add_option("-o,--output", arguments->output, "Labels to write: .npy, .csv, .txt; - is text")
      ->capture_default_str();
  arguments->numbers.declare(verb);
  arguments->truth.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_predict(session, *arguments); };
  });
}

}  // namespace mbn::tool
