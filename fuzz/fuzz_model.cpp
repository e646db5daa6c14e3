// SPDX-License-Identifier: Apache-2.0
//
// Untrusted model files. The input is read four times: as a model and as a checkpoint, with
// checksums and without. A fuzzer cannot guess hashes, so only the reading without them reaches the
// checks behind; what passes those checks is then walked as a later use would walk it, with every
// index followed, so that the address sanitizer sees a check that was forgotten.
#include <cstddef>
#include <cstdint>
#include <span>

#include <mbn/error.hpp>

#include "map/placer.hpp"
#include "store/model_reader.hpp"

namespace {

void require(bool condition) {
  if (!condition) __builtin_trap();
}

std::uint64_t walk_draws(const mbn::Draws& draws, std::size_t kept_rows, std::size_t inputs,
                         std::uint64_t sum) {
  for (std::size_t v = 0; v < draws.clusterings; ++v) {
    for (const std::uint32_t row : draws.rows_of(v)) {
      require(row < kept_rows);
      sum += row;
    }
    for (const std::uint32_t column : draws.columns_of(v)) {
      require(column < inputs);
      sum += column;
    }
  }
  return sum;
}

void walk(const mbn::ModelData& model) {
  const mbn::Directions& directions = model.preparation.directions;
  const std::uint64_t columns = directions.empty() ? model.columns : directions.count();
  std::uint64_t sum = walk_draws(model.bottom.draws, model.bottom.kept.rows(), columns, 0);
  require(model.bottom.kept.columns() == columns);
  if (model.bottom.is_sparse()) {
    for (std::size_t row = 0; row < model.bottom.kept.rows(); ++row) {
      for (const std::uint32_t column : model.bottom.kept.sparse().view().indices(row)) {
        require(column < model.columns);
        sum += column;
      }
    }
  }
  const mbn::Scaler& scaler = model.preparation.scaler;
  require(scaler.shift.size() == scaler.factor.size());
  for (std::size_t i = 0; i < model.upper.size(); ++i) {
    const mbn::UpperLayer& layer = model.upper[i];
    const mbn::Draws& below = model.draws(i);
    require(layer.kept.clusterings() == below.clusterings);
    sum = walk_draws(layer.draws, layer.kept.rows(), below.clusterings, sum);
    for (std::size_t row = 0; row < layer.kept.rows(); ++row) {
      for (std::size_t v = 0; v < below.clusterings; ++v) {
        sum += below.rows_of(v)[layer.kept.at(row, v)];
      }
    }
  }
  const volatile std::uint64_t seen = sum;
  static_cast<void>(seen);
}

void walk_top(const mbn::ModelData& model) {
  const mbn::Draws& top = model.draws(model.layer_count() - 1);
  const mbn::Projection& projection = model.projection;
  require(projection.loadings.size() ==
          std::size_t{top.clusterings} * top.centroids * projection.components);
  require(projection.offset.size() == projection.components);
  require(projection.variance.size() == projection.components);
  require(model.centres.rows() == model.options.clusters.count_or(0));
}

void walk_map(const mbn::ModelData& model) {
  if (model.map.empty()) return;
  require(model.map.places.rows() == model.bottom.kept.rows());
  require(model.map.components.rows() == model.bottom.kept.rows());
  constexpr std::size_t kFewCells = 10'000;
  if (model.bottom.kept.rows() * (model.bottom.kept.columns() + 1) > kFewCells) return;
  mbn::Job job(mbn::RunOptions{.threads = 1});
  const mbn::Placer placer(model.map, model.bottom.kept, 0, job);
  const mbn::Matrix placed = placer.place(model.bottom.kept, model.map.components, job);
  require(placed.rows() == model.bottom.kept.rows());
}

void read(std::span<const std::uint8_t> bytes, mbn::Checksums checksums) {
  try {
    const mbn::ModelData model = mbn::read_model(mbn::TensorReader(bytes, "fuzz", checksums));
    walk(model);
    walk_top(model);
    walk_map(model);
  } catch (const mbn::FormatError&) {
  }
  try {
    const mbn::Checkpoint checkpoint =
        mbn::read_checkpoint(mbn::TensorReader(bytes, "fuzz", checksums));
    walk(checkpoint.model);
    require(checkpoint.codes.rows() == checkpoint.model.training_rows);
  } catch (const mbn::FormatError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read({data, size}, mbn::Checksums::verify);
  read({data, size}, mbn::Checksums::ignore);
  return 0;
}
