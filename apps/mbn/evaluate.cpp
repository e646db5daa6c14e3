// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "arguments.hpp"
#include "known_items.hpp"
#include "option_fields.hpp"
#include "retrieval.hpp"
#include "verbs.hpp"

namespace mbn::tool {

namespace {

struct EvaluateArguments {
  std::vector<std::string> subjects;
  std::string subject;
  std::string truth;
  std::string data;
  Normalization normalization = Normalization::geometric;
  Metric metric = Metric::euclidean;
  std::uint32_t neighbours = 15;
  std::uint32_t sample = 2000;
  bool correlation = false;
  std::uint32_t layer = 0;
  bool retrieval = false;
  RetrievalArguments retrieved;
  KnownItemArguments known;
};

// A score goes to the report and, without --json, to standard output: it is the data of this verb.
void print_score(Session& session, const std::string& name, double value) {
  session.report()[name] = value;
  if (!session.json) fmt::print("{:24}{:.6f}\n", name, value);
}

void evaluate_labels(Session& session, const EvaluateArguments& arguments) {
  const Labels labels = read_labels(arguments.subject);
  const Labels truth = read_labels(arguments.truth);
  const ClusterScores scores = score_clusters(labels.values, truth.values);
  print_score(session, "nmi",
              normalized_mutual_information(labels.values, truth.values, arguments.normalization));
  print_score(session, "accuracy", scores.accuracy);
  print_score(session, "ari", scores.ari);
  print_score(session, "purity", scores.purity);
}

// What the neighbourhoods of a map do not tell; with --truth also what becomes of the classes.
void print_map_scores(Session& session, const MapScores& scores) {
  print_score(session, "random_triplets", scores.random_triplets);
  if (scores.centroid_triplets) {
    print_score(session, "centroid_triplets", *scores.centroid_triplets);
  }
  if (scores.nearest_neighbour) {
    print_score(session, "nearest_neighbour", *scores.nearest_neighbour);
  }
  if (scores.kmeans_nmi) print_score(session, "kmeans_nmi", *scores.kmeans_nmi);
}

void evaluate_embedding(Session& session, const EvaluateArguments& arguments) {
  const Matrix embedding = read_matrix(arguments.subject);
  const Matrix data = read_matrix(arguments.data);
  const Labels truth = arguments.truth.empty() ? Labels{} : read_labels(arguments.truth);
  const RunOptions& run = session.start(interrupted);
  const NeighbourScores near = score_neighbours(data, embedding, arguments.neighbours,
                                                arguments.sample, run, arguments.metric);
  const MapScores scores = score_map(
      data, embedding,
      {.labels = truth.values, .sample = arguments.sample, .metric = arguments.metric}, run);
  print_score(session, "trustworthiness", near.trustworthiness);
  print_score(session, "continuity", near.continuity);
  print_score(session, "neighbour_preservation", near.neighbour_preservation);
  print_map_scores(session, scores);
}

void evaluate_layers(Session& session, const EvaluateArguments& arguments) {
  const Model model = Model::load(arguments.subject);
  const Matrix data = read_matrix(arguments.data);
  const RunOptions& run_options = session.start(interrupted);
  const auto layers = static_cast<std::uint32_t>(model.layers().size());
  const std::uint32_t first = arguments.layer != 0 ? arguments.layer : 1;
  const std::uint32_t last = arguments.layer != 0 ? arguments.layer : layers;
  Json list = Json::array();
  for (std::uint32_t layer = first; layer <= last; ++layer) {
    const LayerCorrelation result =
        layer_correlation(model, data, layer, arguments.sample, run_options);
    list.push_back({{"layer", layer},
                    {"correlation", result.correlation},
                    {"single_error", result.single_error},
                    {"ensemble_error", result.ensemble_error},
                    {"error_ratio", result.error_ratio}});
    if (!session.json) {
      if (layer == first) {
        fmt::print("layer  correlation  single error  ensemble error  ratio\n");
      }
      fmt::print("{:5}  {:11.4f}  {:12.6g}  {:14.6g}  {:.4f}\n", layer, result.correlation,
                 result.single_error, result.ensemble_error, result.error_ratio);
    }
  }
  session.report()["layers"] = list;
}

void run_evaluate(Session& session, EvaluateArguments& arguments) {
  if (arguments.retrieval) {
    return evaluate_retrieval(session, arguments.subjects, arguments.truth, arguments.retrieved);
  }
  if (arguments.subjects.size() != 1) {
    throw InvalidArgument("only --retrieval compares several files; give one");
  }
  arguments.subject = arguments.subjects.front();
  if (!arguments.known.questions.empty()) {
    return evaluate_known_items(session, arguments.subject, arguments.known, arguments.sample);
  }
  if (arguments.correlation) {
    if (arguments.data.empty()) throw InvalidArgument("--correlation needs rows: add --data X");
    return evaluate_layers(session, arguments);
  }
  if (arguments.truth.empty() && arguments.data.empty()) {
    throw InvalidArgument(
        "nothing to compare with; add --truth Y for labels, or --data X for an embedding");
  }
  if (arguments.data.empty()) {
    evaluate_labels(session, arguments);
  } else {
    evaluate_embedding(session, arguments);
  }
}

}  // namespace

void add_evaluate(CLI::App& app, Session& session) {
  CLI::App& verb = *app.add_subcommand(
      "evaluate", "Score labels, an embedding, the layers of a model, or an index");
  const auto arguments = std::make_shared<EvaluateArguments>();
  verb.add_option(
          "SUBJECT", arguments->subjects,
          "Labels (with --truth), an embedding (with --data, and --truth if classes are "
          "known), a model (--correlation), embeddings (--retrieval), or an index (--known-items)")
      ->required();
  verb.add_option("--truth", arguments->truth, "True labels");
  verb.add_option("--data", arguments->data, "The rows that were embedded");
  add_enum(verb, "--normalization", arguments->normalization,
           "What mutual information is divided by: a mean or extreme of both entropies");
  add_enum(verb, "--metric", arguments->metric,
           "With --data: how its rows are compared; the embedding is always Euclidean");
  verb.add_option("--neighbours", arguments->neighbours, "Size of a neighbourhood")
      ->capture_default_str();
  verb.add_option("--sample", arguments->sample, "Rows used as queries, at most; 0 uses all")
      ->capture_default_str();
  verb.add_flag("--correlation", arguments->correlation,
                "Correlation between a model's clusterings, and what averaging them gains");
  verb.add_option("--layer", arguments->layer, "With --correlation: only this layer")
      ->needs("--correlation");
  verb.add_flag("--retrieval", arguments->retrieval,
                "Share of the nearest rows with the same label (--truth), at 1, 3, 7, 15, ...");
  arguments->retrieved.declare(verb);
  arguments->known.declare(verb);
  add_common_options(verb, session);
  verb.callback([&session, arguments] {
    session.action = [&session, arguments] { run_evaluate(session, *arguments); };
  });
}

}  // namespace mbn::tool
