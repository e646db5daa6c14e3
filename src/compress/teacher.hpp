// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

#include "rows/preparation.hpp"

namespace mbn {

/// What a student learns from: anything that embeds rows. `api/` fills it in from a Model.
struct Teacher {
  /// rows x components, float32. A row gives the same numbers in any batch.
  std::function<Matrix(RowsView rows, const RunOptions& run)> embed;
  std::uint64_t columns = 0;
  std::uint32_t components = 0;
  MatrixView centres;    ///< of its clusters, in the embedding; no rows when it has none
  FitOptions options{};  ///< its metric and scale decide the student's input stage
  /// What it does to rows first, which the student does too; nothing: unknown. Must outlive it.
  const Preparation* preparation = nullptr;
  std::string checksum;  ///< Model::checksum()
};

}  // namespace mbn
