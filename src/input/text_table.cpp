// SPDX-License-Identifier: Apache-2.0
//
// The first records are kept and looked at: they tell which cells are names, labels and ids
// (table_columns.cpp), and what each column holds (column_guess.cpp), unless a model or an option
// says so. Then they, and all others, are read one record at a time, and every cell becomes a
// number (column_coder.cpp). Cells that are not what their column holds are collected, so that one
// message names all such columns (bad_cells.cpp); missing ones only when they are refused, and
// otherwise they are NaN for now. At the end categories get a column for each level
// (coded_table.cpp).
#include "input/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include <mbn/error.hpp>

#include "input/bad_cells.hpp"
#include "input/coded_table.hpp"
#include "input/column_choice.hpp"
#include "input/label_collector.hpp"
#include "input/parse_number.hpp"
#include "input/record_reader.hpp"
#include "input/sampled_records.hpp"
#include "input/table_columns.hpp"

namespace mbn {
namespace {

/// How the columns of a file become numbers: those that are taken, in the order of the coding.
struct CodingPlan {
  TableCoding coding;
  std::vector<std::size_t> taken;  ///< columns of the file
  std::vector<ColumnCoder> coders;
  std::vector<std::string> different{};  ///< texts that may be ids
  bool known = false;
  bool reordered = false;
};

std::vector<std::string> names_of(const TableColumns& columns) {
  std::vector<std::string> names;
  if (!columns.has_header) return names;
  for (const std::size_t column : columns.features) names.push_back(columns.first_line[column]);
  return names;
}

CodingPlan plan_of_model(const TableColumns& columns, const ReadOptions& options,
                         const std::string& file) {
  CodingPlan plan{.coding = *options.coding, .taken = {}, .coders = {}, .known = true};
  const auto places = places_of(plan.coding, names_of(columns), columns.features.size(), file);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (plan.coding[i].width() == 0) continue;
    plan.taken.push_back(columns.features[*places[i]]);
    plan.coders.emplace_back(plan.coding[i], true, options.decimal);
  }
  plan.reordered = !std::ranges::is_sorted(plan.taken);
  return plan;
}

/// Only columns with a cell that is no number need a closer look.
std::vector<bool> columns_with_words(const SampledRecords& sample, const TableColumns& columns,
                                     Decimal decimal) {
  std::vector<bool> words(columns.count());
  for (std::size_t i = columns.has_header ? 1 : 0; i < sample.records().size(); ++i) {
    const auto& cells = sample.records()[i].cells;
    for (std::size_t j = 0; j < std::min(cells.size(), words.size()); ++j) {
      if (!words[j]) words[j] = parse_cell(cells[j], decimal).kind == CellKind::word;
    }
  }
  return words;
}

[[noreturn]] void refuse_date(const TableColumns& columns, std::size_t column,
                              const ColumnGuess& guess, const std::string& file) {
  const std::string name = columns.word_for(column);
  throw FormatError(
      ErrorCode::bad_value,
      {fmt::format("{}:{}: {}: the dates can be read in two ways ({}); ", file, guess.ambiguous_at,
                   columns.describe(column), guess.ambiguous),
       option("types", name + "=dmy"), " takes the day first, ", option("types", name + "=mdy"),
       " the month, and ", option("drop", name), " leaves the column out"},
      {.path = file, .place = {.line = guess.ambiguous_at, .column = column + 1}});
}

ColumnGuess guess_of(const SampledRecords& sample, const TableColumns& columns, std::size_t column,
                     std::optional<ColumnKind> given, const ReadOptions& options,
                     const std::string& file) {
  ColumnGuesser guesser(options.decimal);
  for (std::size_t i = columns.has_header ? 1 : 0; i < sample.records().size(); ++i) {
    const Record& record = sample.records()[i];
    if (column < record.cells.size()) guesser.add(record.cells[column], record.line);
  }
  ColumnGuess guess = given == ColumnKind::date ? guesser.guess_date() : guesser.guess();
  if (!guess.ambiguous.empty()) refuse_date(columns, column, guess, file);
  return guess;
}

CodingPlan plan_from_sample(const SampledRecords& sample, const TableColumns& columns,
                            const ReadOptions& options, const std::string& file) {
  CodingPlan plan;
  const std::vector<std::string> none;
  const auto chosen = chosen_kinds(
      {file, columns.count(), columns.has_header ? columns.first_line : none}, options.types);
  const std::vector<bool> words = columns_with_words(sample, columns, options.decimal);
  for (const std::size_t column : columns.features) {
    ColumnGuess guess{.kind = chosen[column].value_or(ColumnKind::number)};
    const bool open = !chosen[column] && words[column];
    if (open || chosen[column] == ColumnKind::date) {
      guess = guess_of(sample, columns, column, chosen[column], options, file);
    }
    if (guess.all_different) plan.different.push_back(columns.word_for(column));
    plan.coding.push_back(
        {columns.has_header ? columns.first_line[column] : std::string(), guess.kind, {}});
    if (chosen[column] == ColumnKind::text) plan.coding.back().text.emplace();
    if (plan.coding.back().is_left_out()) continue;
    plan.taken.push_back(column);
    plan.coders.emplace_back(plan.coding.back(), false, options.decimal);
  }
  return plan;
}

CodingPlan plan_coding(const SampledRecords& sample, const TableColumns& columns,
                       const ReadOptions& options, const std::string& file) {
  CodingPlan plan = options.coding && !options.coding->empty()
                        ? plan_of_model(columns, options, file)
                        : plan_from_sample(sample, columns, options, file);
  if (!plan.taken.empty()) return plan;
  const std::string name = columns.word_for(columns.features.front());
  throw FormatError(
      ErrorCode::too_small,
      {fmt::format("{}: all columns hold texts, and no numbers or categories are left; ", file),
       option("types", name + "=text"), " makes numbers of the words of one"},
      {.path = file});
}

/// What the lines below the header give.
struct Contents {
  const ReadOptions& options;
  CodingPlan& plan;
  std::shared_ptr<std::vector<float>> cells = std::make_shared<std::vector<float>>();
  LabelCollector labels;
  std::vector<std::string> ids;
  BadCells bad;
};

[[noreturn]] void fail(const std::string& file, const Record& record, ErrorCode code,
                       std::optional<std::uint64_t> column, const std::string& problem) {
  throw FormatError(code, fmt::format("{}:{}: {}", file, record.line, problem),
                    {.path = file, .place = {.line = record.line, .column = column}});
}

void add_row(const Record& record, const TableColumns& columns, const std::string& file,
             Contents& contents) {
  const auto& texts = record.cells;
  if (texts.size() != columns.count()) {
    fail(file, record, ErrorCode::bad_line, std::nullopt,
         fmt::format("the line has {} cells, but line 1 has {}; give every line the same number",
                     texts.size(), columns.count()));
  }
  CodingPlan& plan = contents.plan;
  for (std::size_t i = 0; i < plan.taken.size(); ++i) {
    const std::size_t column = plan.taken[i];
    Cell cell = plan.coders[i].code(texts[column]);
    if (cell.kind == CellKind::missing && contents.options.missing != Missing::refuse) {
      cell = {CellKind::number, std::numeric_limits<float>::quiet_NaN()};
    }
    if (cell.kind != CellKind::number) {
      contents.bad.add(record, column, cell.kind, plan.coders[i].kind());
    }
    contents.cells->push_back(cell.value);
  }
  if (columns.label) {
    if (texts[*columns.label].empty()) {
      fail(file, record, ErrorCode::bad_value, *columns.label + 1,
           fmt::format("{}: the label is missing; fill or remove such rows",
                       columns.describe(*columns.label)));
    }
    contents.labels.add(texts[*columns.label]);
  }
  for (const std::size_t column : columns.ids) contents.ids.emplace_back(texts[column]);
}

void add_names(Table& table, const TableColumns& columns, const CodingPlan& plan,
               const std::string& file) {
  for (const std::size_t column : columns.ids) {
    const std::string& name = columns.first_line[column];
    table.id_names.push_back(columns.has_header && !name.empty() ? name : "id");
  }
  if (columns.first_is_data && !plan.known) {
    table.notes.push_back(
        {NoteCode::data_read,
         fmt::format("the first line of {} is taken as a row like those below it; where it names "
                     "the columns, options can use its names, and it is taken so",
                     file)});
  }
  if (!columns.has_header) return;
  for (const std::size_t column : plan.taken) table.columns.push_back(columns.first_line[column]);
  if (plan.reordered) {
    table.notes.push_back(
        {NoteCode::columns_ordered,
         fmt::format("the columns of {} came in another order than the model's, and were put in "
                     "order by their names",
                     file)});
  }
  if (!columns.nameless_ids) return;
  table.notes.push_back(
      {NoteCode::data_read,
       {fmt::format("the first column of {} has no name and is taken as row ids; ", file),
        option("columns", fmt::format("1-{}", columns.count())), " takes it as numbers"}});
}

void add_rows(RecordReader& reader, const SampledRecords& sample, const TableColumns& columns,
              Contents& contents) {
  for (std::size_t i = columns.has_header ? 1 : 0; i < sample.records().size(); ++i) {
    add_row(sample.records()[i], columns, reader.name(), contents);
  }
  Record record;
  while (!sample.has_all() && reader.next()) {
    record.line = reader.line();
    record.cells = reader.cells();
    add_row(record, columns, reader.name(), contents);
  }
}

}  // namespace

