// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "arguments.hpp"

namespace mbn::tool {

/// The kind of a file of ours, which goes to the report. What is none of ours, or cannot be read,
/// counts as a student when it is called .onnx and as a model otherwise: loading it says what is
/// wrong.
FileKind kind_to_load(Session& session, const std::string& path);

/// "a checkpoint of an unfinished fit", ...
std::string_view describe(FileKind kind);

/// FormatError: what the file is, that it cannot do what was asked ("embed rows"), and what to
/// do with it.
[[noreturn]] void refuse_kind(const std::string& path, FileKind kind, std::string_view work);

/// What answers the questions of an index: "fusion", "bm25", "lsa", "mbn", or "none" for rows only.
std::string_view method_text(const Index& index);

/// The network of an index. InvalidArgument when it has none: it "cannot label rows", and `builder`
/// makes one that can.
const Model& network_of(const Index& index, const std::string& path, std::string_view lacks,
                        std::string_view builder = "mbn index --clusters");

/// Rows for an index, with words as names of columns, and the texts that they were counted in.
struct NamedRows {
  Table table;
  std::vector<std::string> texts;  ///< empty unless the data are texts
};

/// --texts and how to read them: rows for an index that has a vocabulary.
struct TextArguments {
  bool texts = false;
  DocumentOptions options;

  void declare(CLI::App& verb);
  /// InvalidArgument when texts are given to a file that has no vocabulary.
  void check(const std::string& path, FileKind kind) const;
  /// The rows of a file as they are, or the counts of its texts.
  Table read_for(Session& session, const Index& index, const DataArguments& data) const;
  /// The same with names: whole words where the texts are at hand, else stems.
  NamedRows read_named(Session& session, const Index& index, const DataArguments& data) const;

 private:
  // `named`: with whole words as names of the columns.
  NamedRows read_texts(Session& session, const Index& index, const DataArguments& data,
                       bool named) const;
};

}  // namespace mbn::tool
