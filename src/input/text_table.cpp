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

[[noreturn]] void fail(const std::string& file, const Record& record, ErrorCode code,
                       std::optional<std::uint64_t> column, const std::string& problem) {
  throw FormatError(code, fmt::format("{}:{}: {}", file, record.line, problem),
                    {.path = file, .place = {.line = record.line, .column = column}});
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

[[noreturn]] void refuse_empty(const std::string& file) {
  throw FormatError(ErrorCode::too_small,
                    fmt::format("{}: the file is empty; give at least one row", file),
                    {.path = file});
}

}  // namespace

/// All that is known of a file before its rows are read, and where reading stands.
struct TextRows::State {
  State(ByteSource& first, const ReadOptions& read_options, NextFile next)
      : options(read_options),
        next_file(std::move(next)),
        source(&first),
        name(first.name()),
        reader(std::make_unique<RecordReader>(first, RecordReader::Otherwise::spaces)),
        sample(*reader, options.coding && options.coding->empty() ? 1 : kSampleRows + 1),
        columns(columns_of(sample, options, name)),
        plan(plan_coding(sample, columns, options, name)),
        next_sampled(columns.has_header ? 1 : 0) {}

  static TableColumns columns_of(const SampledRecords& sample, const ReadOptions& options,
                                 const std::string& file) {
    if (sample.empty()) refuse_empty(file);
    return find_columns(sample, options, file);
  }

  /// The next record of this file or of those after it; null at the end.
  const Record* next() {
    if (next_sampled < sample.records().size()) return &sample.records()[next_sampled++];
    if (!ended && !(first_file && sample.has_all()) && reader->next()) return current();
    while (!ended) {
      if (!open_next()) return nullptr;
      if (reader->next()) return current();
    }
    return nullptr;
  }

  const Record* current() {
    record.line = reader->line();
    record.cells = reader->cells();
    return &record;
  }

  /// Begins the next file, whose names must be those of the first.
  bool open_next() {
    first_file = false;
    owned = next_file ? next_file() : nullptr;
    ended = owned == nullptr;
    if (ended) return false;
    source = owned.get();
    reader = std::make_unique<RecordReader>(*source, RecordReader::Otherwise::spaces);
    if (!columns.has_header) return true;
    if (!reader->next()) refuse_empty(source->name());
    if (std::ranges::equal(reader->cells(), columns.first_line)) return true;
    throw FormatError(
        ErrorCode::does_not_fit,
        fmt::format("{}:1: the first line is not that of {}; files that are read as one need the "
                    "same names in the same order",
                    source->name(), name),
        {.path = source->name(), .place = {.line = 1}});
  }

  ReadOptions options;
  NextFile next_file;
  std::unique_ptr<ByteSource> owned;  // of a file after the first
  ByteSource* source;
  std::string name;
  std::unique_ptr<RecordReader> reader;
  SampledRecords sample;
  TableColumns columns;
  CodingPlan plan;
  std::size_t next_sampled;
  Record record;
  bool first_file = true;
  bool ended = false;
  bool any = false;  // rows came
};

namespace {

/// What the lines below the header give.
struct Contents {
  std::shared_ptr<std::vector<float>> cells = std::make_shared<std::vector<float>>();
  LabelCollector labels;
  std::vector<std::string> ids;
  BadCells bad;
};

void add_row(const Record& record, const TableColumns& columns, CodingPlan& plan, Missing missing,
             const std::string& file, Contents& contents) {
  const auto& texts = record.cells;
  if (texts.size() != columns.count()) {
    fail(file, record, ErrorCode::bad_line, std::nullopt,
         fmt::format("the line has {} cells, but line 1 has {}; give every line the same number",
                     texts.size(), columns.count()));
  }
  for (std::size_t i = 0; i < plan.taken.size(); ++i) {
    const std::size_t column = plan.taken[i];
    Cell cell = plan.coders[i].code(texts[column]);
    if (cell.kind == CellKind::missing && missing != Missing::refuse) {
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

}  // namespace

TextRows::TextRows(ByteSource& first, const ReadOptions& options, NextFile next)
    : state_(std::make_unique<State>(first, options, std::move(next))) {}
TextRows::~TextRows() = default;

std::uint64_t TextRows::skip(std::uint64_t count) {
  std::uint64_t passed = 0;
  while (passed < count && state_->next() != nullptr) ++passed;
  state_->any = state_->any || passed > 0;
  return passed;
}

Table TextRows::read(std::size_t most, const std::vector<std::uint64_t>* numbers) {
  State& state = *state_;
  Contents contents{.labels = {}, .ids = {}, .bad = BadCells(state.columns.count())};
  const auto add = [&](const Record& record) {
    add_row(record, state.columns, state.plan, state.options.missing, state.source->name(),
            contents);
  };
  std::uint64_t row = 0;
  for (std::size_t taken = 0; taken < (numbers != nullptr ? numbers->size() : most); ++row) {
    const Record* record = state.next();
    if (record == nullptr) break;
    if (numbers != nullptr && (*numbers)[taken] != row) continue;
    add(*record);
    ++taken;
  }
  const TableColumns& columns = state.columns;
  contents.bad.check(state.source->name(), columns);
  return finish(std::move(contents.cells),
                columns.label ? std::optional(contents.labels.finish()) : std::nullopt,
                std::move(contents.ids));
}

Table TextRows::finish(std::shared_ptr<std::vector<float>> cells, std::optional<Labels> labels,
                       std::vector<std::string> ids) {
  State& state = *state_;
  const std::size_t width = state.plan.taken.size();
  Table table;
  if (cells->empty()) {
    if (state.any) return table;
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: there is a header line ({}) but no row below it; give at "
                                  "least one row of numbers",
                                  state.name, list_of(state.columns.first_line)),
                      {.path = state.name});
  }
  state.any = true;
  const MatrixView view(cells->data(), cells->size() / width, width);
  table.rows = Matrix(std::move(cells), view);
  table.labels = std::move(labels);
  table.ids = std::move(ids);
  add_names(table, state.columns, state.plan, state.name);
  table = code_table({std::move(table), state.plan.coding, state.plan.coders, state.plan.different,
                      state.plan.known},
                     state.options, state.name);
  for (ColumnCoder& coder : state.plan.coders) coder.forget_texts();
  return table;
}

Table read_text_table(ByteSource& source, const ReadOptions& options) {
  return TextRows(source, options).read(std::numeric_limits<std::size_t>::max());
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
