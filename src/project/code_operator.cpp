// SPDX-License-Identifier: Apache-2.0
//
// Products with the one-hot matrix Z need no multiplications. x is a table with one row for each
// (clustering, code). A row of Z x is the sum of one table row for each clustering, and Z^T y adds
// each row of y to one table row for each clustering. Centring is a rank-one correction:
//
//     Zc x   = Z x   - 1 (m^T x)          (Zc = Z - 1 m^T)
//     Zc^T y = Z^T y - m (1^T y)
//
// Z x is cut into blocks of rows. Within a block, clusterings are taken in tiles whose tables fit
// the first-level cache; each row still adds its clusterings in order. A single column is a chain
// of dependent additions, so several rows advance side by side to hide their latency.
//
// Z^T y is cut by clusterings: every task owns its part of the result and passes over all rows in
// order. So each sum is made by one thread in one order, and the bytes do not depend on the number
// of threads.
#include "project/code_operator.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace mbn::pca {

namespace {

constexpr std::size_t kRowsPerTask = 1024;
constexpr std::size_t kRowsSideBySide = 8;
constexpr std::size_t kTileBytes = 16 * 1024;
// Z^T y: clusterings are divided among this many tasks (or fewer), whatever the number of threads.
constexpr std::size_t kGroups = 16;
constexpr std::size_t kRowsPerChunk = 256;
constexpr std::size_t kRowsAhead = 12;

std::size_t tile_clusterings(std::size_t centroids, std::size_t width) {
  return std::max<std::size_t>(kTileBytes / (centroids * width * sizeof(double)), 1);
}

struct Range {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Calls `body(width, column)` for columns eight at a time (a cache line of doubles), then four,
/// then singly; `width` is a compile-time constant.
template <class Body>
void for_each_chunk(std::size_t columns, Body&& body) {
  std::size_t column = 0;
  for (; column + 8 <= columns; column += 8) {
    body(std::integral_constant<std::size_t, 8>{}, column);
  }
  for (; column + 4 <= columns; column += 4) {
    body(std::integral_constant<std::size_t, 4>{}, column);
  }
  for (; column < columns; ++column) body(std::integral_constant<std::size_t, 1>{}, column);
}

/// Adds the table rows of the clusterings in `tile` to `Width` columns of y.
template <std::size_t Width, class Code>
void add_tile(const CodeMatrix& codes, const Code* __restrict cells, Range rows, Range tile,
              const double* __restrict x, std::size_t columns, double* __restrict y) {
  const std::size_t clusterings = codes.clusterings();
  const std::size_t centroids = codes.centroids();
  for (std::size_t i = rows.first; i < rows.last; ++i) {
    const Code* code = cells + i * clusterings;
    std::array<double, Width> sum;
    for (std::size_t w = 0; w < Width; ++w) sum[w] = y[i * columns + w];
    for (std::size_t v = tile.first; v < tile.last; ++v) {
      const double* entry = x + (v * centroids + code[v]) * columns;
      for (std::size_t w = 0; w < Width; ++w) sum[w] += entry[w];
    }
    for (std::size_t w = 0; w < Width; ++w) y[i * columns + w] = sum[w];
  }
}

/// The same for one column, several rows at a time.
template <class Code>
void add_tile_side_by_side(const CodeMatrix& codes, const Code* __restrict cells, Range rows,
                           Range tile, const double* __restrict x, std::size_t columns,
                           double* __restrict y) {
  const std::size_t clusterings = codes.clusterings();
  const std::size_t centroids = codes.centroids();
  std::size_t i = rows.first;
  for (; i + kRowsSideBySide <= rows.last; i += kRowsSideBySide) {
    const Code* code = cells + i * clusterings;
    std::array<double, kRowsSideBySide> sum;
    for (std::size_t r = 0; r < kRowsSideBySide; ++r) sum[r] = y[(i + r) * columns];
    for (std::size_t v = tile.first; v < tile.last; ++v) {
      const double* table = x + v * centroids * columns;
      for (std::size_t r = 0; r < kRowsSideBySide; ++r) {
        sum[r] += table[code[r * clusterings + v] * columns];
      }
    }
    for (std::size_t r = 0; r < kRowsSideBySide; ++r) y[(i + r) * columns] = sum[r];
  }
  add_tile<1>(codes, cells, {i, rows.last}, tile, x, columns, y);
}

/// y += Z x for a block of rows and `Width` columns.
template <std::size_t Width, class Code>
void gather(const CodeMatrix& codes, const Code* cells, Range rows, const double* x,
            std::size_t columns, double* y) {
  const std::size_t clusterings = codes.clusterings();
  const std::size_t step = tile_clusterings(codes.centroids(), Width);
  for (std::size_t v = 0; v < clusterings; v += step) {
    const Range tile{v, std::min(v + step, clusterings)};
    if constexpr (Width == 1) {
      add_tile_side_by_side(codes, cells, rows, tile, x, columns, y);
    } else {
      add_tile<Width>(codes, cells, rows, tile, x, columns, y);
    }
  }
}

/// Adds `Width` columns of the rows of y to the table rows of the clusterings in `tile`.
template <std::size_t Width, class Code>
void scatter_tile(const CodeMatrix& codes, const Code* __restrict cells, Range rows, Range tile,
                  const double* __restrict y, std::size_t columns, double* __restrict x) {
  const std::size_t clusterings = codes.clusterings();
  const std::size_t centroids = codes.centroids();
  for (std::size_t i = rows.first; i < rows.last; ++i) {
    const Code* code = cells + i * clusterings;
    // A task reads a short piece of every row; such large strides are not prefetched by the
    // processor.
    const std::size_t ahead = std::min(i + kRowsAhead, codes.rows() - 1);
    __builtin_prefetch(cells + ahead * clusterings + tile.first);
    __builtin_prefetch(cells + ahead * clusterings + tile.last - 1);
    std::array<double, Width> part;
    for (std::size_t w = 0; w < Width; ++w) part[w] = y[i * columns + w];
    for (std::size_t v = tile.first; v < tile.last; ++v) {
      double* entry = x + (v * centroids + code[v]) * columns;
      for (std::size_t w = 0; w < Width; ++w) entry[w] += part[w];
    }
  }
}

/// x += Z^T y for the clusterings of one task and `Width` columns. All tiles of clusterings are
/// done for a chunk of rows before the next chunk, so its codes are read from main memory once.
template <std::size_t Width, class Code>
void scatter(const CodeMatrix& codes, const Code* cells, Range group, const double* y,
             std::size_t columns, double* x) {
  const std::size_t step = tile_clusterings(codes.centroids(), Width);
  for (std::size_t i = 0; i < codes.rows(); i += kRowsPerChunk) {
    const Range rows{i, std::min(i + kRowsPerChunk, codes.rows())};
    for (std::size_t v = group.first; v < group.last; v += step) {
      const Range tile{v, std::min(v + step, group.last)};
      scatter_tile<Width>(codes, cells, rows, tile, y, columns, x);
    }
  }
}

/// Sums of the columns of a row-major matrix, each row times its weight (1 when there are none).
std::vector<double> column_sums(const double* cells, std::size_t rows, std::size_t columns,
                                const double* weights) {
  std::vector<double> sums(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    const double weight = weights != nullptr ? weights[i] : 1.0;
    for (std::size_t c = 0; c < columns; ++c) sums[c] += weight * cells[i * columns + c];
  }
  return sums;
}

}  // namespace

CodeOperator::CodeOperator(const CodeMatrix& codes, Job& job)
    : Operator(job), codes_(codes), mean_(codes.clusterings() * codes.centroids()) {
  // Counts are integers below 2^53, so doubles hold them exactly.
  const std::vector<double> ones(codes.rows(), 1.0);
  const std::size_t step = blocks(codes.clusterings(), kGroups);
  job.parallel(blocks(codes.clusterings(), step), [&](std::size_t task, unsigned) {
    const Range group{task * step, std::min((task + 1) * step, codes.clusterings())};
    codes.visit(
        [&](const auto* cells) { scatter<1>(codes, cells, group, ones.data(), 1, mean_.data()); });
  });
  const auto rows = static_cast<double>(codes.rows());
  for (double& entry : mean_) {
    total_scatter_ += entry * ((rows - entry) / rows);
    entry /= rows;
  }
}

std::size_t CodeOperator::rank_bound() const {
  if (rows() == 0 || codes_.centroids() == 0) return 0;
  return std::min(rows() - 1, codes_.clusterings() * (codes_.centroids() - 1));
}

void CodeOperator::multiply(const double* x, std::size_t columns, double* y) const {
  const std::vector<double> shift = column_sums(x, entries(), columns, mean_.data());
  job().parallel(blocks(rows(), kRowsPerTask), [&](std::size_t task, unsigned) {
    const Range part{task * kRowsPerTask, std::min((task + 1) * kRowsPerTask, rows())};
    std::fill(y + part.first * columns, y + part.last * columns, 0.0);
    codes_.visit([&](const auto* cells) {
      for_each_chunk(columns, [&](auto width, std::size_t column) {
        gather<width()>(codes_, cells, part, x + column, columns, y + column);
      });
    });
    for (std::size_t i = part.first; i < part.last; ++i) {
      for (std::size_t c = 0; c < columns; ++c) y[i * columns + c] -= shift[c];
    }
  });
}

void CodeOperator::multiply_transposed(const double* y, std::size_t columns, double* x) const {
  const std::vector<double> sums = column_sums(y, rows(), columns, nullptr);
  const std::size_t centroids = codes_.centroids();
  const std::size_t clusterings = codes_.clusterings();
  const std::size_t step = blocks(clusterings, kGroups);
  job().parallel(blocks(clusterings, step), [&](std::size_t task, unsigned) {
    const Range group{task * step, std::min((task + 1) * step, clusterings)};
    const Range part{group.first * centroids, group.last * centroids};
    std::fill(x + part.first * columns, x + part.last * columns, 0.0);
    codes_.visit([&](const auto* cells) {
      for_each_chunk(columns, [&](auto width, std::size_t column) {
        scatter<width()>(codes_, cells, group, y + column, columns, x + column);
      });
    });
    for (std::size_t d = part.first; d < part.last; ++d) {
      for (std::size_t c = 0; c < columns; ++c) x[d * columns + c] -= mean_[d] * sums[c];
    }
  });
}

}  // namespace mbn::pca
