// SPDX-License-Identifier: Apache-2.0
//
// One seed, one answer, for good: the checksums of small fits, one for each way through the
// library. They are written in fits.txt beside this file: a name, then the checksums of the model's
// tensors, of the embedding and of the labels.
//
// A change of these numbers changes the answers that users get. It must be a decision: say it in
// CHANGELOG.md, with the reason, and write the new lines by hand; a failing test prints them. What
// names options or the writer (the header of a file) is not part of the checksums, and a model is
// read back from its bytes and written without packing first: how a file packs numbers is no
// answer.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include <mbn/mbn.hpp>

#include "rows/toy.hpp"
#include "rows/with_holes.hpp"
#include "store/model_file.hpp"

namespace mbn {
namespace {

std::string hex(const void* bytes, std::size_t count) {
  return fmt::format("{:016x}", XXH3_64bits(bytes, count));
}

// A model file is 8 bytes with the length of the header, the header, and then all tensors.
std::string tensors_of(const std::vector<std::uint8_t>& file) {
  std::uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof(header));
  const std::size_t begin = sizeof(header) + header;
  return hex(file.data() + begin, file.size() - begin);
}

std::string tensors_of(const Model& model) {
  return tensors_of(encode_model(decode_model(model.to_bytes()), Packing::none));
}

std::string cells_of(const Matrix& matrix) {
  return hex(matrix.row<float>(0), matrix.shape().bytes());
}

std::string line_of(const FitResult& result) {
  const std::string labels =
      result.labels.empty()
          ? "-"
          : hex(result.labels.data(), result.labels.size() * sizeof(result.labels[0]));
  return fmt::format("{} {} {}", tensors_of(result.model), cells_of(result.embedding), labels);
}

// Thirds: numbers that float32 must round.
Matrix thirds(const Matrix& images) {
  Matrix rows = as_floats(images);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t j = 0; j < rows.columns(); ++j) rows.mutable_row<float>(i)[j] /= 3.0F;
  }
  return rows;
}

// Images of twelve hidden quantities, so that a few directions hold all there is.
Matrix smooth_images(std::size_t rows, std::size_t columns) {
  constexpr std::size_t kHidden = 12;
  std::vector<int> basis(kHidden * columns);
  Random pattern(6, Purpose::generate, 4);
  for (int& cell : basis) cell = static_cast<int>(pattern.below(21));
  Matrix images(rows, columns, ElementType::uint8);
  for (std::size_t i = 0; i < rows; ++i) {
    Random random(6, Purpose::generate, 5, static_cast<std::uint32_t>(i));
    std::vector<int> sum(columns);
    for (std::size_t h = 0; h < kHidden; ++h) {
      const auto weight = static_cast<int>(random.below(16));
      for (std::size_t j = 0; j < columns; ++j) sum[j] += weight * basis[h * columns + j];
    }
    for (std::size_t j = 0; j < columns; ++j) {
      images.mutable_row<std::uint8_t>(i)[j] = static_cast<std::uint8_t>(sum[j] / 15);
    }
  }
  return images;
}

// Counts: a row has about one cell in twenty, those of its group twice as often.
SparseMatrix toy_counts(std::size_t rows, std::uint32_t columns, std::uint32_t groups) {
  SparseMatrix counts;
  counts.columns = columns;
  for (std::size_t i = 0; i < rows; ++i) {
    Random random(5, Purpose::generate, 3, static_cast<std::uint32_t>(i));
    for (std::uint32_t j = 0; j < columns; ++j) {
      const bool own = j % groups == i % groups;
      if (random.below(own ? 16 : 32) != 0) continue;
      counts.indices.push_back(j);
      counts.values.push_back(static_cast<float>(1 + random.below(3)));
    }
    counts.starts.push_back(counts.indices.size());
  }
  return counts;
}

std::string engine_of(const FitResult& result) {
  return result.model.engine().name;
}

