// SPDX-License-Identifier: Apache-2.0
//
// The builder behind the other tests of store/, and a test that it keeps its promises.
//
// A layer of k centroids has a pool of k + 2 rows (fewer clusterings: less), and clustering v draws
// the k rows from v on, going round, backwards when v is odd: all kept rows are drawn, none twice
// by one clustering. Floats are multiples of 1/8, so they are exact everywhere.
#include "store/hand_made.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>

#include <mbn/error.hpp>

#include "store/model_file.hpp"

namespace mbn::hand_made {

namespace {

std::uint32_t kept_rows(const Recipe& recipe, std::uint32_t centroids) {
  return centroids + std::min(2U, recipe.clusterings - 1);
}

Draws make_draws(const Recipe& recipe, std::uint32_t centroids, std::uint32_t inputs) {
  Draws draws;
  draws.clusterings = recipe.clusterings;
  draws.centroids = centroids;
  draws.features = std::max(1U, inputs / recipe.inputs_per_feature);
  const std::uint32_t pool = kept_rows(recipe, centroids);
  for (std::uint32_t v = 0; v < draws.clusterings; ++v) {
    for (std::uint32_t i = 0; i < centroids; ++i) {
      draws.rows.push_back((v + (v % 2 == 0 ? i : centroids - 1 - i)) % pool);
    }
    const std::uint32_t first = v % (inputs - draws.features + 1);
    for (std::uint32_t i = 0; i < draws.features; ++i) draws.columns.push_back(first + i);
  }
  return draws;
}

CodeMatrix make_codes(std::uint32_t rows, const Draws& below) {
  CodeMatrix codes(rows, below.clusterings, below.centroids);
  codes.visit([&](auto* cells) {
    for (std::uint32_t i = 0; i < rows * below.clusterings; ++i) {
      const std::uint32_t code = (i * 7 + 3) % below.centroids;
      cells[i] = static_cast<std::remove_reference_t<decltype(*cells)>>(code);
    }
  });
  return codes;
}

Matrix make_pool(std::uint32_t rows, std::uint32_t columns, ElementType type) {
  Matrix pool(rows, columns, type);
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < columns; ++j) {
      const std::uint32_t value = (i * 31 + j * 17) % 251;
      if (type == ElementType::uint8) {
        pool.mutable_row<std::uint8_t>(i)[j] = static_cast<std::uint8_t>(value);
      } else {
        pool.mutable_row<float>(i)[j] = static_cast<float>(value) / 8 - 10;
      }
    }
  }
  return pool;
}

// Some rows have no cells at all.
SparseMatrix make_sparse_pool(std::uint32_t rows, std::uint32_t columns) {
  SparseMatrix pool;
  pool.columns = columns;
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = i % 3; j < columns && i % 4 != 0; j += 3) {
      pool.indices.push_back(j);
      pool.values.push_back(static_cast<float>(i + j) / 8 - 1.5F);
    }
    pool.starts.push_back(pool.indices.size());
  }
  return pool;
}

Projection make_projection(const Draws& top, std::uint32_t components) {
  Projection projection;
  projection.components = components;
  projection.clusterings = top.clusterings;
  projection.centroids = top.centroids;
  const std::uint32_t cells = top.clusterings * top.centroids * components;
  for (std::uint32_t i = 0; i < cells; ++i) {
    projection.loadings.push_back(static_cast<float>(i % 13) / 8 - 0.75F);
  }
  for (std::uint32_t i = 0; i < components; ++i) {
    projection.offset.push_back(0.125 * (i + 1));
    projection.variance.push_back(4.0 / (i + 1));
  }
  projection.total_variance = 1e-3;
  return projection;
}

ModelData make_network(const Recipe& recipe) {
  ModelData model;
  model.options = {.clusterings = recipe.clusterings,
                   .feature_fraction = 1.0 / 3,
                   .decay = 0.6,
                   .centroids = recipe.centroids.front(),
                   .clusters = recipe.clusters != 0 ? Clusters(recipe.clusters) : Clusters::unknown,
                   .metric = recipe.metric,
                   .scale = recipe.scale,
                   .directions = DirectionCount::none,
                   .solver = Solver::lanczos,
                   .seed = 18446744073709551557U};
  model.columns = recipe.columns;
  model.training_rows = recipe.centroids.front() + 10;
  model.preparation.scaler.scale = recipe.scale;
  model.preparation.scaler.metric = recipe.metric;
  if (recipe.scale != Scale::none) {
    for (std::uint32_t i = 0; i < recipe.columns; ++i) {
      model.preparation.scaler.shift.push_back(i / 3.0);
      model.preparation.scaler.factor.push_back(1.0 / (i + 1));
    }
  }
  const std::uint32_t bottom = recipe.centroids.front();
  model.bottom.draws = make_draws(recipe, bottom, recipe.columns);
  model.preparation.sparse = recipe.sparse;
  if (recipe.sparse) {
    model.bottom.kept = make_sparse_pool(kept_rows(recipe, bottom), recipe.columns);
  } else {
    model.bottom.kept = make_pool(kept_rows(recipe, bottom), recipe.columns, recipe.type);
  }
  for (std::size_t layer = 1; layer < recipe.centroids.size(); ++layer) {
    const std::uint32_t centroids = recipe.centroids[layer];
    UpperLayer upper;
    upper.kept = make_codes(kept_rows(recipe, centroids), model.draws(layer - 1));
    upper.draws = make_draws(recipe, centroids, recipe.clusterings);
    model.upper.push_back(std::move(upper));
  }
  return model;
}

