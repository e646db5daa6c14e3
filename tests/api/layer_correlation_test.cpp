// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <mbn/error.hpp>
#include <mbn/fit.hpp>
#include <mbn/layer_correlation.hpp>

#include "api/model_access.hpp"
#include "rows/toy.hpp"

namespace mbn {
namespace {

constexpr std::uint32_t kClusterings = 12;

// The slow twin: all pairs of residuals, with one-hot codes written out above the bottom.
double naive_correlation(const Model& model, MatrixView rows, std::uint32_t layer) {
  const ModelData& data = ModelAccess::data(model);
  const CodeMatrix codes = model.codes(rows, layer);
  const auto one_hot = [&](const CodeMatrix& source, std::size_t row) {
    std::vector<double> vector(kClusterings * source.centroids());
    for (std::size_t f = 0; f < kClusterings; ++f) {
      vector[f * source.centroids() + source.at(row, f)] = 1;
    }
    return vector;
  };
  const auto features = [&](MatrixView source, std::size_t row) {
    std::vector<double> vector(source.columns());
    for (std::size_t j = 0; j < vector.size(); ++j) vector[j] = source.at(row, j);
    return vector;
  };
  const CodeMatrix below = layer > 1 ? model.codes(rows, layer - 1) : CodeMatrix();
  double same = 0;
  double different = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto x = layer == 1 ? features(rows, i) : one_hot(below, i);
    std::vector<std::vector<double>> residuals;
    for (std::size_t v = 0; v < kClusterings; ++v) {
      const std::uint32_t drawn = data.draws(layer - 1).rows_of(v)[codes.at(i, v)];
      auto w = layer == 1 ? features(data.bottom.kept.dense(), drawn)
                          : one_hot(data.upper[layer - 2].kept, drawn);
      for (std::size_t j = 0; j < w.size(); ++j) w[j] -= x[j];
      residuals.push_back(w);
    }
    for (std::size_t u = 0; u < kClusterings; ++u) {
      for (std::size_t v = 0; v < kClusterings; ++v) {
        double product = 0;
        for (std::size_t j = 0; j < x.size(); ++j) product += residuals[u][j] * residuals[v][j];
        (u == v ? same : different) += product;
      }
    }
  }
  return (different / (kClusterings * (kClusterings - 1.0))) / (same / kClusterings);
}

TEST(LayerCorrelation, IsTheMeanOverAllPairsOfClusterings) {
  const Matrix rows = toy_images(60, 8, 3);
  const Model model =
      fit(rows, {.clusterings = kClusterings, .decay = 0.5, .centroids = 24, .clusters = 3});
  const Matrix strangers = toy_images(25, 8, 3, 5);
  ASSERT_GE(model.layers().size(), 3U);
  for (std::uint32_t layer = 1; layer <= model.layers().size(); ++layer) {
    const LayerCorrelation result = layer_correlation(model, strangers, layer, 0);
    EXPECT_NEAR(result.correlation, naive_correlation(model, strangers, layer), 1e-9);
    EXPECT_NEAR(result.error_ratio,
                1.0 / kClusterings + (1 - 1.0 / kClusterings) * result.correlation, 1e-12);
    EXPECT_NEAR(result.ensemble_error, result.error_ratio * result.single_error, 1e-9);
    EXPECT_GT(result.correlation, 0);
    EXPECT_LT(result.correlation, 1);
  }
}

TEST(LayerCorrelation, SamplesRowsAndRefusesNone) {
  const Matrix rows = toy_images(60, 8, 3);
  const Model model = fit(rows, {.clusterings = kClusterings});
  EXPECT_EQ(layer_correlation(model, rows, 1, 10).correlation,
            layer_correlation(model, rows, 1, 10, {.threads = 3}).correlation);
  EXPECT_EQ(layer_correlation(model, rows, 0, 10).correlation,
            layer_correlation(model, rows, static_cast<std::uint32_t>(model.layers().size()), 10)
                .correlation);
  EXPECT_THROW(layer_correlation(model, rows.view().slice(0, 0), 1), InvalidArgument);
}

}  // namespace
}  // namespace mbn
