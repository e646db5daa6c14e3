// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <mbn/codes.hpp>

#include "base/job.hpp"
#include "bottom/draws.hpp"

namespace mbn {

/// Encodes rows at an upper layer: for every row and clustering, the drawn row with the highest
/// agreement (equal codes in drawn features); ties go to the lower code. An engine is ready when it
/// is made, and `encode` changes nothing in it, so many threads may call it at once, each with a
/// Job of its own.
class UpperEngine {
 public:
  virtual ~UpperEngine() = default;
  /// `rows` are codes of the layer below; `codes` has as many rows.
  virtual void encode(const CodeMatrix& rows, CodeMatrix& codes, Job& job) const = 0;
};

/// Counts agreements through an inverted index of the drawn rows of each clustering. `kept` and
/// `draws` must outlive the engine.
std::unique_ptr<UpperEngine> make_exact_upper(const CodeMatrix& kept, const Draws& draws);

/// Bytes of work space that one thread of the exact engine takes.
std::uint64_t exact_upper_bytes(std::uint64_t centroids, std::uint64_t features,
                                std::uint64_t centroids_below);

}  // namespace mbn
