// SPDX-License-Identifier: Apache-2.0
//
// The layout of few rows keeps what is large as it was at the start, which decides what islands lie
// near each other. The input's directions know that, the network's tell the islands apart: the
// principal directions of both together, the network's half stressed, were better than either alone
// (docs/adr/0038). Rows at one place are set a little apart, or nothing would ever part them.
#include "map/start_places.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "rows/directions.hpp"
#include "rows/gather.hpp"

namespace mbn {

namespace {

// The start reaches this far from the middle, and rows are set apart by so much.
constexpr double kReach = 10;
constexpr double kApart = 0.01;
constexpr float kStress = 2;
constexpr std::size_t kBlockRows = 256;
constexpr std::uint64_t kMostDirections = 3;

// The columns that count, and from which of them on they are the network's. A column of one value
// tells no rows apart, and is left out so that it changes nothing at all.
struct Columns {
  std::vector<std::uint32_t> numbers;
  std::size_t first_of_network = 0;

  std::size_t count() const { return numbers.size(); }
  void copy(const Matrix& joint, std::size_t row, float* out) const {
    gather_features(joint, row, numbers, out);
    for (std::size_t j = first_of_network; j < count(); ++j) out[j] *= kStress;
  }
};

Columns columns_that_vary(const Matrix& joint, std::size_t components) {
  Columns columns;
  const MatrixView rows = joint;
  for (std::uint32_t j = 0; j < joint.columns(); ++j) {
    if (j == joint.columns() - components) columns.first_of_network = columns.count();
    std::size_t row = 1;
    while (row < rows.rows() && rows.row<float>(row)[j] == rows.row<float>(0)[j]) ++row;
    if (row < rows.rows()) columns.numbers.push_back(j);
  }
  if (components == 0) columns.first_of_network = columns.count();
  return columns;
}

Directions directions_of(const Matrix& joint, const Columns& columns, std::uint32_t count,
                         Job& job) {
  const std::vector<std::uint32_t> drawn = direction_sample(joint.rows(), false);
  Matrix sample(drawn.size(), columns.count());
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    columns.copy(joint, drawn[i], sample.mutable_row<float>(i));
  }
  return find_directions(sample.view(), count, Metric::euclidean, job);
}

// Coordinates along the directions; zeros where there are fewer directions than dimensions.
void put_along(const Directions& directions, const Matrix& joint, const Columns& columns,
               Matrix& places, Job& job) {
  const Coordinates coordinates(directions, false);
  job.parallel(blocks(joint.rows(), kBlockRows), [&](std::size_t task, unsigned) {
    const std::size_t first = task * kBlockRows;
    const std::size_t count = std::min(kBlockRows, joint.rows() - first);
    std::vector<float> rows(count * columns.count());
    std::vector<float> out(count * coordinates.count());
    for (std::size_t i = 0; i < count; ++i) {
      columns.copy(joint, first + i, rows.data() + i * columns.count());
    }
    coordinates.of_dense(rows.data(), count, columns.count(), out.data());
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(out.data() + i * coordinates.count(), coordinates.count(),
                  places.mutable_row<float>(first + i));
    }
  });
}

// One column of the start: a component about its mean.
void put_along_component(MatrixView components, std::span<const std::uint32_t> numbers,
                         std::size_t column, Matrix& places) {
  double mean = 0;
  for (const std::uint32_t row : numbers) mean += double{components.row<float>(row)[column]};
  mean /= static_cast<double>(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    places.mutable_row<float>(i)[column] =
        static_cast<float>(double{components.row<float>(numbers[i])[column]} - mean);
  }
}

void scale_and_set_apart(std::uint64_t seed, Matrix& places) {
  float largest = 0;
  const std::size_t cells = places.rows() * places.columns();
  float* const all = places.mutable_row<float>(0);
  for (std::size_t i = 0; i < cells; ++i) largest = std::max(largest, std::abs(all[i]));
  const double factor = largest > 0 ? kReach / double{largest} : 0;
  Random random(seed, Purpose::map);
  for (std::size_t i = 0; i < cells; ++i) {
    const double apart = kApart * (2 * random.uniform() - 1);
    all[i] = static_cast<float>(double{all[i]} * factor + apart);
  }
}

}  // namespace

Matrix start_along_directions(const Matrix& joint, std::size_t components, std::uint32_t dimensions,
                              std::uint64_t seed, Job& job) {
  Matrix places(joint.rows(), dimensions);
  const Columns columns = columns_that_vary(joint, components);
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(dimensions, columns.count()));
  if (count > 0) {
    const Directions directions = directions_of(joint, columns, count, job);
    if (!directions.empty()) put_along(directions, joint, columns, places, job);
  }
  scale_and_set_apart(seed, places);
  return places;
}

Matrix start_along_components(MatrixView components, std::span<const std::uint32_t> numbers,
                              std::uint32_t dimensions, std::uint64_t seed) {
  Matrix places(numbers.size(), dimensions);
  for (std::size_t c = 0; c < std::min<std::size_t>(dimensions, components.columns()); ++c) {
    put_along_component(components, numbers, c, places);
  }
  scale_and_set_apart(seed, places);
  return places;
}

std::uint64_t start_along_directions_bytes(std::uint64_t rows, std::uint64_t joint_columns) {
  const std::uint64_t sample = std::min<std::uint64_t>(rows, direction_rows(false));
  // The sample, its copy without the centre, and what finds directions of it.
  return 2 * sample * joint_columns * sizeof(float) +
         find_directions_bytes(sample, joint_columns, kMostDirections);
}

}  // namespace mbn
