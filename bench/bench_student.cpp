// SPDX-License-Identifier: Apache-2.0
//
// mbn-bench-student: how fast a student learns and predicts, all in one run. One JSON line each:
//
//   peak     the machine's matrix product, by OpenBLAS on all threads at once, the best of several
//   model    the model's own transform, and exact search of the bottom layer alone, measured on a
//            few rows and clusterings and multiplied
//   train    one epoch of a student of each size, in GFLOP/s, and as a share of the peak
//   predict  the student, and how many times faster it is
//
//   mbn-bench-student MODEL DATA [--rows N] [--exact E] [--exact-rows M] [--threads T]
//
// Rows are the last N of the data.
#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/mbn.hpp>

#include "base/job.hpp"
#include "kernels/gemm.hpp"
#include "layer/search.hpp"
#include "network/model_data.hpp"

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

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double best_of(int times, const auto& work) {
  double best = seconds_of(work);
  for (int i = 1; i < times; ++i) best = std::min(best, seconds_of(work));
  return best;
}

void print(const Json& line) {
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}

// Each thread multiplies matrices of its own that are neither small nor thin.
double measure_peak(Job& job) {
  constexpr blasint kSize = 1536;
  const SerialBlas serial;
  std::vector<std::vector<float>> matrices(3 * job.threads(), std::vector<float>(kSize * kSize, 1));
  const double seconds = best_of(5, [&] {
    job.parallel(job.threads(), [&](std::size_t task, unsigned) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, kSize, kSize, kSize, 1,
                  matrices[3 * task].data(), kSize, matrices[3 * task + 1].data(), kSize, 0,
                  matrices[3 * task + 2].data(), kSize);
    });
  });
  const double gflops = 2e-9 * job.threads() * kSize * kSize * kSize / seconds;
  print({{"stage", "peak"}, {"threads", job.threads()}, {"gflops", gflops}});
  return gflops;
}

Student bench_training(const Model& model, RowsView rows, StudentSize size, double peak,
                       const Settings& settings) {
  DistillOptions options;
  options.size = size;
  options.epochs = 1;
  DistillResult result = distill(model, rows, options, settings.run);
  const double gflops = 1e-9 * result.training_operations / result.training_seconds;
  print({{"stage", "train"},
         {"sizes", result.student.info().sizes},
         {"rows", rows.rows()},
         {"seconds_per_epoch", result.training_seconds},
         {"gflops", gflops},
         {"share_of_peak", gflops / peak}});
  return result.student;
}

// Seconds per row of exact search at the bottom layer, from a few clusterings and rows: less than a
// whole transform by exact search, whose layers above are left out.
double measure_exact(const Model& model, MatrixView rows, const Settings& settings, Job& job) {
  const ModelData& data = model.data();
  const Draws& draws = data.bottom.draws;
  Draws few{settings.exact, draws.centroids, draws.features, {}, {}};
  few.rows.assign(draws.rows.begin(), draws.rows.begin() + settings.exact * draws.centroids);
  few.columns.assign(draws.columns.begin(),
                     draws.columns.begin() + settings.exact * draws.features);
  CodeMatrix codes(rows.rows(), few.clusterings, few.centroids);
  const double seconds = seconds_of([&] {
    make_exact_bottom_search(data.bottom.pool, few, model.options().metric)
        ->encode(rows, codes, job);
  });
  return seconds * draws.clusterings / settings.exact / static_cast<double>(rows.rows());
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
  const double peak = measure_peak(job);

  Matrix embedding;
  const double transform = seconds_of([&] { embedding = model.transform(rows, settings.run); }) /
                           static_cast<double>(asked);
  const double exact =
      measure_exact(model, rows.slice(0, std::min(settings.exact_rows, asked)), settings, job);
  print({{"stage", "model"},
         {"rows", asked},
         {"microseconds_per_row", 1e6 * transform},
         {"exact_bottom_microseconds_per_row", 1e6 * exact}});
  for (const StudentSize size : {StudentSize::small, StudentSize::paper}) {
    const Student student = bench_training(model, rows, size, peak, settings);
    const double seconds = best_of(3, [&] { embedding = student.transform(rows, settings.run); }) /
                           static_cast<double>(asked);
    print({{"stage", "predict"},
           {"sizes", student.info().sizes},
           {"microseconds_per_row", 1e6 * seconds},
           {"times_faster_than_transform", transform / seconds},
           {"times_faster_than_exact", exact / seconds}});
  }
  return 0;
}
