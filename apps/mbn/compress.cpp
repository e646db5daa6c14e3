// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "arguments.hpp"
#include "option_fields.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct CompressArguments {
  std::string model;
  DataArguments data;
  CompressOptions options;
  std::string output;
};

void report_lesson(Session& session, const CompressResult& result) {
  const StudentInfo& info = result.student.info();
  Json& report = session.report();
  report_student(report, info);
  report["training_loss"] = result.training_loss;
  report["validation_loss"] = result.validation_loss;
  report["teacher_checksum"] = info.teacher_checksum;
  report["teacher_seconds"] = result.teacher_seconds;
  report["training_seconds"] = result.training_seconds;
  const double gflops = result.training_operations / 1e9 / result.training_seconds;
  report["gflops"] = gflops;
  report["seconds"] = session.seconds();
  session.say(
      fmt::format("{} layers of {}; {} epochs, epoch {} kept; teacher {:.1f} s, training "
                  "{:.1f} s at {:.0f} GFLOP/s",
                  info.sizes.size() - 1, fmt::join(info.sizes, " -> "), info.epochs,
                  info.best_epoch, result.teacher_seconds, result.training_seconds, gflops));
  session.say(describe_fidelity("validation rows", info.validation));
  if (info.training.rows > 0) {
    session.say(describe_fidelity("training rows", info.training));
  }
}

void run_compress(Session& session, const CompressArguments& arguments) {
  session.check_file_output(arguments.output);
  const Model model = Model::load(arguments.model);
  const Table table = arguments.data.read_for(session, model);
  saves_when_interrupted = true;
  const CompressResult result =
      compress(model, table.data(), arguments.options, session.start(interrupted));
  // From here a second Ctrl-C ends the process; the file appears whole or not at all.
  session.stopped = result.stopped;
  report_lesson(session, result);
  result.student.save(arguments.output, session.force);
  session.report()["student"] = arguments.output;
  session.report()["stopped"] = result.stopped;
  session.say(fmt::format("{}wrote {} ({:.1f} MB)",
                          result.stopped ? "interrupted; the best student so far is kept; " : "",
                          arguments.output,
                          4e-6 * static_cast<double>(result.student.info().weights)));
}

}  // namespace

void add_compress(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand(
      "compress", "Train a small network (ONNX) that predicts in a model's place");
  const auto arguments = std::make_shared<CompressArguments>();
  verb.add_option("MODEL", arguments->model, "The model to learn from")->required();
  arguments->data.declare(verb, false);  // its --size is that of the student
  verb.add_option("-o,--output", arguments->output, "The student to write (.onnx)")->required();
  add_fields(verb, arguments->options, "The student");
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_compress(session, *arguments); };
  });
}

}  // namespace mbn::tool
