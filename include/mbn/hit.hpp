// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mbn {

/// A row of the collection and the cosine between it and the query, -1 .. 1.
struct Hit {
  std::uint32_t row = 0;
  float score = 0;

  bool operator==(const Hit&) const = default;
};

}  // namespace mbn
