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

/// --texts and how to read them: rows for an index that has a vocabulary.
struct TextArguments {
  bool texts = false;
  DocumentOptions options;

  void declare(CLI::App& verb);
  /// InvalidArgument when texts are given to a file that has no vocabulary.
  void check(const std::string& path, FileKind kind) const;
  /// The rows of a file as they are, or the counts of its texts.
  Table read_for(const Index& index, const DataArguments& data, const RunOptions& run) const;
};

}  // namespace mbn::tool
