// SPDX-License-Identifier: Apache-2.0
#include <mbn/part.hpp>

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <mbn/error.hpp>

#include "base/random.hpp"
#include "rows/gather.hpp"
#include "rows/kinds.hpp"

namespace mbn {

namespace {

template <class Item>
std::vector<Item> take_items(const std::vector<Item>& items, std::span<const std::uint32_t> rows) {
  std::vector<Item> taken;
  if (items.empty()) return taken;
  taken.reserve(rows.size());
  for (const std::uint32_t row : rows) taken.push_back(items[row]);
  return taken;
}

}  // namespace

std::vector<std::uint32_t> rows_of(const Part& part, std::size_t rows) {
  if (part.number < 1 || part.number > part.count) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        fmt::format("there is no part {} of {}; parts count from 1", part.number, part.count),
        {.option = "part", .value = fmt::format("{}/{}", part.number, part.count)});
  }
  if (rows < part.count || rows > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument(
        ErrorCode::too_small,
        fmt::format("{} rows cannot be cut into {} parts; take fewer parts", rows, part.count),
        {.option = "part", .value = fmt::format("{}/{}", part.number, part.count)});
  }
  Random random(part.seed, Purpose::part);
  const auto count = static_cast<std::uint32_t>(rows);
  const std::vector<std::uint32_t> order = draw_without_replacement(random, count, count);
  const auto edge = [&](std::uint64_t parts) {
    return order.begin() + static_cast<std::ptrdiff_t>(rows * parts / part.count);
  };
  std::vector<std::uint32_t> chosen(edge(part.number - 1), edge(part.number));
  std::ranges::sort(chosen);
  return chosen;
}

Table take(const Table& table, std::span<const std::uint32_t> rows) {
  Table taken;
  taken.rows = gather(table.rows, rows);
  taken.columns = table.columns;
  if (table.labels) taken.labels = take(*table.labels, rows);
  taken.ids = take_items(table.ids, rows);
  return taken;
}

Labels take(const Labels& labels, std::span<const std::uint32_t> rows) {
  return {take_items(labels.values, rows), labels.names};
}

SparseMatrix take(SparseView sparse, std::span<const std::uint32_t> rows) {
  return gather_rows(sparse, rows);
}

}  // namespace mbn
