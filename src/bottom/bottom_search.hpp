// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <mbn/codes.hpp>
#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/sparse.hpp>

#include "base/job.hpp"
#include "bottom/draws.hpp"

namespace mbn {

/// Encodes rows at the bottom layer: for every row and clustering, the drawn row nearest to it on
/// the drawn features. Whatever the engine, the code of a row depends on that row and the layer
/// only; equally near rows go to the lower code.
class BottomSearch {
 public:
  virtual ~BottomSearch() = default;
  /// `rows` are prepared rows of any element type; `codes` has their number of rows.
  virtual void encode(MatrixView rows, CodeMatrix& codes, Job& job) const = 0;
};

/// The same for sparse rows.
class SparseBottomSearch {
 public:
  virtual ~SparseBottomSearch() = default;
  virtual void encode(SparseView rows, CodeMatrix& codes, Job& job) const = 0;
};

/// Looks at every drawn row. `batch_rows` rows are searched at a time; 0 chooses.
/// `pool` and `draws` must outlive the engine.
std::unique_ptr<BottomSearch> make_exact_bottom_search(MatrixView pool, const Draws& draws,
                                                       Metric metric, std::size_t batch_rows = 0);
/// The codes are those of the exact search of the same rows made dense, without making them dense.
/// The first call builds tables, in proportion to pool rows x clusterings or to the drawn cells.
/// `pool` and `draws` must outlive the engine.
std::unique_ptr<SparseBottomSearch> make_sparse_bottom_search(SparseView pool, const Draws& draws,
                                                              Metric metric);
/// Rows that the exact bottom engine takes at a time when it may choose.
std::size_t default_batch_rows(std::uint64_t rows, std::uint64_t centroids);

/// Bytes of work space that one thread of an engine takes.
std::uint64_t exact_bottom_bytes(std::uint64_t centroids, std::uint64_t features,
                                 std::uint64_t batch_rows);
/// Bytes that the sparse engine takes with all threads.
struct SparseBottomSizes {
  std::uint64_t pool_rows = 0;
  std::uint64_t pool_cells = 0;  ///< that are not zero
  std::uint64_t columns = 0;
  std::uint64_t clusterings = 0;
  std::uint64_t centroids = 0;
};
std::uint64_t sparse_bottom_bytes(const SparseBottomSizes& sizes, std::uint64_t threads);
/// Roughly how long it takes for one row on one core.
double sparse_bottom_seconds(const SparseBottomSizes& sizes);

}  // namespace mbn
