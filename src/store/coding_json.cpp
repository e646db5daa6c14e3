// SPDX-License-Identifier: Apache-2.0
#include "store/coding_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

template <class T>
bool all_are(const Json& json, std::size_t count, T&& test) {
  return json.is_array() && json.size() == count && std::ranges::all_of(json, test);
}

std::optional<TextCoding> text_from(const Json& json) {
  TextCoding text;
  const auto& none = json;
  const auto part = [&](const char* key) -> const Json& {
    return json.contains(key) ? json[key] : none;
  };
  auto words = levels_from(part("words"));
  if (!words || !part("texts").is_number_unsigned()) return std::nullopt;
  text.words = std::move(*words);
  text.texts = part("texts").get<std::uint64_t>();
  const auto is_count = [&](const Json& count) {
    return count.is_number_unsigned() && count.get<std::uint64_t>() >= 1 &&
           count.get<std::uint64_t>() <= std::min<std::uint64_t>(text.texts, ~std::uint32_t{0});
  };
  if (!all_are(part("texts_with"), text.words.size(), is_count)) return std::nullopt;
  text.texts_with = json["texts_with"].get<std::vector<std::uint32_t>>();
  const Json& basis = part("basis");
  const auto is_loading = [](const Json& cell) {
    return cell.is_number() && std::abs(cell.get<double>()) <= 1.0001;
  };
  if (!all_are(basis, basis.size(), is_loading) || basis.empty()) return std::nullopt;
  if (basis.size() % text.words.size() != 0) return std::nullopt;
  text.basis = basis.get<std::vector<float>>();
  text.columns = static_cast<std::uint32_t>(basis.size() / text.words.size());
  return text.columns <= kMostLevels ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<ColumnCoding> column_from(const Json& json) {
  if (!json.is_object() || !json.contains("name") || !json.contains("kind")) return std::nullopt;
  if (!json["name"].is_string() || !json["kind"].is_string()) return std::nullopt;
  const auto kind = value_named<ColumnKind>(json["kind"].get<std::string>());
  if (!kind) return std::nullopt;
  ColumnCoding column{json["name"].get<std::string>(), *kind, {}};
  if (*kind == ColumnKind::text && json.contains("words")) {
    column.text = text_from(json);
    return column.text ? std::optional(std::move(column)) : std::nullopt;
  }
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
    if (column.text) {
      entry["texts"] = column.text->texts;
      entry["words"] = column.text->words;
      entry["texts_with"] = column.text->texts_with;
      entry["basis"] = column.text->basis;
    }
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
