// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>

#include "api/model_access.hpp"
#include "bottom/sparse_cases.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

FitOptions options_for(Metric metric) {
  return {.clusterings = 30, .decay = 0.5, .clusters = 3, .metric = metric, .seed = 5};
}

// Counts of words: three groups with words of their own, and a few that all use.
Matrix toy_documents(std::size_t rows, std::size_t columns) {
  Random random(3, Purpose::generate);
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    float* row = matrix.mutable_row<float>(i);
    const auto own = static_cast<std::uint32_t>(columns / 3);
    const std::size_t first = (i % 3) * own;
    for (int word = 0; word < 8; ++word) row[first + random.below(own)] += 1;
    for (int word = 0; word < 3; ++word) row[random.below(8)] += 1;
  }
  return matrix;
}

void expect_same_model(const FitResult& a, const FitResult& b, RowsView rows_a, RowsView rows_b) {
  EXPECT_EQ(a.model.to_bytes(), b.model.to_bytes());
  EXPECT_TRUE(same_bytes(a.embedding, b.embedding));
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.notes, b.notes);
  for (std::uint32_t layer = 1; layer <= a.model.layers().size(); ++layer) {
    const CodeMatrix codes = a.model.codes(rows_a, layer);
    EXPECT_EQ(codes, a.model.codes(rows_b, layer));
    EXPECT_EQ(codes, b.model.codes(rows_a, layer));
    EXPECT_EQ(codes, b.model.codes(rows_b, layer));
  }
}

TEST(Sparse, AMatrixAndItsDenseCopyGiveTheSameBytes) {
  const Matrix dense = toy_documents(300, 240);
  const SparseMatrix sparse = compress_plainly(dense);
  for (const Metric metric : {Metric::cosine, Metric::euclidean}) {
    const FitResult a = fit_transform(dense, options_for(metric), {.threads = 2});
    const FitResult b = fit_transform(sparse, options_for(metric), {.threads = 1});
    EXPECT_TRUE(ModelAccess::data(a.model).bottom.is_sparse());
    expect_same_model(a, b, dense, sparse);
    EXPECT_TRUE(same_bytes(b.model.transform(sparse), b.embedding));
    EXPECT_TRUE(same_bytes(b.model.transform(dense), b.embedding));
    EXPECT_EQ(b.model.predict(sparse), b.labels);
    EXPECT_TRUE(same_bytes(b.model.transform(sparse.view().slice(7, 1)),
                           b.model.transform(dense.view().slice(7, 1))));
  }
}

TEST(Sparse, SoDoThoseWithFewZerosWhichAreWorkedOnDense) {
  const Matrix dense = as_floats(toy_images(300, 40, 3));
  const SparseMatrix sparse = compress_plainly(dense);
  for (const Metric metric : {Metric::cosine, Metric::euclidean}) {
    const FitResult a = fit_transform(dense, options_for(metric));
    const FitResult b = fit_transform(sparse, options_for(metric));
    EXPECT_FALSE(ModelAccess::data(b.model).bottom.is_sparse());
    expect_same_model(a, b, dense, sparse);
  }
}

TEST(Sparse, TheCodesAreThoseOfExactSearchOfDenseRows) {
  // One cell in sixteen is the border between the ways; on both sides of it exact search is exact.
  const Matrix dense = toy_documents(120, 240);
  FitOptions options = options_for(Metric::cosine);
  options.engine = Engine::exact;
  const FitResult result = fit_transform(dense, options);
  ASSERT_TRUE(ModelAccess::data(result.model).bottom.is_sparse());
  ModelData data = {.options = result.model.options(),
                    .selection = {},
                    .training_rows = 120,
                    .columns = 240,
                    .column_names = {},
                    .preparation = {},
                    .bottom = {},
                    .upper = ModelAccess::data(result.model).upper,
                    .projection = ModelAccess::data(result.model).projection,
                    .centres = {},
                    .votes = {}};
  data.options.clusters = Clusters::unknown;
  data.preparation.scaler.metric = Metric::cosine;
  data.bottom.draws = ModelAccess::data(result.model).bottom.draws;
  const SparseMatrix& pool = ModelAccess::data(result.model).bottom.kept.sparse();
  Matrix filled(pool.rows(), pool.columns);
  for (std::size_t i = 0; i < pool.rows(); ++i) {
    const auto at = pool.view().indices(i);
    for (std::size_t n = 0; n < at.size(); ++n) {
      filled.mutable_row<float>(i)[at[n]] = pool.view().values(i)[n];
    }
  }
  data.bottom.kept = std::move(filled);
  const Model by_dense_rows = ModelAccess::make(std::move(data));
  EXPECT_EQ(by_dense_rows.codes(dense, 1), result.model.codes(dense, 1));
  EXPECT_TRUE(same_bytes(by_dense_rows.transform(dense), result.embedding));
}

