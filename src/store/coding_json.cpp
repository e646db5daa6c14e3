// SPDX-License-Identifier: Apache-2.0
#include "store/coding_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <mbn/error.hpp>

#include "store/guarded_json.hpp"
#include "store/names_json.hpp"

namespace mbn {

namespace {

constexpr const char* kKey = "column_kinds";
/// As much as a header may hold.
constexpr std::size_t kMaxTextBytes = 100'000'000;

using Json = nlohmann::json;

std::optional<std::vector<std::string>> levels_from(const Json& json) {
  if (!json.is_array() || json.empty() || json.size() > kMostLevels) return std::nullopt;
  std::vector<std::string> levels;
  for (const Json& level : json) {
    if (!level.is_string()) return std::nullopt;
    levels.push_back(level.get<std::string>());
  }
  const auto not_ascending = [](const std::string& a, const std::string& b) { return !(a < b); };
  if (std::ranges::adjacent_find(levels, not_ascending) != levels.end()) return std::nullopt;
  return levels;
}

std::optional<ColumnCoding> column_from(const Json& json) {
  if (!json.is_object() || !json.contains("name") || !json.contains("kind")) return std::nullopt;
  if (!json["name"].is_string() || !json["kind"].is_string()) return std::nullopt;
  const auto kind = value_named<ColumnKind>(json["kind"].get<std::string>());
  if (!kind) return std::nullopt;
  ColumnCoding column{json["name"].get<std::string>(), *kind, {}};
  const bool has_levels = json.contains("levels");
  if (has_levels != (*kind == ColumnKind::category)) return std::nullopt;
  if (!has_levels) return column;
  auto levels = levels_from(json["levels"]);
  if (!levels) return std::nullopt;
  column.levels = std::move(*levels);
  return column;
}

}  // namespace

std::string coding_to_json(const TableCoding& coding) {
  Json list = Json::array();
  for (const ColumnCoding& column : coding) {
    Json entry{{"name", column.name}, {"kind", name_of(column.kind)}};
    if (column.kind == ColumnKind::category) entry["levels"] = column.levels;
    list.push_back(std::move(entry));
  }
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TableCoding coding_from(const Metadata& metadata, std::uint64_t columns, std::string_view file) {
  const auto found = metadata.find(kKey);
  if (found == metadata.end()) return {};
  const auto json = parse_guarded_json(found->second, {.bytes = kMaxTextBytes, .depth = 3});
  TableCoding coding;
  bool sound = json && json->is_array();
  for (std::size_t i = 0; sound && i < json->size(); ++i) {
    auto column = column_from((*json)[i]);
    sound = column.has_value();
    if (sound) coding.push_back(std::move(*column));
  }
  if (sound && coded_columns(coding) == columns) return coding;
  throw FormatError(
      ErrorCode::damaged,
      fmt::format("{}: the metadata '{}' do not say how {} columns are made", file, kKey, columns),
      {.path = file});
}

void read_columns(const Metadata& metadata, std::string_view file, ModelData& model) {
  model.column_names = column_names_from(metadata, model.columns, file);
  model.column_means = column_means_from(metadata, model.columns, file);
  model.coding = coding_from(metadata, model.columns, file);
  model.options.blocks = blocks_of(model.coding);
}

}  // namespace mbn
