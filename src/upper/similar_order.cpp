// SPDX-License-Identifier: Apache-2.0
//
// A sort by a key of the first four codes and the number of the row. The number makes all keys
// different, so the order is the same on every machine.
#include "upper/similar_order.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace mbn {

namespace {

struct Key {
  std::array<std::uint32_t, 4> codes{};
  std::uint32_t row = 0;
  auto operator<=>(const Key&) const = default;
};

}  // namespace

std::vector<std::uint32_t> similar_order(const CodeMatrix& rows) {
  std::vector<Key> keys(rows.rows());
  rows.visit([&](const auto* cells) {
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      keys[i].row = i;
      const std::size_t codes = std::min(keys[i].codes.size(), rows.clusterings());
      for (std::size_t v = 0; v < codes; ++v) {
        keys[i].codes[v] = cells[i * rows.clusterings() + v];
      }
    }
  });
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order(rows.rows());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const Key& key) { return key.row; });
  return order;
}

}  // namespace mbn
