// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/mbn.hpp>

namespace mbn::tool {

using Json = nlohmann::ordered_json;

/// What all verbs share: run options, messages, and the report at the end. Data goes to standard
/// output or to files, messages to standard error; with --json one object goes to standard output.
class Session {
 public:
  RunOptions run;
  bool json = false;
  bool quiet = false;
  bool force = false;
  /// Set by a verb that was interrupted but had something worth writing.
  bool stopped = false;
  /// Set by a verb that did its work, but has no answer to what it was asked.
  bool unanswered = false;
  /// Set when the rows that were read are counts of words: a folder of texts.
  bool word_counts = false;
  /// The whole command, for a report to name.
  std::string command;
  /// Set by the verb that was chosen; called after all arguments were read.
  std::function<void()> action;

  /// Connects progress, notes and Ctrl-C. Call it before long work.
  RunOptions& start(const std::atomic<bool>& cancel);

  /// How far rows are that come in batches, on a terminal: of how many, if that is known, and how
  /// many a second.
  void show_rows(std::uint64_t done, std::optional<std::uint64_t> all, double speed) const;
  /// The same run without its own progress, for a batch of many.
  RunOptions quiet_run() const;
  /// A line for a person, on standard error.
  void say(const std::string& text) const;
  /// A note of the library: a line for a person, and an entry of "notes" in --json.
  void tell(const Note& note);
  /// Tells of a file that was written: a line for a person, and its path under `name` in --json.
  void wrote(const std::string& name, const std::string& path);
  /// What was advised so far.
  const std::vector<std::string>& notes() const { return notes_; }
  /// The object that --json prints.
  Json& report() { return report_; }
  /// Prints the object when --json was given, with the seconds since the start.
  void finish();
  double seconds() const;

  /// These stop early, before any work, when an output cannot be written there or when two outputs
  /// have the same name. A table may go to standard output ("-"); other files need a name.
  void check_table_output(const std::string& path);
  void check_file_output(const std::string& path);
  WriteOptions write_options() const { return {.overwrite = force, .columns = {}, .ids = {}}; }

 private:
  void check_target(const std::string& path);

  Json report_ = Json::object();
  std::vector<std::string> outputs_;
  std::vector<std::string> notes_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Options that every verb has.
void add_common_options(CLI::App& verb, Session& session);

/// The flag that Ctrl-C sets, and whether the running work checks it: before `Session::start` it
/// does not.
extern std::atomic<bool> interrupted;
extern std::atomic<bool> watching;
/// Work that keeps what it has when it is interrupted: it is given the time to write it.
extern std::atomic<bool> saves_when_interrupted;
/// Whether the running work was told to say nothing but errors.
extern std::atomic<bool> is_quiet;

}  // namespace mbn::tool
