// SPDX-License-Identifier: Apache-2.0
#include "store/names_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include <mbn/error.hpp>

#include "store/guarded_json.hpp"

namespace mbn {

namespace {

/// As much as a header may hold.
constexpr std::size_t kMaxTextBytes = 100'000'000;

/// The items of a JSON array in the metadata, one for each column; nothing when the key is not
/// there. `item_of` gives an item, or nothing when it is of the wrong kind.
template <class Item, class ItemOf>
std::vector<Item> items_from(const Metadata& metadata, const char* key, std::uint64_t columns,
                             std::string_view file, const ItemOf& item_of) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return {};
  const auto json = parse_guarded_json(found->second, {.bytes = kMaxTextBytes, .depth = 1});
  std::vector<Item> items;
  if (json && json->is_array() && json->size() == columns) {
    for (const auto& value : *json) {
      if (std::optional<Item> item = item_of(value)) items.push_back(std::move(*item));
    }
  }
  if (items.size() == columns) return items;
  throw FormatError(
      ErrorCode::damaged,
      fmt::format("{}: the metadata '{}' does not hold one item for each of {} columns", file, key,
                  columns),
      {.path = file});
}

}  // namespace

std::string names_to_json(const std::vector<std::string>& names) {
  return nlohmann::json(names).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> column_names_from(const Metadata& metadata, std::uint64_t columns,
                                           std::string_view file) {
  return items_from<std::string>(metadata, "column_names", columns, file,
                                 [](const nlohmann::json& value) -> std::optional<std::string> {
                                   if (!value.is_string()) return std::nullopt;
                                   return value.get<std::string>();
                                 });
}

std::string means_to_json(const std::vector<double>& means) {
  return nlohmann::json(means).dump();
}

std::vector<double> column_means_from(const Metadata& metadata, std::uint64_t columns,
                                      std::string_view file) {
  return items_from<double>(metadata, "column_means", columns, file,
                            [](const nlohmann::json& value) -> std::optional<double> {
                              if (!value.is_number()) return std::nullopt;
                              const auto mean = value.get<double>();
                              return std::isfinite(mean) ? std::optional(mean) : std::nullopt;
                            });
}

}  // namespace mbn
