// SPDX-License-Identifier: Apache-2.0
#include "choose/pilot.hpp"

#include <algorithm>

#include <mbn/cluster.hpp>

#include "base/random.hpp"
#include "network/schedule.hpp"
#include "network/train_layer.hpp"
#include "project/projection.hpp"
#include "rows/gather.hpp"

namespace mbn {

namespace {

// Networks of neighbouring seeds must not share their pilots.
std::uint64_t pilot_seed(std::uint64_t seed, std::uint32_t number) {
  Random random(seed, Purpose::pilot, number);
  const std::uint64_t high = random.next();
  return high << 32 | random.next();
}

std::vector<std::uint32_t> draw_half(std::uint64_t seed, std::uint32_t number, std::uint32_t rows) {
  Random random(seed, Purpose::half, number);
  std::vector<std::uint32_t> half = draw_without_replacement(random, rows, (rows + 1) / 2);
  std::sort(half.begin(), half.end());
  return half;
}

CodeMatrix bottom_codes(RowsView rows, const std::vector<std::uint32_t>& learned,
                        const FitOptions& options, std::uint32_t clusterings, std::uint64_t seed,
                        Job& job) {
  const std::size_t drawable = learned.empty() ? rows.rows() : learned.size();
  return train_layer(rows,
                     {.seed = seed,
                      .layer = 1,
                      .clusterings = clusterings,
                      .centroids = schedule(drawable, options).front(),
                      .feature_fraction = *options.feature_fraction,
                      .pool = learned,
                      .blocks = drawn_blocks(options)},
                     {.metric = options.metric,
                      .engine = options.engine,
                      .excess = options.excess,
                      .recall = options.recall,
                      .partial = options.missing == MissingValues::partial},
                     job)
      .codes;
}

// The codes of `count` clusterings from `first` on.
CodeMatrix cut(const CodeMatrix& codes, std::size_t first, std::size_t count) {
  CodeMatrix part(codes.rows(), count, codes.centroids());
  codes.visit([&]<class Code>(const Code* from) {
    part.visit([&]<class Other>(Other* to) {
      for (std::size_t i = 0; i < codes.rows(); ++i) {
        std::copy_n(from + i * codes.clusterings() + first, count, to + i * count);
      }
    });
  });
  return part;
}

// The codes of the layer on top of `below`, the layer with this number.
CodeMatrix codes_above(const Pilot& pilot, const CodeMatrix& below, std::size_t layer,
                       std::uint32_t centroids, const FitOptions& options, Job& job) {
  return train_layer(below,
                     {.seed = pilot.seed,
                      .layer = static_cast<std::uint32_t>(layer + 1),
                      .clusterings = kPilotClusterings,
                      .centroids = centroids,
                      .feature_fraction = *options.feature_fraction,
                      .pool = pilot.learned},
                     job)
      .codes;
}

}  // namespace

RunOptions for_one_pilot(RunOptions run) {
  run.threads = 1;
  run.progress = nullptr;
  run.note = nullptr;
  return run;
}

std::vector<Pilot> make_pilots(RowsView prepared, const FitOptions& options, std::uint32_t first,
                               std::uint32_t last, Job& job) {
  const CodeMatrix codes = bottom_codes(prepared, {}, options, (last - first) * kPilotClusterings,
                                        pilot_seed(options.seed, first), job);
  std::vector<Pilot> pilots;
  for (std::uint32_t i = first; i < last; ++i) {
    pilots.push_back({cut(codes, (i - first) * kPilotClusterings, kPilotClusterings),
                      {},
                      pilot_seed(options.seed, i)});
  }
  return pilots;
}

Pilot make_half_pilot(RowsView prepared, const FitOptions& options, std::uint32_t number,
                      Job& job) {
  const std::uint64_t seed = pilot_seed(options.seed, number);
  auto half = draw_half(options.seed, number, static_cast<std::uint32_t>(prepared.rows()));
  CodeMatrix codes = bottom_codes(prepared, half, options, kPilotClusterings, seed, job);
  return {std::move(codes), std::move(half), seed};
}

CodeMatrix top_codes(const Pilot& pilot, const FitOptions& options, Job& job) {
  const std::vector<std::uint32_t> widths = schedule(pilot.learned_rows(), options);
  CodeMatrix codes = pilot.bottom;
  for (std::size_t l = 1; l < widths.size(); ++l) {
    codes = codes_above(pilot, codes, l, widths[l], options, job);
  }
  return codes;
}

std::vector<CodeMatrix> codes_of_layers(const Pilot& pilot, const FitOptions& options, Job& job) {
  const std::vector<std::uint32_t> widths = schedule(pilot.learned_rows(), options);
  std::vector<CodeMatrix> layers{pilot.bottom};
  for (std::size_t l = 1; l < widths.size(); ++l) {
    layers.push_back(codes_above(pilot, layers.back(), l, widths[l], options, job));
  }
  return layers;
}

Matrix embed(const Pilot& pilot, const CodeMatrix& top, std::uint32_t components, Job& job) {
  const auto fit = [&](const CodeMatrix& codes) {
    return fit_projection(codes, components, Solver::automatic, pilot.seed, job);
  };
  return project(pilot.learned.empty() ? fit(top) : fit(top.gather(pilot.learned)), top, job);
}

Labelling label(const Pilot& pilot, MatrixView embedding, std::uint32_t clusters,
                std::uint32_t restarts, const RunOptions& run) {
  const KMeansOptions options{.clusters = clusters, .restarts = restarts, .seed = pilot.seed};
  if (pilot.learned.empty()) return kmeans(embedding, options, run).labels;
  const Matrix learned = gather_rows(embedding, pilot.learned);
  return nearest_centres(embedding, kmeans(learned, options, run).centres, run);
}

}  // namespace mbn
