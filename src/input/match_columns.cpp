// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/column_choice.hpp"
#include "rows/columns.hpp"

namespace mbn {

namespace {

using Places = std::map<std::string_view, std::uint32_t>;

Places places_of(const std::vector<std::string>& names) {
  Places places;
  for (std::size_t i = 0; i < names.size(); ++i) {
    places.emplace(names[i], static_cast<std::uint32_t>(i));
  }
  return places;
}

std::vector<std::string> names_without(const std::vector<std::string>& names, const Places& known) {
  std::vector<std::string> left;
  for (const std::string& name : names) {
    if (!known.contains(name)) left.push_back(name);
  }
  return left;
}

}  // namespace

void refuse_columns(const std::string& file, const std::vector<std::string>& missing,
                    const std::vector<std::string>& unknown) {
  Message message = fmt::format("{} does not have the columns that the model was trained on", file);
  if (!missing.empty()) message += fmt::format("; missing: {}", list_of(missing));
  if (!unknown.empty()) {
    message += fmt::format("; not known to the model: {}; leave those out with ", list_of(unknown));
    message += Message{option("drop", fmt::format("{}", fmt::join(unknown, ",")))};
  }
  throw InvalidArgument(ErrorCode::does_not_fit, std::move(message), {.path = file});
}

Table match_columns(Table table, const std::vector<std::string>& names,
                    const std::filesystem::path& path) {
  if (table.columns.empty() || names.empty() || table.columns == names) return table;
  const Places wanted = places_of(names);
  const Places given = places_of(table.columns);
  const std::vector<std::string> missing = names_without(names, given);
  const std::vector<std::string> unknown = names_without(table.columns, wanted);
  if (!missing.empty() || !unknown.empty()) refuse_columns(path.string(), missing, unknown);
  if (wanted.size() != names.size() || given.size() != table.columns.size()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("{} has its columns in another order than the model, and some names are there "
                    "twice, so that they cannot be put in order; put them in the model's order: {}",
                    path.string(), list_of(names)),
        {.path = path});
  }
  std::vector<std::uint32_t> order;
  for (const std::string& name : names) order.push_back(given.at(name));
  table.rows = gather_columns(table.rows, order);
  table.columns = names;
  table.notes.push_back(
      {NoteCode::columns_ordered,
       fmt::format("the columns of {} came in another order than the model's, and were put in "
                   "order by their names",
                   path.string())});
  return table;
}

}  // namespace mbn
