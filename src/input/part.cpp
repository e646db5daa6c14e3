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
std::vector<Item> gather_items(const std::vector<Item>& items,
                               std::span<const std::uint32_t> rows) {
  std::vector<Item> taken;
  if (items.empty()) return taken;
  taken.reserve(rows.size());
  for (const std::uint32_t row : rows) taken.push_back(items[row]);
  return taken;
}

// Each row may have several.
std::vector<std::string> gather_ids(const Table& table, std::span<const std::uint32_t> rows) {
  std::vector<std::string> taken;
  if (table.ids.empty()) return taken;
  const std::size_t width = table.ids.size() / table.rows.rows();
  taken.reserve(rows.size() * width);
  for (const std::uint32_t row : rows) {
    for (std::size_t i = 0; i < width; ++i) taken.push_back(table.ids[row * width + i]);
  }
  return taken;
}

}  // namespace

std::vector<std::uint32_t> Part::rows(std::size_t all) const {
  if (number < 1 || number > count) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        fmt::format("there is no part {} of {}; parts count from 1", number, count),
        {.option = "part", .value = fmt::format("{}/{}", number, count)});
  }
  if (all < count || all > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument(
        ErrorCode::too_small,
        fmt::format("{} rows cannot be cut into {} parts; take fewer parts", all, count),
        {.option = "part", .value = fmt::format("{}/{}", number, count)});
  }
  Random random(seed, Purpose::part);
  const auto every = static_cast<std::uint32_t>(all);
  const std::vector<std::uint32_t> order = draw_without_replacement(random, every, every);
  const auto edge = [&](std::uint64_t parts) {
    return order.begin() + static_cast<std::ptrdiff_t>(all * parts / count);
  };
  std::vector<std::uint32_t> chosen(edge(number - 1), edge(number));
  std::ranges::sort(chosen);
  return chosen;
}

Table gather_rows(const Table& table, std::span<const std::uint32_t> rows) {
  Table taken;
  taken.rows = gather(table.rows, rows);
  taken.columns = table.columns;
  taken.coding = table.coding;
  taken.pictures = table.pictures;
  taken.gene_counts = table.gene_counts;
  if (table.labels) taken.labels = gather_rows(*table.labels, rows);
  taken.ids = gather_ids(table, rows);
  taken.id_names = table.id_names;
  taken.notes = table.notes;
  taken.means = table.means;
  taken.kept = gather_items(table.kept, rows);
  taken.file_rows = table.file_rows;
  return taken;
}

Labels gather_rows(const Labels& labels, std::span<const std::uint32_t> rows) {
  return {gather_items(labels.values, rows), labels.names};
}

}  // namespace mbn
