// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <mbn/codes.hpp>

#include "base/job.hpp"
#include "bottom/draws.hpp"

namespace mbn {

/// Encodes rows at a layer above: for every row and clustering, the drawn row that agrees with it
/// on the most drawn features; ties go to the lower code. Ready when it is made, as a BottomEngine.
class UpperEngine {
 public:
  virtual ~UpperEngine() = default;
  /// `rows` are codes of the layer below.
  virtual void encode(const CodeMatrix& rows, CodeMatrix& codes, Job& job) const = 0;
};

/// Counts agreements through an inverted index of the drawn rows' codes.
std::unique_ptr<UpperEngine> make_exact_upper(const CodeMatrix& kept, const Draws& draws);

/// Bytes of work space that one thread of that engine takes.
std::uint64_t exact_upper_bytes(std::uint64_t centroids, std::uint64_t features,
                                std::uint64_t centroids_below);

}  // namespace mbn
