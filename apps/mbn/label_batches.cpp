// SPDX-License-Identifier: Apache-2.0
#include "batches.hpp"

namespace mbn::tool {

namespace {

MatrixView column(const std::vector<float>& numbers) {
  return {numbers.data(), numbers.size(), 1};
}

void count_labels(const std::vector<std::int32_t>& labels, Json& kept) {
  auto sizes = kept.get<std::vector<std::uint64_t>>();
  for (const std::int32_t label : labels) ++sizes[static_cast<std::size_t>(label)];
  kept = sizes;
}

}  // namespace

std::vector<std::uint64_t> label_in_batches(Session& session, const Model& model,
                                            const DataArguments& data,
                                            const BatchArguments& arguments,
                                            const LabelOutputs& outputs) {
  const RunOptions run = session.quiet_run();
  const std::size_t clusters = model.cluster_centres().rows();
  KnownRows rows = data.stream_for(model);
  Batches batches(session, arguments, data, model.checksum());
  const auto confidence = batches.add({"confidence", outputs.numbers.confidence, {"confidence"}});
  const auto probabilities =
      batches.add({"probabilities", outputs.numbers.probabilities, cluster_names(clusters)});
  const auto outliers = batches.add({"outliers", outputs.numbers.outliers, {"outliers"}});
  const auto embedding =
      batches.add({"embedding", outputs.embedding, component_names(model.components())});
  const auto map = batches.add({"output", outputs.map, numbered("map", model.options().map)});
  const auto labels = batches.add({"output", outputs.labels, {"label"}});
  const OutputChoice choice{.embedding = embedding.has_value(),
                            .map = map.has_value(),
                            .labels = labels.has_value() || confidence.has_value() || outputs.sizes,
                            .probabilities = probabilities || confidence};
  batches.kept()["sizes"] = std::vector<std::uint64_t>(clusters);
  session.report()["rows"] = batches.run(
      rows, model.batch_rows(session.run),
      [&](const Table& batch, std::vector<TableWriter>& writers) {
        const RowOutputs found = model.outputs(batch.data(), choice, run);
        count_labels(found.labels, batches.kept()["sizes"]);
        if (confidence) writers[*confidence].add(column(found.confidence), batch.ids);
        if (probabilities) writers[*probabilities].add(found.probabilities, batch.ids);
        if (embedding) writers[*embedding].add(found.embedding, batch.ids);
        if (map) writers[*map].add(found.map, batch.ids);
        if (labels) writers[*labels].add(found.labels, batch.ids);
        if (!outliers) return;
        writers[*outliers].add(column(model.outlier_scores(batch.data(), run)), batch.ids);
      });
  batches.commit();
  return batches.kept()["sizes"].get<std::vector<std::uint64_t>>();
}

}  // namespace mbn::tool