// With directions the network works on dense coordinates, but rows stay sparse until then.
TEST(Sparse, WeightedCountsAreBroughtToDirections) {
  const Matrix dense = toy_documents(150, 240);
  const SparseMatrix sparse = compress_plainly(dense);
  for (const Weighting weighting : {Weighting::log_tfidf, Weighting::cells}) {
    for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
      FitOptions options = options_for(metric);
      options.weighting = weighting;
      const FitResult a = fit_transform(dense, options, {.threads = 2});
      const FitResult b = fit_transform(sparse, options, {.threads = 1});
      EXPECT_EQ(a.model.directions().count, weighting == Weighting::cells ? 64U : 100U);
      EXPECT_TRUE(same_bytes(a.embedding, b.embedding));
      EXPECT_EQ(a.labels, b.labels);
      EXPECT_TRUE(same_bytes(b.model.transform(dense), b.embedding));
      EXPECT_TRUE(
          same_bytes(b.model.transform(sparse.view().slice(7, 1)), b.embedding.view().slice(7, 1)));
      const Model back = Model::from_bytes(b.model.to_bytes());
      EXPECT_TRUE(same_bytes(back.transform(dense), b.embedding));
    }
  }
  EXPECT_EQ(fit(sparse, options_for(Metric::cosine)).directions().count, 0U);
}

TEST(Sparse, StoredZerosAreZeros) {
  const SparseMatrix sparse = compress_plainly(toy_documents(150, 240));
  SparseMatrix padded;
  padded.columns = sparse.columns;
  for (std::size_t i = 0; i < sparse.rows(); ++i) {
    const auto at = sparse.view().indices(i);
    const bool has_last = !at.empty() && at.back() == 239;
    padded.indices.insert(padded.indices.end(), at.begin(), at.end());
    const auto values = sparse.view().values(i);
    padded.values.insert(padded.values.end(), values.begin(), values.end());
    if (!has_last) {
      padded.indices.push_back(239);
      padded.values.push_back(0);
    }
    padded.starts.push_back(padded.indices.size());
  }
  ASSERT_GT(padded.indices.size(), sparse.indices.size());
  EXPECT_EQ(fit(padded, options_for(Metric::cosine)).to_bytes(),
            fit(sparse, options_for(Metric::cosine)).to_bytes());
}

TEST(Sparse, AModelFileKeepsCompressedRowsCompressed) {
  const SparseMatrix sparse = compress_plainly(toy_documents(200, 900));
  const Model model = fit(sparse, options_for(Metric::cosine));
  const Model back = Model::from_bytes(model.to_bytes());
  EXPECT_EQ(back.codes(sparse), model.codes(sparse));
  EXPECT_EQ(back.memory_bytes(), model.memory_bytes());
  EXPECT_LT(model.layers()[0].bytes,
            sparse.indices.size() * 8 + 201 * 8 + 30 * (100 + 450) * 4 + 1);
}

TEST(Sparse, ACheckpointGoesOnWithEitherKindOfRows) {
  const Matrix dense = toy_documents(200, 240);
  const SparseMatrix sparse = compress_plainly(dense);
  const auto path = std::filesystem::temp_directory_path() / "mbn-sparse-checkpoint.mbn";
  Fitter first(sparse, options_for(Metric::cosine));
  first.add_layer();
  first.save_checkpoint(path);
  Fitter second = Fitter::resume(path, dense, options_for(Metric::cosine));
  std::filesystem::remove(path);
  while (!second.done()) second.add_layer();
  EXPECT_EQ(second.finish().model.to_bytes(), fit(sparse, options_for(Metric::cosine)).to_bytes());
}

TEST(Sparse, RowsThatMakeNoSenseAreRefused) {
  const auto refused = [](const SparseMatrix& rows, const std::string& part) {
    try {
      fit(rows, {.clusterings = 2});
      FAIL() << "accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused({.columns = 3, .starts = {0, 1, 2}, .indices = {0, 3}, .values = {1, 1}},
          "names column 3");
  refused({.columns = 3, .starts = {0, 2, 2}, .indices = {1, 1}, .values = {1, 1}}, "twice");
  refused({.columns = 3, .starts = {0, 2, 2}, .indices = {2, 1}, .values = {1, 1}}, "out of order");
  refused({.columns = 3,
           .starts = {0, 1, 1},
           .indices = {2},
           .values = {std::numeric_limits<float>::infinity()}},
          "row 1, column 3");
}

TEST(Sparse, ScalesAreRefusedWithWhatToDo) {
  const SparseMatrix sparse = compress_plainly(toy_documents(50, 240));
  try {
    fit(sparse, {.clusterings = 5, .scale = Scale::standard});
    FAIL() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("metric = cosine"), std::string::npos) << error.what();
    EXPECT_EQ(error.code(), ErrorCode::sparse_rows);
    EXPECT_EQ(error.option(), "scale");
    EXPECT_EQ(error.value(), "standard");
  }
}

TEST(Sparse, ThePlanKnowsWhatZerosSave) {
  const Matrix dense = toy_documents(400, 2400);
  const SparseMatrix sparse = compress_plainly(dense);
  const FitOptions options = options_for(Metric::cosine);
  const Plan small = plan(sparse, options, {.threads = 1});
  EXPECT_LT(small.peak_bytes, plan(dense.shape(), options, {.threads = 1}).peak_bytes / 2);
  const Model model = fit(sparse, options);
  EXPECT_GE(small.model_bytes, model.memory_bytes());
  EXPECT_LE(static_cast<double>(small.model_bytes),
            1.2 * static_cast<double>(model.memory_bytes()));
  EXPECT_THROW(plan(sparse, options, {.memory_limit = 100'000}), MemoryLimitExceeded);
}

}  // namespace
}  // namespace mbn
