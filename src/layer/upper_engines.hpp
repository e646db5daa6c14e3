// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "layer/search.hpp"

namespace mbn {

/// Counts each row's agreement with the whole pool once for all clusterings, and walks the pool
/// from the most agreeing row down. Its index is built by the first `encode` and kept: later calls,
/// even of one row, cost their rows only. `pool` and `draws` must outlive the engine.
std::unique_ptr<UpperSearch> make_walk_upper_search(const CodeMatrix& pool, const Draws& draws);

/// Counts the agreement with the drawn rows of several clusterings at once, a bit for each. For
/// narrow layers. `pool` and `draws` must outlive the engine.
std::unique_ptr<UpperSearch> make_sliced_upper_search(const CodeMatrix& pool, const Draws& draws);

/// Takes the engine that should be fastest for `query_rows` rows. All give the same codes.
std::unique_ptr<UpperSearch> make_upper_search(const CodeMatrix& pool, const Draws& draws,
                                               std::size_t query_rows);

/// The sizes that decide what a search above the bottom costs.
struct UpperSizes {
  std::uint64_t rows = 0;             ///< to encode
  std::uint64_t pool_rows = 0;        ///< that some clustering drew
  std::uint64_t inputs = 0;           ///< clusterings of the layer below
  std::uint64_t centroids_below = 0;  ///< of each of them
  std::uint64_t clusterings = 0;
  std::uint64_t centroids = 0;
  std::uint64_t features = 0;  ///< that a clustering draws
};

enum class UpperEngine : std::uint8_t { exact, walk, sliced };

/// Estimated seconds on one core. `agreements` is how many equal codes a row has with the whole
/// pool, all features together.
double upper_seconds(UpperEngine engine, const UpperSizes& sizes, double agreements);
UpperEngine choose_upper_engine(const UpperSizes& sizes, double agreements);

/// An estimate of `agreements` for rows that are like the pool's, from a sample of it.
double estimate_agreements(const CodeMatrix& pool);

/// Bytes of work space on `threads` threads: enough for whichever engine `make_upper_search` takes.
std::uint64_t upper_search_bytes(const UpperSizes& sizes, std::uint64_t threads);

/// Bytes that the walk shares among its threads, and that one thread of an engine takes.
std::uint64_t walk_upper_shared_bytes(const UpperSizes& sizes);
std::uint64_t walk_upper_bytes(const UpperSizes& sizes);
std::uint64_t sliced_upper_bytes(const UpperSizes& sizes);

/// How the bit-sliced engine shares out its slices.
struct SlicedShape {
  std::uint64_t groups = 0;    ///< of clusterings that are counted together
  std::uint64_t chunks = 0;    ///< that a clustering's drawn rows are split into
  std::uint64_t features = 0;  ///< that a group looks at
};
SlicedShape sliced_shape(const UpperSizes& sizes);

}  // namespace mbn