std::string dense_exact() {
  const FitResult result =
      fit_transform(toy_images(300, 24, 3),
                    {.clusterings = 40, .decay = 0.5, .clusters = 3, .engine = Engine::exact});
  EXPECT_EQ(engine_of(result), "exact");
  return line_of(result);
}

std::string dense_walk() {
  const FitResult result =
      fit_transform(toy_images(2400, 64, 5), {.clusterings = 150, .decay = 0.5, .clusters = 5});
  EXPECT_EQ(engine_of(result), "walk");
  return line_of(result);
}

std::string dense_walk_floats() {
  const FitResult result = fit_transform(thirds(toy_images(2400, 64, 5)),
                                         {.clusterings = 150, .decay = 0.5, .clusters = 5});
  EXPECT_EQ(engine_of(result), "walk");
  return line_of(result);
}

// Many columns: neighbours are ranked on a few directions first.
std::string ranked_walk() {
  const FitResult result = fit_transform(
      smooth_images(4500, 5000),
      {.clusterings = 20, .decay = 0.5, .clusters = 6, .directions = DirectionCount::none});
  EXPECT_EQ(engine_of(result), "walk");
  return line_of(result);
}

// Many columns, worked on along directions.
std::string directions() {
  const FitResult result =
      fit_transform(toy_images(2400, 240, 5),
                    {.clusterings = 150, .decay = 0.5, .clusters = 5, .directions = 40});
  EXPECT_EQ(engine_of(result), "walk");
  return line_of(result);
}

std::string cosine_directions() {
  return line_of(fit_transform(smooth_images(400, 300), {.clusterings = 40,
                                                         .decay = 0.5,
                                                         .clusters = 6,
                                                         .metric = Metric::cosine,
                                                         .directions = 12}));
}

std::string weighted_words() {
  return line_of(fit_transform(toy_counts(500, 200, 4), {.clusterings = 60,
                                                         .decay = 0.5,
                                                         .clusters = 4,
                                                         .metric = Metric::cosine,
                                                         .weighting = Weighting::log_tfidf}));
}

std::string weighted_cells() {
  return line_of(fit_transform(toy_counts(500, 200, 4), {.clusterings = 60,
                                                         .decay = 0.5,
                                                         .clusters = 4,
                                                         .weighting = Weighting::cells,
                                                         .directions = 30}));
}

std::string tree_walk() {
  const FitResult result =
      fit_transform(thirds(toy_images(2600, 6, 4)),
                    {.clusterings = 200, .feature_fraction = 1, .decay = 0.5, .clusters = 4});
  EXPECT_EQ(engine_of(result), "walk");
  return line_of(result);
}

std::string cosine_walk() {
  const FitResult result =
      fit_transform(thirds(toy_images(2400, 64, 5)),
                    {.clusterings = 150, .decay = 0.5, .clusters = 5, .metric = Metric::cosine});
  EXPECT_EQ(engine_of(result), "walk");
  return line_of(result);
}

// The metrics without inner products, walked.
std::string walk_by(Metric metric) {
  const FitResult result =
      fit_transform(thirds(toy_images(2400, 64, 5)),
                    {.clusterings = 150, .decay = 0.5, .clusters = 5, .metric = metric});
  EXPECT_EQ(engine_of(result), "walk");
  return line_of(result);
}
std::string manhattan_walk() {
  return walk_by(Metric::manhattan);
}
std::string chi_squared_walk() {
  return walk_by(Metric::chi_squared);
}
std::string hamming_walk() {
  return walk_by(Metric::hamming);
}

// Whole numbers with many ties.
std::string precomputed() {
  const Matrix images = toy_images(600, 6, 5);
  Matrix distances(600, 600);
  for (std::size_t i = 0; i < 600; ++i) {
    for (std::size_t j = 0; j < 600; ++j) {
      float sum = 0;
      for (std::size_t c = 0; c < 6; ++c) sum += std::abs(images.at(i, c) - images.at(j, c));
      distances.mutable_row<float>(i)[j] = sum;
    }
  }
  return line_of(fit_transform(
      distances, {.clusterings = 150, .decay = 0.5, .clusters = 5, .metric = Metric::precomputed}));
}