template <class Write>
std::vector<std::uint8_t> written_bytes(const Write& write) {
  const Folder folder;
  write(folder.file("hand-made.mbn"));
  return bytes_of_file(folder.file("hand-made.mbn"));
}

}  // namespace

ModelData make_model(const Recipe& recipe) {
  ModelData model = make_network(recipe);
  model.projection = make_projection(model.draws(model.layer_count() - 1), recipe.components);
  if (recipe.clusters != 0) {
    model.centres = make_pool(recipe.clusters, recipe.components, ElementType::float32);
  }
  return model;
}

Checkpoint make_checkpoint(const Recipe& recipe) {
  Checkpoint checkpoint;
  checkpoint.model = make_network(recipe);
  checkpoint.codes = make_codes(static_cast<std::uint32_t>(checkpoint.model.training_rows),
                                checkpoint.model.draws(checkpoint.model.layer_count() - 1));
  checkpoint.data_hash = 0xfedcba9876543210;
  return checkpoint;
}

bool same(MatrixView a, MatrixView b) {
  if (a.shape() != b.shape()) return false;
  const auto same_rows = [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    for (std::size_t i = 0; i < a.rows(); ++i) {
      if (std::memcmp(a.row<T>(i), b.row<T>(i), a.columns() * sizeof(T)) != 0) return false;
    }
    return true;
  };
  return a.type() == ElementType::float32 ? same_rows(static_cast<float*>(nullptr))
                                          : same_rows(static_cast<std::uint8_t*>(nullptr));
}

bool same_kept(const Rows& a, const Rows& b) {
  if (a.is_sparse() != b.is_sparse()) return false;
  return a.is_sparse() ? a.sparse() == b.sparse() : same(a.dense(), b.dense());
}

bool same(const Preparation& a, const Preparation& b) {
  return a.weights == b.weights && a.scaler == b.scaler && a.sparse == b.sparse &&
         same(a.directions.basis, b.directions.basis) &&
         a.directions.centre == b.directions.centre &&
         a.directions.variance == b.directions.variance &&
         a.directions.total_variance == b.directions.total_variance;
}

bool same(const ModelData& a, const ModelData& b) {
  bool equal = a.options == b.options && a.training_rows == b.training_rows &&
               a.updated_rows == b.updated_rows && a.columns == b.columns &&
               same(a.preparation, b.preparation) && a.bottom.draws == b.bottom.draws &&
               a.bottom.settings == b.bottom.settings && same_kept(a.bottom.kept, b.bottom.kept) &&
               a.upper.size() == b.upper.size() && a.projection == b.projection &&
               same(a.centres, b.centres);
  for (std::size_t i = 0; equal && i < a.upper.size(); ++i) {
    equal = a.upper[i].draws == b.upper[i].draws && a.upper[i].kept == b.upper[i].kept;
  }
  return equal;
}

bool same(const Checkpoint& a, const Checkpoint& b) {
  return same(a.model, b.model) && a.codes == b.codes && a.data_hash == b.data_hash;
}

Folder::Folder() {
  static std::atomic<int> counter = 0;
  path_ = std::filesystem::temp_directory_path() /
          ("mbn-store-" + std::to_string(::getpid()) + "-" + std::to_string(counter++));
  std::filesystem::create_directories(path_);
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::uint8_t> bytes_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_bytes(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream file(path, std::ios::binary);
  std::ranges::copy(bytes, std::ostreambuf_iterator<char>(file));
}

std::vector<std::uint8_t> file_bytes(const ModelData& model) {
  return written_bytes([&](const auto& path) { write_model_file(path, model, false); });
}

std::vector<std::uint8_t> file_bytes(const Checkpoint& checkpoint) {
  return written_bytes([&](const auto& path) { write_checkpoint_file(path, checkpoint); });
}

std::vector<std::uint8_t> raw_file(const std::string& header, const std::string& data) {
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back((header.size() >> (8 * i)) & 0xff);
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

std::string format_error(const std::function<void()>& body) {
  try {
    body();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TEST(HandMade, TwoOfOneRecipeAreTheSameAndOthersAreNot) {
  EXPECT_TRUE(same(make_model({}), make_model({})));
  EXPECT_TRUE(same(make_checkpoint({}), make_checkpoint({})));
  EXPECT_FALSE(same(make_model({}), make_model({.clusters = 3})));
  ModelData changed = make_model({});
  changed.upper[1].draws.rows[0] ^= 1;
  EXPECT_FALSE(same(make_model({}), changed));
}

}  // namespace mbn::hand_made
