// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "upper/upper_engine.hpp"

namespace mbn {

class UpperIndex;

/// The walk: counts each row's agreement with the kept rows once for all clusterings, and visits
/// the kept rows from the highest agreement down (walk_upper.cpp).
std::unique_ptr<UpperEngine> make_walk_upper(std::shared_ptr<const UpperIndex> index);

/// Encodes blocks of 512 similar rows together (blocked_upper.cpp). For narrow layers.
std::unique_ptr<UpperEngine> make_blocked_upper(std::shared_ptr<const UpperIndex> index);

/// Compares each row with all kept rows (scan_upper.cpp). It has no tables, so it is made at once:
/// for the first few rows. `kept` and `draws` must outlive the engine.
std::unique_ptr<UpperEngine> make_scan_upper(const CodeMatrix& kept, const Draws& draws);

/// The engine with the lowest estimated time for about `expected_rows` rows at a time. All engines
/// give the same codes, for any number of rows. `kept` and `draws` must outlive the engine.
std::unique_ptr<UpperEngine> make_upper_engine(const CodeMatrix& kept, const Draws& draws,
                                               std::size_t expected_rows, Job& job);

/// The sizes that decide what encoding at an upper layer costs.
struct UpperSizes {
  std::uint64_t rows = 0;             ///< to encode
  std::uint64_t kept_rows = 0;        ///< that at least one clustering drew
  std::uint64_t inputs = 0;           ///< clusterings of the layer below
  std::uint64_t centroids_below = 0;  ///< of each of them
  std::uint64_t clusterings = 0;
  std::uint64_t centroids = 0;
  std::uint64_t features = 0;  ///< that a clustering draws
};

/// The number of agreements (equal codes) with the kept rows, summed over all features and all kept
/// rows.
struct Likeness {
  double row = 0;    ///< of one row
  double block = 0;  ///< of a block: agreements with at least one of its rows
};

/// An estimate for `rows` rows that are distributed like the kept rows, from a sample of the kept
/// rows.
Likeness estimate_likeness(const CodeMatrix& kept, std::size_t rows);

/// A usual value, for a plan before the data are known.
Likeness usual_likeness(const UpperSizes& sizes);

enum class UpperKind : std::uint8_t { exact, walk, blocked };

/// Estimated seconds on one core, including the index.
double upper_seconds(UpperKind engine, const UpperSizes& sizes, const Likeness& likeness);
/// The engine with the lowest `upper_seconds`.
UpperKind cheapest_upper(const UpperSizes& sizes, const Likeness& likeness);

/// Bytes of work space on `threads` threads: enough for whichever engine `make_upper_engine` takes.
std::uint64_t upper_engine_bytes(const UpperSizes& sizes, std::uint64_t threads);

/// Bytes that one thread of an engine takes.
std::uint64_t walk_upper_bytes(const UpperSizes& sizes);
std::uint64_t blocked_upper_bytes(const UpperSizes& sizes);

}  // namespace mbn