// Words of a document as a set, dense and sparse.
std::string jaccard_walk() {
  Matrix sets = toy_images(2400, 64, 5);
  for (std::size_t i = 0; i < sets.rows(); ++i) {
    std::uint8_t* row = sets.mutable_row<std::uint8_t>(i);
    for (std::size_t j = 0; j < sets.columns(); ++j) row[j] = row[j] > 128 ? row[j] : 0;
  }
  const FitResult result = fit_transform(
      sets, {.clusterings = 150, .decay = 0.5, .clusters = 5, .metric = Metric::jaccard});
  EXPECT_EQ(engine_of(result), "walk");
  return line_of(result);
}
std::string jaccard_sparse() {
  return line_of(
      fit_transform(toy_counts(500, 200, 4),
                    {.clusterings = 60, .decay = 0.5, .clusters = 4, .metric = Metric::jaccard}));
}
std::string chi_squared_sparse() {
  return line_of(fit_transform(toy_counts(500, 200, 4), {.clusterings = 60,
                                                         .decay = 0.5,
                                                         .clusters = 4,
                                                         .metric = Metric::chi_squared,
                                                         .weighting = Weighting::logarithm}));
}

std::string correlation() {
  return line_of(fit_transform(
      thirds(toy_images(400, 24, 3)),
      {.clusterings = 40, .decay = 0.5, .clusters = 3, .metric = Metric::correlation}));
}
std::string hellinger_directions() {
  return line_of(fit_transform(smooth_images(400, 300), {.clusterings = 40,
                                                         .decay = 0.5,
                                                         .clusters = 6,
                                                         .metric = Metric::hellinger,
                                                         .directions = 12}));
}

std::string scaled_unknown_clusters() {
  return line_of(
      fit_transform(thirds(toy_images(400, 12, 3)), {.clusterings = 40, .scale = Scale::standard}));
}

// More draws than 24 times the pool: all clusterings of a row together, by bounds.
std::string sparse_together() {
  return line_of(
      fit_transform(toy_counts(500, 200, 4),
                    {.clusterings = 100, .decay = 0.5, .clusters = 4, .metric = Metric::cosine}));
}

// Fewer: one clustering at a time.
std::string sparse_one_at_a_time() {
  return line_of(fit_transform(toy_counts(500, 200, 4),
                               {.clusterings = 100, .decay = 0.5, .centroids = 40, .clusters = 4}));
}

std::string decay_chosen() {
  const FitResult result = fit_transform(
      toy_images(240, 16, 4), {.clusterings = 40, .decay = std::nullopt, .clusters = 6, .seed = 3});
  return fmt::format("{} decay {}", line_of(result), *result.model.options().decay);
}

std::string clusters_found() {
  const FitResult result = fit_transform(
      toy_images(240, 16, 4), {.clusterings = 40, .clusters = Clusters::find, .most_clusters = 8});
  return fmt::format("{} clusters {}", line_of(result), result.model.options().clusters.count());
}

// The map of all rows, of which half are kept, and of rows that it has not seen.
std::string map() {
  const Matrix rows = toy_images(400, 30, 5);
  const FitResult result = fit_transform(
      rows, {.clusterings = 20, .decay = 0.5, .clusters = 5, .pool = 200, .restarts = 2, .map = 2});
  return fmt::format("{} {} {}", tensors_of(result.model), cells_of(result.map),
                     cells_of(result.model.map(toy_images(50, 30, 5, 9))));
}

// Missing cells, compared on columns and completed along directions.
std::string partial() {
  return line_of(fit_transform(with_holes(thirds(toy_images(300, 24, 3)), 4),
                               {.clusterings = 40,
                                .decay = 0.5,
                                .clusters = 3,
                                .missing = MissingValues::partial,
                                .map = 2}));
}

std::string partial_directions() {
  return line_of(
      fit_transform(with_holes(smooth_images(400, 120), 4), {.clusterings = 40,
                                                             .decay = 0.5,
                                                             .clusters = 6,
                                                             .directions = 12,
                                                             .missing = MissingValues::partial}));
}