Table read_text_table(ByteSource& source, const ReadOptions& options) {
  RecordReader reader(source, RecordReader::Otherwise::spaces);
  const bool only_numbers = options.coding && options.coding->empty();
  const SampledRecords sample(reader, only_numbers ? 1 : kSampleRows + 1);
  if (sample.empty()) {
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: the file is empty; give at least one row", source.name()),
                      {.path = source.name()});
  }
  const TableColumns columns = find_columns(sample, options, source.name());
  CodingPlan plan = plan_coding(sample, columns, options, source.name());
  Contents contents{
      .options = options, .plan = plan, .labels = {}, .ids = {}, .bad = BadCells(columns.count())};
  add_rows(reader, sample, columns, contents);
  contents.bad.check(source.name(), columns);
  const std::vector<float>& cells = *contents.cells;
  if (cells.empty()) {
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: there is a header line ({}) but no row below it; give at "
                                  "least one row of numbers",
                                  source.name(), list_of(columns.first_line)),
                      {.path = source.name()});
  }
  const std::size_t width = plan.taken.size();
  Table table;
  table.rows = Matrix(contents.cells, MatrixView(cells.data(), cells.size() / width, width));
  if (columns.label) table.labels = contents.labels.finish();
  table.ids = std::move(contents.ids);
  add_names(table, columns, plan, source.name());
  return code_table({std::move(table), std::move(plan.coding), std::move(plan.coders),
                     std::move(plan.different), plan.known},
                    options, source.name());
}

Labels read_text_labels(ByteSource& source) {
  RecordReader reader(source, RecordReader::Otherwise::nothing);
  const auto last_cell = [&] {
    if (reader.cells().back().empty()) {
      reader.fail("the label is missing; give one in every line");
    }
    return reader.cells().back();
  };
  if (!reader.next()) {
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: the file is empty; give one label per line", source.name()),
                      {.path = source.name()});
  }
  const std::size_t width = reader.cells().size();
  const std::string first(last_cell());
  LabelCollector labels;
  while (reader.next()) {
    if (reader.cells().size() != width) {
      reader.fail(
          fmt::format("the line has {} cells, but line 1 has {}; give every line the same number",
                      reader.cells().size(), width));
    }
    labels.add(last_cell());
  }
  const bool is_header =
      parse_cell(first).kind != CellKind::number && labels.size() > 0 && labels.all_integers();
  if (!is_header) labels.add_first(first);
  return labels.finish();
}

}  // namespace mbn
