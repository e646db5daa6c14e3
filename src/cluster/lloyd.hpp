// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <mbn/matrix.hpp>

#include "cluster/distance.hpp"

namespace mbn::lloyd {

/// The result of one start.
struct Run {
  Centres centres;
  /// The nearest centre of each row, ties to the lower number.
  std::vector<std::int32_t> labels;
  double objective = 0;
  std::uint32_t iterations = 0;  ///< assignments of all rows; the last one changed nothing
};

/// Lloyd's iteration from the given starts, on one thread. More iterations than `max_iterations`
/// are not made. After each assignment, every empty cluster takes the row farthest from its centre
/// (ties: the first row), of the clusters with more than one row. `check` is called in every
/// iteration and may throw.
Run run_lloyd(MatrixView rows, Centres starts, std::uint32_t max_iterations,
              const std::function<void()>& check);

}  // namespace mbn::lloyd
