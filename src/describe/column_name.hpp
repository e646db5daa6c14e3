// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>

namespace mbn {

/// The name of a column, or its number from 1 where it has none.
inline std::string column_name(std::span<const std::string> names, std::uint32_t column) {
  if (column < names.size() && !names[column].empty()) return names[column];
  return fmt::format("column {}", column + 1);
}

}  // namespace mbn
