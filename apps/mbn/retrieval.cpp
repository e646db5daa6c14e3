// SPDX-License-Identifier: Apache-2.0
#include "retrieval.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "option_fields.hpp"

namespace mbn::tool {

namespace {

std::string title_of(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

// A table with a line for every number of retrieved documents and a column for every embedding.
std::string csv_of(const std::vector<std::string>& names,
                   const std::vector<RetrievalCurve>& curves) {
  std::string text = "retrieved";
  for (std::string name : names) {
    std::replace(name.begin(), name.end(), ',', ' ');
    text += "," + name;
  }
  text += "\n";
  for (std::size_t i = 0; i < curves[0].retrieved.size(); ++i) {
    text += fmt::format("{}", curves[0].retrieved[i]);
    for (const RetrievalCurve& curve : curves) text += fmt::format(",{:.6f}", curve.accuracy[i]);
    text += "\n";
  }
  return text;
}

void draw(Session& session, const std::string& path, const std::vector<std::string>& names,
          const std::vector<RetrievalCurve>& curves) {
  if (path.empty()) return;
  std::vector<Curve> lines;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    lines.push_back(
        {names[i], {curves[i].retrieved.begin(), curves[i].retrieved.end()}, curves[i].accuracy});
  }
  write_curves(path, lines,
               {.title = fmt::format("Retrieval, {} queries", curves[0].queries),
                .x_name = "retrieved documents",
                .y_name = "accuracy"},
               session.force);
  session.say(fmt::format("wrote {}", path));
}

void write_file(Session& session, const std::string& path, const std::string& text) {
  if (path.empty()) return;
  write_text(path, text, session.write_options());
  session.say(fmt::format("wrote {}", path));
}

}  // namespace

void RetrievalArguments::declare(CLI::App& verb) {
  part.declare(verb);
  verb.add_option("--groups", groups,
                  "With --retrieval: a group per row; hits of the query's own group are skipped")
      ->group("Retrieval");
  check_count(verb.add_option("--deepest", deepest, "With --retrieval: documents retrieved at most")
                  ->capture_default_str()
                  ->group("Retrieval"));
  verb.add_option("--curve", curve, "With --retrieval: write the curves to this CSV file")
      ->group("Retrieval");
  verb.add_option("--plot", plot,
                  "With --retrieval: draw the curves to this file (.svg, .png, .pdf)")
      ->group("Retrieval");
  for (const char* name : {"--part", "--groups", "--deepest", "--curve", "--plot"}) {
    verb.get_option(name)->needs("--retrieval");
  }
}

void evaluate_retrieval(Session& session, const std::vector<std::string>& embeddings,
                        const std::string& truth, const RetrievalArguments& arguments) {
  if (truth.empty()) throw InvalidArgument("--retrieval needs labels: add --truth Y");
  session.check_file_output(arguments.curve);
  session.check_file_output(arguments.plot);
  if (!arguments.plot.empty()) check_plot_ending(arguments.plot);
  SparseMatrix labels = read_label_sets(truth);
  const std::size_t label_rows = labels.rows();
  labels = arguments.part.of(std::move(labels), label_rows);
  Labels groups = arguments.groups.empty() ? Labels{} : read_labels(arguments.groups);
  const std::size_t group_rows = groups.values.size();
  if (group_rows > 0) groups = arguments.part.of(std::move(groups), group_rows);
  const RunOptions& run = session.start(interrupted);
  std::vector<std::string> names;
  std::vector<RetrievalCurve> curves;
  Json list = Json::array();
  for (const std::string& path : embeddings) {
    names.push_back(title_of(path));
    curves.push_back(score_retrieval(read_matrix(path), labels,
                                     {.deepest = arguments.deepest, .groups = groups.values}, run));
    list.push_back({{"embedding", path},
                    {"queries", curves.back().queries},
                    {"labelled", curves.back().labelled},
                    {"retrieved", curves.back().retrieved},
                    {"accuracy", curves.back().accuracy}});
  }
  session.report()["curves"] = list;
  if (!session.json) std::fputs(csv_of(names, curves).c_str(), stdout);
  write_file(session, arguments.curve, csv_of(names, curves));
  draw(session, arguments.plot, names, curves);
}

}  // namespace mbn::tool
