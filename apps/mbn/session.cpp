// SPDX-License-Identifier: Apache-2.0
//
// Progress is drawn only on a terminal, over one line that is wiped at the end. The time left is
// estimated from the share done: rough at first, better with every layer.
#include "session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "option_fields.hpp"
#include "wording.hpp"

namespace mbn::tool {

std::atomic<bool> interrupted{false};
std::atomic<bool> watching{false};
std::atomic<bool> saves_when_interrupted{false};
std::atomic<bool> is_quiet{false};

namespace {

constexpr const char* kWipeLine = "\r\033[K";

bool on_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

std::string readable_seconds(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string bar_of(double share) {
  constexpr int kWidth = 28;
  const int filled = static_cast<int>(share * kWidth);
  return fmt::format("[{}{}] {:3.0f} %  ", std::string(filled, '#'),
                     std::string(kWidth - filled, '.'), 100 * share);
}

void draw_progress(const Progress& progress, double seconds) {
  std::string line = fmt::format("{}{}{}", kWipeLine, bar_of(progress.overall), progress.stage);
  if (progress.layer != 0) line += fmt::format(" {} of {}", progress.layer, progress.layers);
  if (progress.overall > 0.02 && seconds > 1) {
    line += fmt::format(", about {} left", readable_seconds(seconds * (1 / progress.overall - 1)));
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

RunOptions& Session::start(const std::atomic<bool>& cancel) {
  start_ = std::chrono::steady_clock::now();
  run.cancel = &cancel;
  is_quiet = quiet;
  watching = true;
  run.note = [this](const Note& note) { tell(note); };
  if (!quiet && on_terminal()) {
    run.progress = [this](const Progress& progress) { draw_progress(progress, seconds()); };
  }
  return run;
}

RunOptions Session::quiet_run() const {
  RunOptions silent = run;
  silent.progress = nullptr;
  return silent;
}

void Session::show_rows(std::uint64_t done, std::optional<std::uint64_t> all, double speed) const {
  if (quiet || !on_terminal()) return;
  std::string line = kWipeLine;
  if (all && *all > 0) {
    const double share = static_cast<double>(done) / static_cast<double>(*all);
    line += fmt::format("{}{:.0f} rows a second", bar_of(share), speed);
    const auto left = static_cast<double>(*all - std::min(done, *all));
    if (speed > 0) line += fmt::format(", about {} left", readable_seconds(left / speed));
  } else {
    line += fmt::format("{} rows, {:.0f} a second", done, speed);
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void Session::say(const std::string& text) const {
  if (quiet) return;
  std::fputs(fmt::format("{}{}\n", on_terminal() ? kWipeLine : "", text).c_str(), stderr);
}

void Session::tell(const Note& note) {
  notes_.push_back(in_tool_words(note.message));
  say("note: " + notes_.back());
}

void Session::wrote(const std::string& name, const std::string& path) {
  report_[name] = path;
  say(fmt::format("wrote {}", path));
}

double Session::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Session::finish() {
  if (!quiet && on_terminal()) std::fputs(kWipeLine, stderr);
  if (json) {
    if (!notes_.empty()) report_["notes"] = notes_;
    if (!report_.contains("seconds")) report_["seconds"] = seconds();
    // Ids of documents may hold bytes that are not UTF-8, which JSON must not.
    const std::string text = report_.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::fputs((text + "\n").c_str(), stdout);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw IoError("standard output cannot be written; what was printed is not complete");
  }
}

void Session::check_table_output(const std::string& path) {
  if (path.empty()) return;
  check_table_ending(path);
  check_target(path);
}

void Session::check_file_output(const std::string& path) {
  if (path == "-") {
    throw InvalidArgument("only tables go to standard output; give the file a name");
  }
  if (!path.empty()) check_target(path);
}

void Session::check_target(const std::string& path) {
  if (std::find(outputs_.begin(), outputs_.end(), path) != outputs_.end()) {
    throw InvalidArgument(fmt::format("two outputs have the same name, {}; give each its own",
                                      path == "-" ? "standard output" : path));
  }
  outputs_.push_back(path);
  if (path == "-") return;
  std::error_code ignored;
  const std::filesystem::path target(path);
  if (!force && std::filesystem::is_regular_file(target, ignored)) {
    throw IoError(ErrorCode::file_exists,
                  {path + " exists already; allow overwriting it (", option("overwrite", "true"),
                   ") or choose another name"},
                  {.option = "overwrite", .path = path, .system_code = EEXIST});
  }
  const std::filesystem::path folder =
      target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw IoError(ENOENT, fmt::format("{}: the folder {} does not exist", path, folder.string()),
                  path);
  }
}

void add_common_options(CLI::App& verb, Session& session) {
  add_fields(verb, session.run, "Running");
  verb.add_flag("--json", session.json, "Print one JSON object about the run on standard output")
      ->group("Talking");
  verb.add_flag("--quiet,-q", session.quiet, "Say nothing but errors")->group("Talking");
  verb.add_flag("--force,-f", session.force, "Overwrite files that exist")->group("Talking");
}

}  // namespace mbn::tool
