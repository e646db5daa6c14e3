// SPDX-License-Identifier: Apache-2.0
//
// mbn-bench-student: how fast a student learns and predicts, all in one run. One JSON line each:
//
//   peak     the library's packed matrix product on all threads at once, packing left out, the best
//            of several
//   model    the model's own transform, and exact search of the bottom layer alone, measured on a
//            few rows and clusterings and multiplied
//   train    one epoch of a student of each size, in GFLOP/s, and as a share of the peak
//   predict  the student, and how many times faster it is
//
//   mbn-bench-student MODEL DATA [--rows N] [--exact E] [--exact-rows M] [--threads T]
//
// Rows are the last N of the data.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/mbn.hpp>

#include "api/model_access.hpp"
#include "base/job.hpp"
#include "base/large_array.hpp"
#include "bottom/bottom_engine.hpp"
#include "kernels/dense_product.hpp"

namespace {

using namespace mbn;
using Json = nlohmann::ordered_json;

struct Settings {
  std::vector<std::string> files;
  std::size_t rows = 10000;
  std::size_t exact_rows = 200;
  std::uint32_t exact = 2;  // clusterings that are searched exactly
  RunOptions run;
};

/// Seconds on the wall and of all cores. Where others use the machine too, only the second tells
/// something.
struct Seconds {
  double wall = 0;
  double cores = 0;

  static Seconds now() {
    return {
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
        static_cast<double>(std::clock()) / CLOCKS_PER_SEC};
  }
  Seconds operator-(const Seconds& other) const { return {wall - other.wall, cores - other.cores}; }
  Seconds operator*(double factor) const { return {wall * factor, cores * factor}; }
  Json json() const { return {{"wall", wall}, {"cores", cores}}; }
};

Seconds seconds_of(const auto& work) {
  const Seconds start = Seconds::now();
  work();
  return Seconds::now() - start;
}

Seconds best_of(int times, const auto& work) {
  Seconds best = seconds_of(work);
  for (int i = 1; i < times; ++i) {
    const Seconds next = seconds_of(work);
    best = {std::min(best.wall, next.wall), std::min(best.cores, next.cores)};
  }
  return best;
}

Json ratio(const Seconds& slow, const Seconds& fast) {
  return {{"wall", slow.wall / fast.wall}, {"cores", slow.cores / fast.cores}};
}

void print(const Json& line) {
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

// Each thread multiplies matrices of its own that are neither small nor thin. Seconds for 10^9
// additions and multiplications.
Seconds measure_peak(Job& job) {
  constexpr std::size_t kSize = 1536;
  static_assert(kSize % kLeftPanel == 0 && kSize % kRightPanel == 0);
  std::vector<LargeArray<float>> matrices(3 * job.threads(), LargeArray<float>(kSize * kSize, 1));
  const Seconds seconds = best_of(5, [&] {
    job.parallel(job.threads(), [&](std::size_t task, unsigned) {
      multiply_blocks(matrices[3 * task].data(), matrices[3 * task + 1].data(), kSize, kSize, kSize,
                      matrices[3 * task + 2].data(), kSize);
    });
  });
  const Seconds each = seconds * (0.5e9 / (1.0 * job.threads() * kSize * kSize * kSize));
  print({{"stage", "peak"},
         {"threads", job.threads()},
         {"gflops", 1 / each.wall},
         {"gflops_per_core", 1 / each.cores}});
  return each;
}

// Stops after the first epoch, whose time runs from its first step to the first of the second.
Student bench_training(const Model& model, RowsView rows, StudentSize size, const Seconds& peak,
                       const Settings& settings) {
  CompressOptions options;
  options.size = size;
  options.epochs = 2;
  std::atomic<bool> cancel{false};
  Seconds begin;
  Seconds end;
  RunOptions run = settings.run;
  run.cancel = &cancel;
  run.progress = [&](const Progress& progress) {
    if (progress.layer == 1 && begin.wall == 0) begin = Seconds::now();
    if (progress.layer != 2 || cancel) return;
    end = Seconds::now();
    cancel = true;
  };
  const CompressResult result = compress(model, rows, options, run);
  const Seconds each = (end - begin) * (1e9 / result.training_operations);
  print({{"stage", "train"},
         {"sizes", result.student.info().sizes},
         {"rows", rows.rows()},
         {"seconds_per_epoch", (end - begin).json()},
         {"gflops", 1 / each.wall},
         {"gflops_per_core", 1 / each.cores},
         {"share_of_peak", ratio(peak, each)}});
  return result.student;
}

// Seconds per row of exact search at the bottom layer, from a few clusterings and rows: less than a
// whole transform by exact search, whose layers above are left out.
Seconds measure_exact(const Model& model, MatrixView rows, const Settings& settings, Job& job) {
  const ModelData& data = ModelAccess::data(model);
  const Draws& draws = data.bottom.draws;
  Draws few{settings.exact, draws.centroids, draws.features, {}, {}};
  few.rows.assign(draws.rows.begin(), draws.rows.begin() + settings.exact * draws.centroids);
  few.columns.assign(draws.columns.begin(),
                     draws.columns.begin() + settings.exact * draws.features);
  CodeMatrix codes(rows.rows(), few.clusterings, few.centroids);
  const Seconds seconds = seconds_of([&] {
    make_exact_bottom(data.bottom.kept.dense(), few, model.options().metric)
        ->encode(rows, codes, job);
  });
  return seconds * (draws.clusterings / static_cast<double>(settings.exact * rows.rows()));
}

Settings parse(int count, char** words) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const auto number = [&] { return static_cast<std::uint32_t>(std::atoi(words[++i])); };
    if (word == "--rows")
      settings.rows = number();
    else if (word == "--exact")
      settings.exact = number();
    else if (word == "--exact-rows")
      settings.exact_rows = number();
    else if (word == "--threads")
      settings.run.threads = number();
    else
      settings.files.emplace_back(word);
  }
  return settings;
}

}  // namespace

int main(int count, char** words) {
  const Settings settings = parse(count, words);
  if (settings.files.size() != 2) {
    fmt::print(stderr, "usage: mbn-bench-student MODEL DATA [--rows N] [--exact E] ...\n");
    return 2;
  }
  const Model model = Model::load(settings.files[0]);
  const Matrix all = read_matrix(settings.files[1]);
  const std::size_t asked = std::min(settings.rows, all.rows());
  const MatrixView rows = all.view().slice(all.rows() - asked, asked);
  Job job(settings.run);
  const Seconds peak = measure_peak(job);

  const double per_row = 1 / static_cast<double>(asked);
  Matrix embedding;
  const Seconds transform =
      seconds_of([&] { embedding = model.transform(rows, settings.run); }) * per_row;
  const Seconds exact =
      measure_exact(model, rows.slice(0, std::min(settings.exact_rows, asked)), settings, job);
  print({{"stage", "model"},
         {"rows", asked},
         {"seconds_per_row", transform.json()},
         {"exact_bottom_seconds_per_row", exact.json()}});
  for (const StudentSize size : {StudentSize::small, StudentSize::paper}) {
    const Student student = bench_training(model, rows, size, peak, settings);
    const Seconds seconds =
        best_of(3, [&] { embedding = student.transform(rows, settings.run); }) * per_row;
    print({{"stage", "predict"},
           {"sizes", student.info().sizes},
           {"seconds_per_row", seconds.json()},
           {"times_faster_than_transform", ratio(transform, seconds)},
           {"times_faster_than_exact", ratio(exact, seconds)}});
  }
  return 0;
}
