// SPDX-License-Identifier: Apache-2.0
//
// mbn-bench-engines: the fast engines against the plain ones, layer by layer, on the same rows,
// draws and threads. One JSON line each:
//
//   bottom  the walk with all that it needs (calibration, lists) against exact search of a few
//           clusterings, and the walk's recall
//   upper   the chosen engine against a plain loop over a few rows: codes must be equal
//   new     both ways for rows that were held out of the kept rows, per row
//
//   mbn-bench-engines DATA [--centroids K] [--clusterings V] [--exact E] [--naive N] [--new M]
//                     [--threads T] [--clusters C]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/mbn.hpp>

#include "base/job.hpp"
#include "bottom/calibrate_bottom.hpp"
#include "bottom/draws.hpp"
#include "bottom/walk_bottom.hpp"
#include "rows/gather.hpp"
#include "upper/upper_engines.hpp"

namespace {

using namespace mbn;
using Json = nlohmann::ordered_json;

struct Settings {
  std::string data;
  std::uint32_t centroids = 0;
  std::uint32_t clusterings = 400;
  std::uint32_t exact = 4;   // clusterings that are searched exactly
  std::size_t naive = 40;    // rows that a plain loop encodes above
  std::size_t held_out = 0;  // rows that are not in the kept rows
  std::uint32_t clusters = 10;
  RunOptions run;
};

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The first few clusterings only.
Draws first_clusterings(const Draws& draws, std::uint32_t count) {
  Draws some{count, draws.centroids, draws.features, {}, {}};
  some.rows.assign(draws.rows.begin(), draws.rows.begin() + count * draws.centroids);
  some.columns.assign(draws.columns.begin(), draws.columns.begin() + count * draws.features);
  return some;
}

double equal_share(const CodeMatrix& all, const CodeMatrix& some) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < some.rows(); ++i) {
    for (std::size_t v = 0; v < some.clusterings(); ++v) equal += all.at(i, v) == some.at(i, v);
  }
  return static_cast<double>(equal) / static_cast<double>(some.rows() * some.clusterings());
}

void print(Json line) {
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

struct Bottom {
  Draws draws;
  Matrix kept;
  CodeMatrix codes;
};

// Compares on the rows given; `rows` are what the kept rows was drawn from, or new ones.
CodeMatrix compare_bottom(std::string_view stage, MatrixView rows, const Bottom& bottom,
                          const BottomSettings& settings, double choice_seconds,
                          const Settings& options, Job& job) {
  CodeMatrix codes(rows.rows(), bottom.draws.clusterings, bottom.draws.centroids);
  const double fast =
      choice_seconds + seconds_of([&] {
        make_bottom_engine(bottom.kept.view(), bottom.draws, Metric::euclidean, settings, 0, job)
            ->encode(rows, codes, job);
      });
  const Draws few = first_clusterings(bottom.draws, options.exact);
  CodeMatrix exact_codes(rows.rows(), few.clusterings, few.centroids);
  const double exact =
      seconds_of([&] {
        make_exact_bottom(bottom.kept, few, Metric::euclidean)->encode(rows, exact_codes, job);
      }) *
      bottom.draws.clusterings / options.exact;
  print({{"stage", stage},
         {"rows", rows.rows()},
         {"centroids", bottom.draws.centroids},
         {"engine", settings.kind == BottomKind::walk ? "walk" : "exact"},
         {"list", settings.list_length},
         {"seconds", fast},
         {"exact_seconds", exact},
         {"times_faster", exact / fast},
         {"equal_codes", equal_share(codes, exact_codes)},
         {"microseconds_per_row", 1e6 * fast / static_cast<double>(rows.rows())}});
  return codes;
}

Bottom bench_bottom(const Settings& options, MatrixView rows, MatrixView new_rows, Job& job) {
  const std::uint32_t centroids =
      options.centroids != 0 ? options.centroids : static_cast<std::uint32_t>(rows.rows() / 2);
  Bottom bottom;
  bottom.draws = draw({.seed = 0,
                       .layer = 1,
                       .clusterings = options.clusterings,
                       .centroids = centroids,
                       .features = drawn_features(0.5, rows.columns()),
                       .input_rows = static_cast<std::uint32_t>(rows.rows()),
                       .input_features = static_cast<std::uint32_t>(rows.columns())});
  const auto kept = keep_drawn(bottom.draws, static_cast<std::uint32_t>(rows.rows()));
  bottom.kept = gather_rows(rows, kept);
  BottomSettings settings;
  const double choice = seconds_of([&] {
    settings = calibrate_bottom(bottom.kept, bottom.draws, Metric::euclidean,
                                {.excess = FitOptions().excess}, 0, rows.rows(), job);
  });
  bottom.codes = compare_bottom("bottom", rows, bottom, settings, choice, options, job);
  if (new_rows.rows() > 0) compare_bottom("new", new_rows, bottom, settings, 0, options, job);
  return bottom;
}

CodeMatrix naive_codes(const CodeMatrix& kept, const Draws& draws, const CodeMatrix& rows) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  rows.visit([&]<class Input>(const Input* input) {
    kept.visit([&](const auto* cells) {
      codes.visit([&]<class Output>(Output* output) {
        for (std::size_t i = 0; i < rows.rows(); ++i) {
          for (std::size_t v = 0; v < draws.clusterings; ++v) {
            int most = -1;
            for (std::uint32_t c = 0; c < draws.centroids; ++c) {
              const auto* drawn = cells + draws.rows_of(v)[c] * kept.clusterings();
              int agreement = 0;
              for (const std::uint32_t f : draws.columns_of(v)) {
                agreement += input[i * rows.clusterings() + f] == static_cast<Input>(drawn[f]);
              }
              if (agreement <= most) continue;
              most = agreement;
              output[i * draws.clusterings + v] = static_cast<Output>(c);
            }
          }
        }
      });
    });
  });
  return codes;
}

