// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "upper/upper_search.hpp"

namespace mbn {

class UpperIndex;

/// Counts each row's agreement with the whole pool once for all clusterings, and walks the pool
/// from the most agreeing row down.
std::unique_ptr<UpperSearch> make_walk_upper_search(std::shared_ptr<const UpperIndex> index);

/// Searches blocks of 256 similar rows together. For narrow layers.
std::unique_ptr<UpperSearch> make_blocked_upper_search(std::shared_ptr<const UpperIndex> index);

/// Takes, for each call of `encode`, the engine that should be fastest for so many rows. All give
/// the same codes. Its index is built by the first call and kept: later calls, even of one row,
/// cost their rows only. `pool` and `draws` must outlive the engine.
std::unique_ptr<UpperSearch> make_upper_search(const CodeMatrix& pool, const Draws& draws);

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

/// How much rows have in common with the pool: equal codes, all features and pool rows together.
struct Likeness {
  double row = 0;    ///< of one row
  double block = 0;  ///< of any row of a block
};

/// An estimate for `rows` rows that are like the pool's, from a sample of it.
Likeness estimate_likeness(const CodeMatrix& pool, std::size_t rows);

/// What it usually is, where the data are not known.
Likeness usual_likeness(const UpperSizes& sizes);

enum class UpperEngine : std::uint8_t { exact, walk, blocked };

/// Estimated seconds on one core.
double upper_seconds(UpperEngine engine, const UpperSizes& sizes, const Likeness& likeness);
UpperEngine choose_upper_engine(const UpperSizes& sizes, const Likeness& likeness);

/// Bytes of work space on `threads` threads: enough for whichever engine `make_upper_search` takes.
std::uint64_t upper_search_bytes(const UpperSizes& sizes, std::uint64_t threads);

/// Bytes that one thread of an engine takes.
std::uint64_t walk_upper_bytes(const UpperSizes& sizes);
std::uint64_t blocked_upper_bytes(const UpperSizes& sizes);

}  // namespace mbn
