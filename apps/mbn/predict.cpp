// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct PredictArguments {
  std::string model;
  DataArguments data;
  TruthArguments truth;
  std::string output = "-";
};

template <class Network>
void predict_with(const Network& network, Session& session, const PredictArguments& arguments) {
  const Table table = arguments.data.read_for(network);
  const std::optional<Labels> truth = arguments.truth.read(table, arguments.data);
  const std::vector<std::int32_t> labels =
      network.predict(table.data(), session.start(interrupted));
  session.report()["rows"] = table.data().rows();
  deliver_labels(session, labels, truth, table, arguments.output);
}

void run_predict(Session& session, const PredictArguments& arguments) {
  session.check_table_output(arguments.output);
  if (is_student_file(arguments.model)) {
    predict_with(Student::load(arguments.model), session, arguments);
  } else {
    predict_with(Model::load(arguments.model), session, arguments);
  }
}

}  // namespace

void add_predict(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand("predict", "Label new rows with a trained network");
  const auto arguments = std::make_shared<PredictArguments>();
  verb.add_option("MODEL", arguments->model,
                  "A model that was fitted with --clusters, or its student (.onnx)")
      ->required();
  arguments->data.declare(verb);
  verb.add_option("-o,--output", arguments->output, "Labels to write: .npy, .csv, .txt; - is text")
      ->capture_default_str();
  arguments->truth.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_predict(session, *arguments); };
  });
}

}  // namespace mbn::tool
