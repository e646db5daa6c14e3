// SPDX-License-Identifier: Apache-2.0
//
// Data that is more than one file, or more than memory: the part of DataArguments that reads in
// batches.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "arguments.hpp"

namespace mbn::tool {

namespace {

// A note without what differs from batch to batch: numbers, and examples in brackets.
std::string form_of(const std::string& text) {
  std::string form;
  int depth = 0;
  for (const char letter : text) {
    if (letter == '(') ++depth;
    if (depth == 0 && std::isdigit(static_cast<unsigned char>(letter)) == 0) form += letter;
    if (letter == ')') --depth;
  }
  return form;
}

// Fewer bytes than this cannot be so many rows of text: a cell and a line end each.
bool may_have_more_rows(const std::vector<std::filesystem::path>& files, std::uint64_t pool) {
  constexpr std::uint64_t kLeastBytes = 2;
  std::uint64_t bytes = 0;
  for (const std::filesystem::path& file : files) {
    if (file.extension() == ".gz") return true;
    std::error_code ignored;
    bytes += std::filesystem::file_size(file, ignored);
  }
  return bytes / kLeastBytes > pool;
}

}  // namespace

Table KnownRows::next(Session& session, std::size_t most) {
  Table table = stream_.next(most);
  const std::size_t count = table.data().rows();
  tell(session, waiting_, count == 0 && first_ == 0);
  waiting_.clear();
  if (count == 0) return table;
  table = match_columns(std::move(table), names_, path_);
  if (means_) table = fill_missing(std::move(table), *means_, path_);
  first_ = end_;
  end_ += count;
  waiting_ = table.notes;
  return table;
}

void KnownRows::tell(Session& session, const std::vector<Note>& notes, bool all) {
  for (const Note& note : notes) {
    const std::string form = form_of(note.message.text());
    if (std::ranges::find(told_, form) != told_.end()) continue;
    told_.push_back(form);
    Note told = note;
    if (!all && form != note.message.text()) {
      told.message = fmt::format("in rows {} to {}: ", first_ + 1, end_);
      told.message += note.message;
    }
    session.tell(told);
  }
}

std::vector<std::filesystem::path> DataArguments::files() const {
  std::vector<std::filesystem::path> all = data_files(path);
  for (const std::string& other : more) {
    for (std::filesystem::path& file : data_files(other)) all.push_back(std::move(file));
  }
  return all;
}

Table DataArguments::read_all(const ReadOptions& how) const {
  return read_table(files(), how);
}

bool DataArguments::is_streamable() const {
  if (!part.part.whole() || options.transpose || options.missing == Missing::drop) return false;
  return options.label_column.empty() && (path == "-" || reads_in_batches(files(), options));
}

TrainingRows DataArguments::read_for_training(Session& session, const FitOptions& fit_options,
                                              bool whole) const {
  const auto as_they_are = [&] {
    TrainingRows rows{read(session)};
    rows.all = rows.table.data().rows();
    return rows;
  };
  const bool in_batches = path != "-" && part.part.whole() && !is_text_folder(path) &&
                          reads_in_batches(files(), options);
  if (!in_batches) return as_they_are();
  const auto all_files = files();
  const std::uint64_t most = pool_size(UINT64_MAX, fit_options);
  if (!may_have_more_rows(all_files, most)) return as_they_are();
  const std::uint64_t count = count_rows(all_files, options);
  if (count <= most) return as_they_are();
  TrainingRows rows{read_rows(all_files, pool_rows(count, fit_options), options), count, true};
  if (!whole) {
    for (const Note& note : rows.table.notes) session.tell(note);
    return rows;
  }
  ReadOptions known = options;
  known.types.clear();
  known.coding = rows.table.coding;
  if (known.missing == Missing::mean) known.missing = Missing::keep;
  Table all = read_all(known);
  if (options.missing == Missing::mean) all = fill_missing(std::move(all), rows.table.means, path);
  all.means = rows.table.means;
  for (const Note& note : rows.table.notes) session.tell(note);
  return {std::move(all), count, false};
}

KnownRows DataArguments::stream_known(std::uint64_t columns, const std::vector<std::string>& names,
                                      const std::vector<double>& means,
                                      const TableCoding& coding) const {
  ReadOptions known = known_columns(columns, coding);
  const bool has_means = known.missing == Missing::refuse && !means.empty();
  if (known.missing == Missing::mean || has_means) known.missing = Missing::keep;
  return {TableStream(files(), known), path, names, means};
}

KnownRows DataArguments::stream_for(const Model& model) const {
  if (!keeps_missing(model)) {
    return stream_known(model.columns(), model.column_names(), model.column_means(),
                        model.coding());
  }
  ReadOptions known = known_columns(model.columns(), model.coding());
  known.missing = Missing::keep;
  return {TableStream(files(), known), path, model.column_names(), std::nullopt};
}

KnownRows DataArguments::stream_for(const Student& student) const {
  const StudentInfo& info = student.info();
  return stream_known(student.columns(), info.column_names, info.column_means, info.coding);
}

}  // namespace mbn::tool
