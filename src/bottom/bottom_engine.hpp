// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <mbn/codes.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "base/job.hpp"
#include "bottom/bottom_settings.hpp"
#include "bottom/draws.hpp"

namespace mbn {

/// Encodes rows at the bottom layer: for every row and clustering, the drawn row nearest to it on
/// the drawn features. Whatever the engine, the code of a row depends on that row and the layer
/// only; ties go to the lower code.
///
/// An engine is ready when it is made: making it takes a Job for its tables, and `encode` changes
/// nothing in it, so that many threads may call it at once, each with a Job of its own.
class BottomEngine {
 public:
  virtual ~BottomEngine() = default;
  /// `rows` are prepared rows of the kind that the engine was made for (any element type);
  /// `codes` has their number of rows.
  virtual void encode(RowsView rows, CodeMatrix& codes, Job& job) const = 0;
};

/// The engine for these drawn rows: of the sparse ones the cheaper, of the dense ones what the
/// settings name. `batch_rows` rows have their lists or estimates in memory at a time; 0 chooses.
/// `drawn` and `draws` must outlive the engine.
std::unique_ptr<BottomEngine> make_bottom_engine(RowsView drawn, const Draws& draws, Metric metric,
                                                 const BottomSettings& settings,
                                                 std::size_t batch_rows, Job& job);

/// What such an engine keeps between calls, an upper bound.
std::uint64_t bottom_engine_bytes(RowsView drawn, const Draws& draws,
                                  const BottomSettings& settings);

/// Exact search among dense rows, by the quicker of two engines (exact_engines.hpp). `batch_rows`
/// rows are worked on at a time; 0 chooses.
/// `kept` and `draws` must outlive the engine.
std::unique_ptr<BottomEngine> make_exact_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                                std::size_t batch_rows = 0);
/// The codes are those of the exact search of the same rows made dense, without making them dense.
/// Its tables grow with drawn rows x clusterings or with the nonzeros of the draws.
/// `kept` and `draws` must outlive the engine.
std::unique_ptr<BottomEngine> make_sparse_bottom(SparseView kept, const Draws& draws, Metric metric,
                                                 Job& job);
/// Rows that the exact bottom engine takes at a time when it may choose.
std::size_t default_batch_rows(std::uint64_t rows, std::uint64_t centroids);

/// Bytes of work space that one thread of an engine takes.
std::uint64_t exact_bottom_bytes(std::uint64_t centroids, std::uint64_t features,
                                 std::uint64_t batch_rows);
/// Bytes that the sparse engine takes with all threads.
struct SparseBottomSizes {
  std::uint64_t kept_rows = 0;
  std::uint64_t nonzeros = 0;  ///< of the kept rows
  std::uint64_t columns = 0;
  std::uint64_t clusterings = 0;
  std::uint64_t centroids = 0;
};
std::uint64_t sparse_bottom_bytes(const SparseBottomSizes& sizes, std::uint64_t threads);
/// Roughly how long it takes for one row on one core.
double sparse_bottom_seconds(const SparseBottomSizes& sizes);

}  // namespace mbn
