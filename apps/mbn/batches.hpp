// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace mbn::tool {

/// --rows and --batch: which rows, and how many of them at a time.
struct BatchArguments {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> end;
  std::size_t batch = 0;   ///< 0: by memory
  std::string checkpoint;  ///< what was written is kept here and beside the outputs

  void declare(CLI::App& verb);
  /// Only --batch, for verbs that train: those have a checkpoint of their own.
  void declare_batch(CLI::App& verb);
  /// Whether only some rows are asked for.
  bool is_part() const { return first > 0 || end.has_value(); }
};

/// InvalidArgument when only some rows are asked for, or a checkpoint, but the rows cannot be read
/// in batches, or something (`what`) needs all of them.
void require_batches(const BatchArguments& arguments, bool in_batches);

/// What tells a file from another one that has the same name later: its size and time.
std::string identity_of(const std::string& path);

/// One table that is written as rows come.
struct BatchOutput {
  std::string name;  ///< in the report; empty: the verb tells of it
  std::string path;
  std::vector<std::string> columns;
};

/// Reads rows batch after batch, lets them be worked on, and writes tables as they come: memory is
/// that of a batch, whatever the number of rows. Tables appear whole at the end. With a checkpoint,
/// the same command goes on after an interruption.
class Batches {
 public:
  /// `identity` tells what the rows go through.
  Batches(Session& session, const BatchArguments& arguments, const DataArguments& data,
          std::string identity);

  /// A table to write, unless it would go to where --json prints. Returns its number among the
  /// writers, or nothing.
  std::optional<std::size_t> add(BatchOutput output);

  /// What is done with a batch: it adds its rows to the writers.
  using Work = std::function<void(const Table& batch, std::vector<TableWriter>& writers)>;
  /// Rows come from `rows`; `usual` is how many to take at a time unless told. Returns how many
  /// there were.
  std::uint64_t run(KnownRows& rows, std::size_t usual, const Work& work);
  /// What else is kept in the checkpoint, and there again after an interruption.
  Json& kept() { return kept_; }
  /// Gives all tables their names, and removes the checkpoint.
  void commit();

 private:
  Json description() const;
  void go_on_from(const Json& saved);
  void open_writers(const Table& batch);
  void save();
  double seconds() const;
  void show(std::uint64_t done, std::optional<std::uint64_t> all) const;

  Session& session_;
  const BatchArguments& arguments_;
  const DataArguments& data_;
  std::string identity_;
  std::vector<BatchOutput> outputs_;
  std::vector<std::optional<PartFile>> parts_;
  std::vector<TableWriter> writers_;
  Json kept_ = Json::object();
  std::uint64_t done_ = 0;
  std::uint64_t done_before_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double saved_at_ = 0;
};

/// Which tables about rows to write, each to its path; none where that is empty.
struct LabelOutputs {
  std::string labels{};
  std::string embedding{};
  std::string map{};
  RowNumbers numbers{};
  bool sizes = false;  ///< of the clusters are wanted, whether labels are or not
};

/// Sends all rows through a model, and writes what was asked for as they come. Returns the sizes of
/// the clusters, when they or labels are among it. The session must be started.
std::vector<std::uint64_t> label_in_batches(Session& session, const Model& model,
                                            const DataArguments& data,
                                            const BatchArguments& arguments,
                                            const LabelOutputs& outputs);

}  // namespace mbn::tool