void bench_upper(const Settings& options, CodeMatrix codes, Job& job) {
  const auto rows = static_cast<std::uint32_t>(codes.rows());
  for (std::uint32_t layer = 2; codes.centroids() / 2 * 2 >= 3 * options.clusters; ++layer) {
    Draws draws = draw({.seed = 0,
                        .layer = layer,
                        .clusterings = options.clusterings,
                        .centroids = static_cast<std::uint32_t>(codes.centroids() / 2),
                        .features = drawn_features(0.5, options.clusterings),
                        .input_rows = rows,
                        .input_features = options.clusterings});
    const auto kept_rows = keep_drawn(draws, rows);
    const CodeMatrix kept = codes.gather(kept_rows);
    CodeMatrix above(rows, draws.clusterings, draws.centroids);
    const double fast = seconds_of(
        [&] { make_upper_engine(kept, draws, codes.rows(), job)->encode(codes, above, job); });
    std::vector<std::uint32_t> few(std::min<std::size_t>(options.naive, rows));
    for (std::size_t i = 0; i < few.size(); ++i) {
      few[i] = static_cast<std::uint32_t>(i * rows / few.size());
    }
    CodeMatrix expected;
    // The plain loop runs on one thread, so its time is shared out.
    const double naive =
        seconds_of([&] { expected = naive_codes(kept, draws, codes.gather(few)); }) * rows /
        static_cast<double>(few.size()) / job.threads();
    print({{"stage", "upper"},
           {"layer", layer},
           {"centroids", draws.centroids},
           {"seconds", fast},
           {"naive_seconds", naive},
           {"times_faster", naive / fast},
           {"equal_codes", equal_share(above.gather(few), expected)}});
    codes = std::move(above);
  }
}

Settings parse(int count, char** words) {
  Settings options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const auto number = [&] { return static_cast<std::uint32_t>(std::atoi(words[++i])); };
    if (word == "--centroids")
      options.centroids = number();
    else if (word == "--clusterings")
      options.clusterings = number();
    else if (word == "--exact")
      options.exact = number();
    else if (word == "--naive")
      options.naive = number();
    else if (word == "--new")
      options.held_out = number();
    else if (word == "--clusters")
      options.clusters = number();
    else if (word == "--threads")
      options.run.threads = number();
    else
      options.data = word;
  }
  return options;
}

}  // namespace

int main(int count, char** words) {
  const Settings options = parse(count, words);
  if (options.data.empty()) {
    fmt::print(stderr, "usage: mbn-bench-engines DATA [--centroids K] [--new M] ...\n");
    return 2;
  }
  const Matrix all = read_matrix(options.data);
  const MatrixView rows = all.view().slice(0, all.rows() - options.held_out);
  Job job(options.run);
  const MatrixView held_out = all.view().slice(rows.rows(), options.held_out);
  Bottom bottom = bench_bottom(options, rows, held_out, job);
  if (options.naive > 0) bench_upper(options, std::move(bottom.codes), job);
  return 0;
}
