// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "upper/upper_engine.hpp"

namespace mbn {

class UpperIndex;

/// Counts each row's agreement with the kept rows once for all clusterings, and walks the kept rows
/// from the most agreeing row down.
std::unique_ptr<UpperEngine> make_walk_upper(std::shared_ptr<const UpperIndex> index);

/// Searches blocks of 256 similar rows together. For narrow layers.
std::unique_ptr<UpperEngine> make_blocked_upper(std::shared_ptr<const UpperIndex> index);

/// The engine that should be fastest for about `expected_rows` rows at a time. All give the same
/// codes, for any number of rows. `kept` and `draws` must outlive the engine.
std::unique_ptr<UpperEngine> make_upper_engine(const CodeMatrix& kept, const Draws& draws,
                                               std::size_t expected_rows, Job& job);

/// The sizes that decide what a search above the bottom costs.
struct UpperSizes {
  std::uint64_t rows = 0;             ///< to encode
  std::uint64_t kept_rows = 0;        ///< that some clustering drew
  std::uint64_t inputs = 0;           ///< clusterings of the layer below
  std::uint64_t centroids_below = 0;  ///< of each of them
  std::uint64_t clusterings = 0;
  std::uint64_t centroids = 0;
  std::uint64_t features = 0;  ///< that a clustering draws
};

/// How much rows have in common with the kept rows: equal codes, all features and kept rows
/// together.
struct Likeness {
  double row = 0;    ///< of one row
  double block = 0;  ///< of any row of a block
};

/// An estimate for `rows` rows that are like the kept rows', from a sample of it.
Likeness estimate_likeness(const CodeMatrix& kept, std::size_t rows);

/// What it usually is, where the data are not known.
Likeness usual_likeness(const UpperSizes& sizes);

enum class UpperKind : std::uint8_t { exact, walk, blocked };

/// Estimated seconds on one core.
double upper_seconds(UpperKind engine, const UpperSizes& sizes, const Likeness& likeness);
UpperKind cheapest_upper(const UpperSizes& sizes, const Likeness& likeness);

/// Bytes of work space on `threads` threads: enough for whichever engine `make_upper_engine` takes.
std::uint64_t upper_engine_bytes(const UpperSizes& sizes, std::uint64_t threads);

/// Bytes that one thread of an engine takes.
std::uint64_t walk_upper_bytes(const UpperSizes& sizes);
std::uint64_t blocked_upper_bytes(const UpperSizes& sizes);

}  // namespace mbn