std::string pool() {
  return line_of(fit_transform(toy_images(600, 24, 3),
                               {.clusterings = 40, .decay = 0.5, .clusters = 3, .pool = 150}));
}

// The student's outputs stand in the place of a model's tensors.
std::string student() {
  const Matrix rows = toy_images(400, 24, 3);
  const Model teacher = fit(rows, {.clusterings = 40, .decay = 0.5, .clusters = 3});
  const Student taught = compress(teacher, rows, {.hidden = {32, 16}, .epochs = 3}).student;
  const std::vector<std::int32_t> labels = taught.predict(rows);
  return fmt::format("- {} {}", cells_of(taught.transform(rows)),
                     hex(labels.data(), labels.size() * sizeof(labels[0])));
}

std::string lsa() {
  const SparseMatrix counts = toy_counts(500, 200, 4);
  const Lsa found = Lsa::fit(counts, {.components = 8});
  return fmt::format("{} {} -", tensors_of(found.to_bytes()), cells_of(found.transform(counts)));
}

std::map<std::string, std::string> recorded() {
  std::map<std::string, std::string> lines;
  std::ifstream file(std::string(MBN_TESTS_DIR) + "/golden/fits.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t name = line.find(' ');
    lines[line.substr(0, name)] = line.substr(name + 1);
  }
  return lines;
}

struct Case {
  const char* name;
  std::string (*run)();
};

constexpr std::array kCases = {Case{"dense-exact", dense_exact},
                               Case{"dense-walk", dense_walk},
                               Case{"dense-walk-floats", dense_walk_floats},
                               Case{"ranked-walk", ranked_walk},
                               Case{"directions", directions},
                               Case{"cosine-directions", cosine_directions},
                               Case{"weighted-words", weighted_words},
                               Case{"weighted-cells", weighted_cells},
                               Case{"tree-walk", tree_walk},
                               Case{"cosine-walk", cosine_walk},
                               Case{"manhattan-walk", manhattan_walk},
                               Case{"chi-squared-walk", chi_squared_walk},
                               Case{"hamming-walk", hamming_walk},
                               Case{"precomputed", precomputed},
                               Case{"jaccard-walk", jaccard_walk},
                               Case{"jaccard-sparse", jaccard_sparse},
                               Case{"chi-squared-sparse", chi_squared_sparse},
                               Case{"correlation", correlation},
                               Case{"hellinger-directions", hellinger_directions},
                               Case{"scaled-unknown-clusters", scaled_unknown_clusters},
                               Case{"sparse-together", sparse_together},
                               Case{"sparse-one-at-a-time", sparse_one_at_a_time},
                               Case{"decay-chosen", decay_chosen},
                               Case{"clusters-found", clusters_found},
                               Case{"pool", pool},
                               Case{"partial", partial},
                               Case{"partial-directions", partial_directions},
                               Case{"map", map},
                               Case{"student", student},
                               Case{"lsa", lsa}};

class GoldenFits : public testing::TestWithParam<Case> {};

TEST_P(GoldenFits, AreTheSameBytesForEver) {
  const auto lines = recorded();
  const auto found = lines.find(GetParam().name);
  const std::string expected = found == lines.end() ? "(nothing recorded)" : found->second;
  const std::string seen = GetParam().run();
  EXPECT_EQ(seen, expected) << "in tests/golden/fits.txt it would be\n"
                            << GetParam().name << ' ' << seen;
}

INSTANTIATE_TEST_SUITE_P(All, GoldenFits, testing::ValuesIn(kCases), [](const auto& one) {
  std::string name = one.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(GoldenFits, EveryRecordedLineBelongsToAFit) {
  const auto lines = recorded();
  EXPECT_EQ(lines.size(), kCases.size());
  for (const Case& one : kCases) EXPECT_TRUE(lines.contains(one.name)) << one.name;
}

}  // namespace
}  // namespace mbn
