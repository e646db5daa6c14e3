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

/// Encodes rows at the bottom layer: for every row and clustering, the number of the drawn row
/// nearest to it on the drawn features. With any engine, the code of a row depends on that row and
/// the layer only. Ties go to the lower code.
///
/// An engine is ready when it is made: tables that calls share are built then, and that is what the
/// Job of `make_*` is for. `encode` changes nothing in the engine, so many threads may call it at
/// once, each with a Job of its own.
class BottomEngine {
 public:
  virtual ~BottomEngine() = default;
  /// `rows` are prepared rows, dense or sparse like the kept rows of the engine, of any element
  /// type. `codes` has as many rows.
  virtual void encode(RowsView rows, CodeMatrix& codes, Job& job) const = 0;
};

/// The engine for these kept rows. Sparse rows: the cheaper of the two sparse engines, `settings`
/// is ignored. Dense rows: the engine that `settings` names. `batch_rows` is how many rows have
/// their neighbour lists or distance estimates in memory at a time; more take more memory; 0
/// chooses. `kept` and `draws` must outlive the engine. This takes every metric; all other engines
/// and settings, those that compare prepared rows (`compared_by`).
std::unique_ptr<BottomEngine> make_bottom_engine(RowsView kept, const Draws& draws, Metric metric,
                                                 const BottomSettings& settings,
                                                 std::size_t batch_rows, Job& job);

/// An upper bound of the bytes that such an engine keeps between calls.
std::uint64_t bottom_engine_bytes(RowsView kept, const Draws& draws,
                                  const BottomSettings& settings);

/// Exact search among dense rows, by the quicker of two engines (exact_engines.hpp). `batch_rows`
/// rows are encoded at a time; 0 chooses. `kept` and `draws` must outlive the engine.
std::unique_ptr<BottomEngine> make_exact_bottom(MatrixView kept, const Draws& draws, Metric metric,
                                                std::size_t batch_rows = 0);
/// Exact search of sparse rows: the same codes as `make_exact_bottom` gives for the same rows made
/// dense. Its tables grow with kept rows x clusterings, or with the nonzeros of all drawn rows.
/// `kept` and `draws` must outlive the engine.
std::unique_ptr<BottomEngine> make_sparse_bottom(SparseView kept, const Draws& draws, Metric metric,
                                                 Job& job);
/// The `batch_rows` of the exact engine when it may choose.
std::size_t default_batch_rows(std::uint64_t rows, std::uint64_t centroids);

/// Bytes of work space that one thread of the exact engine takes.
std::uint64_t exact_bottom_bytes(std::uint64_t centroids, std::uint64_t features,
                                 std::uint64_t batch_rows);
/// The sizes that decide what the sparse engine costs.
struct SparseBottomSizes {
  std::uint64_t kept_rows = 0;
  std::uint64_t nonzeros = 0;  ///< of the kept rows
  std::uint64_t columns = 0;
  std::uint64_t clusterings = 0;
  std::uint64_t centroids = 0;
  Metric metric = Metric::euclidean;
};
/// Bytes that the sparse engine takes with all threads.
std::uint64_t sparse_bottom_bytes(const SparseBottomSizes& sizes, std::uint64_t threads);
/// Estimated seconds that the sparse engine takes for one row on one core.
double sparse_bottom_seconds(const SparseBottomSizes& sizes);

}  // namespace mbn
