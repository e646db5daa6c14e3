// SPDX-License-Identifier: Apache-2.0
#include "our_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "option_fields.hpp"

namespace mbn::tool {

namespace {

std::string_view advice(FileKind kind) {
  switch (kind) {
    case FileKind::checkpoint:
      return "repeat the fit with the same --checkpoint to go on from it, and use its model";
    case FileKind::vocabulary:
      return "count words with 'mbn vectorize --vocabulary', and use the model that was fitted to "
             "such counts";
    case FileKind::lsa:
      return "use 'mbn transform'";
    default:
      return "use a model that was fitted with --clusters";
  }
}

std::uint64_t columns_of(const Index& index) {
  return index.lsa() != nullptr ? index.lsa()->columns() : index.components();
}

}  // namespace

FileKind kind_to_load(Session& session, const std::string& path) {
  std::error_code ignored;
  const bool readable = std::filesystem::is_regular_file(path, ignored);
  FileKind kind = readable ? file_kind(path) : FileKind::other;
  if (kind == FileKind::other) {
    const bool onnx = std::filesystem::path(path).extension() == ".onnx";
    kind = onnx ? FileKind::student : FileKind::model;
  }
  session.report()["kind"] = name_of(kind);
  return kind;
}

std::string_view describe(FileKind kind) {
  switch (kind) {
    case FileKind::model:
      return "a model";
    case FileKind::student:
      return "a student (ONNX)";
    case FileKind::index:
      return "an index";
    case FileKind::lsa:
      return "a latent semantic analysis";
    case FileKind::checkpoint:
      return "a checkpoint of an unfinished fit";
    case FileKind::vocabulary:
      return "a vocabulary";
    case FileKind::other:
      break;
  }
  return "not a file of mbn";
}

void refuse_kind(const std::string& path, FileKind kind, std::string_view work) {
  throw FormatError(
      fmt::format("{} is {}, which cannot {}; {}", path, describe(kind), work, advice(kind)));
}

void TextArguments::declare(CLI::App& verb) {
  verb.add_flag("--texts", texts, "DATA holds texts, for an index that has a vocabulary")
      ->group("Texts");
  add_enum(verb, "--format", options.format,
           "With --texts: how the file is laid out; 'auto' goes by its ending")
      ->needs("--texts")
      ->group("Texts");
  verb.add_option("--text-column", options.text_column,
                  "With --texts: CSV column (name or number) or JSONL field of the text")
      ->capture_default_str()
      ->needs("--texts")
      ->group("Texts");
}

void TextArguments::check(const std::string& path, FileKind kind) const {
  if (!texts || kind == FileKind::index) return;
  throw InvalidArgument(
      fmt::format("only an index takes texts, and {} is {}; count their words with 'mbn vectorize'",
                  path, describe(kind)));
}

Table TextArguments::read_for(Session& session, const Index& index,
                              const DataArguments& data) const {
  if (texts) return read_texts(session, index, data, false).table;
  if (index.model() != nullptr) return data.read_for(session, *index.model());
  return data.read_for(session, columns_of(index), {});
}

NamedRows TextArguments::read_named(Session& session, const Index& index,
                                    const DataArguments& data) const {
  if (texts) return read_texts(session, index, data, true);
  NamedRows rows{read_for(session, index, data), {}};
  if (index.vectorizer() != nullptr) rows.table.columns = index.vectorizer()->words();
  return rows;
}

NamedRows TextArguments::read_texts(Session& session, const Index& index, const DataArguments& data,
                                    bool named) const {
  if (index.vectorizer() == nullptr) {
    throw InvalidArgument("the index has no vocabulary, so it takes rows and no texts");
  }
  DocumentOptions how = options;
  if (!data.options.id_column.empty()) how.id_column = data.options.id_column.front();
  Documents documents = read_documents(data.path, how);
  Table table;
  table.rows = index.vectorizer()->transform(documents.texts, session.run);
  if (named) table.columns = index.vectorizer()->whole_words(documents.texts);
  table.ids = std::move(documents.ids);
  NamedRows rows{{}, std::move(documents.texts)};
  const std::size_t count = rows.texts.size();
  rows.table = data.part.of(std::move(table), count);
  if (data.part.part.whole()) return rows;
  std::vector<std::string> taken;
  for (const std::uint32_t row : data.part.part.rows(count)) {
    taken.push_back(std::move(rows.texts[row]));
  }
  rows.texts = std::move(taken);
  return rows;
}

const Model& network_of(const Index& index, const std::string& path, std::string_view lacks,
                        std::string_view builder) {
  if (index.model() != nullptr) return *index.model();
  throw InvalidArgument(fmt::format(
      "{} is an index without a network, which {}; use one that '{}' built with --clusters or the "
      "method mbn",
      path, lacks, builder));
}

std::string_view method_text(const Index& index) {
  return index.methods().empty() ? "none" : name_of(index.method());
}

}  // namespace mbn::tool
