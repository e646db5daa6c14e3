// SPDX-License-Identifier: Apache-2.0
//
// A checkpoint of such work is a small JSON file that says which rows are done, and how many bytes
// of each table are safe; the tables grow beside their places, as NAME.part. It is written anew
// after a batch, when some seconds have passed, and always after the bytes that it speaks of are on
// the disk. So whatever is killed in between, what it says is true.
#include "batches.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace mbn::tool {

namespace {

constexpr double kSecondsBetweenSaves = 2;

// "A:B", "A:" or ":B".
bool parse_range(const std::string& text, BatchArguments& arguments) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return false;
  const std::string first = text.substr(0, colon);
  const std::string end = text.substr(colon + 1);
  if (!first.empty() && !CLI::detail::lexical_cast(first, arguments.first)) return false;
  if (first.find('-') != std::string::npos || end.find('-') != std::string::npos) return false;
  if (end.empty()) return true;
  std::uint64_t number = 0;
  if (!CLI::detail::lexical_cast(end, number) || number <= arguments.first) return false;
  arguments.end = number;
  return true;
}

[[noreturn]] void refuse_range(std::uint64_t first, const std::string& path) {
  throw InvalidArgument(
      fmt::format("--rows begins with row {} (counted from 0), which {} has not", first, path));
}

std::string part_name(const std::string& path) {
  return path + ".part";
}

// What tells a file from another one that has the same name later.
Json stamp_of(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto time = std::filesystem::last_write_time(file, ignored).time_since_epoch().count();
  return {file.string(), std::filesystem::file_size(file, ignored), time};
}

}  // namespace

std::string identity_of(const std::string& path) {
  return stamp_of(path).dump();
}

void BatchArguments::declare(CLI::App& verb) {
  verb.add_option_function<std::string>(
          "--rows",
          [this](const std::string& text) {
            if (parse_range(text, *this)) return;
            throw CLI::ValidationError("--rows", fmt::format("'{}' is not like 0:1000", text));
          },
          "Only the rows from A to before B, counted from 0: a job of many, whose tables 'mbn "
          "concat' joins")
      ->type_name("A:B")
      ->group("Reading");
  declare_batch(verb);
  verb.add_option("--checkpoint", checkpoint,
                  "Keep in this file which rows are done, and tables beside their places as "
                  "NAME.part; go on from them when they exist; removed at the end")
      ->group("Running");
}

void BatchArguments::declare_batch(CLI::App& verb) {
  verb.add_option("--batch", batch,
                  "Rows that are read and worked on at a time [by memory]; changes no result")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 31))
      ->group("Running");
}

void require_batches(const BatchArguments& arguments, bool in_batches) {
  if (in_batches || (!arguments.is_part() && arguments.checkpoint.empty())) return;
  throw InvalidArgument(
      "--rows and --checkpoint are for rows that are read in batches: of .npy and CSV, without "
      "--plot, --truth, --label-column, --append, --part, --transpose and --missing drop");
}

Batches::Batches(Session& session, const BatchArguments& arguments, const DataArguments& data,
                 std::string identity)
    : session_(session), arguments_(arguments), data_(data), identity_(std::move(identity)) {}

std::optional<std::size_t> Batches::add(BatchOutput output) {
  if (output.path.empty() || (output.path == "-" && session_.json)) return std::nullopt;
  outputs_.push_back(std::move(output));
  return outputs_.size() - 1;
}

// All that must be the same for the work to go on.
Json Batches::description() const {
  Json files = Json::array();
  for (const std::filesystem::path& file : data_.files()) files.push_back(stamp_of(file));
  Json tables = Json::array();
  for (const BatchOutput& output : outputs_) tables.push_back(output.path);
  Json range{arguments_.first, arguments_.end ? Json(*arguments_.end) : Json()};
  return {{"through", identity_}, {"files", files}, {"tables", tables}, {"range", range}};
}

void Batches::go_on_from(const Json& saved) {
  const std::string& file = arguments_.checkpoint;
  if (!saved.is_object() || saved.value("work", Json()) != description()) {
    throw InvalidArgument(
        fmt::format("{} belongs to other rows, another network or other outputs; repeat that "
                    "command, or remove the file to start anew",
                    file));
  }
  kept_ = saved.at("kept");
  done_ = done_before_ = saved.at("done").get<std::uint64_t>();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    parts_[i] =
        PartFile{part_name(outputs_[i].path), saved.at("bytes").at(i).get<std::uint64_t>(), done_};
  }
  session_.say(fmt::format("going on after {} rows, from {}", done_, file));
}

void Batches::open_writers(const Table& batch) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    WriteOptions options = named_rows(session_, batch, outputs_[i].columns);
    options.ids.clear();
    writers_.emplace_back(outputs_[i].path, options, parts_[i]);
  }
}

std::uint64_t Batches::run(KnownRows& rows, std::size_t usual, const Work& work) {
  parts_.assign(outputs_.size(), std::nullopt);
  if (!arguments_.checkpoint.empty()) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (outputs_[i].path == "-" || data_.path == "-") {
        throw InvalidArgument(
            "--checkpoint needs files that can be read and written again; give names instead of -");
      }
      parts_[i] = PartFile{part_name(outputs_[i].path), 0, 0};
    }
    if (std::ifstream file(arguments_.checkpoint); file) {
      go_on_from(Json::parse(file, nullptr, false));
    }
  }
  std::optional<std::uint64_t> all = rows.rows();
  if (all) all = std::min(*all, arguments_.end.value_or(*all));
  if (all && *all > arguments_.first) all = *all - arguments_.first;
  if (rows.skip(arguments_.first + done_) < arguments_.first + done_) {
    refuse_range(arguments_.first, data_.path);
  }
  const std::size_t batch_rows = arguments_.batch != 0 ? arguments_.batch : usual;
  while (true) {
    const std::uint64_t left =
        arguments_.end ? *arguments_.end - arguments_.first - done_ : UINT64_MAX;
    const Table batch = rows.next(session_, std::min<std::uint64_t>(batch_rows, left));
    const std::size_t count = batch.data().rows();
    if (count == 0) break;
    if (writers_.empty()) open_writers(batch);
    // Before the work: so there is always a batch left to go on with.
    if (done_ > done_before_) save();
    try {
      work(batch, writers_);
    } catch (const InvalidArgument& error) {
      if (!error.place().row || arguments_.first + done_ == 0) throw;
      Message message = fmt::format("in the rows after row {}: ", arguments_.first + done_);
      message += error.message();
      throw InvalidArgument(error.code(), std::move(message));
    }
    done_ += count;
    show(done_, all);
  }
  if (done_ == 0) {
    refuse_range(arguments_.first, data_.path);
  }
  return done_;
}

void Batches::save() {
  if (arguments_.checkpoint.empty()) return;
  if (seconds() - saved_at_ < kSecondsBetweenSaves) return;
  Json bytes = Json::array();
  for (TableWriter& writer : writers_) bytes.push_back(writer.save().bytes);
  const Json saved{{"work", description()}, {"done", done_}, {"bytes", bytes}, {"kept", kept_}};
  write_text(arguments_.checkpoint, saved.dump() + "\n", {.overwrite = true});
  saved_at_ = seconds();
}

double Batches::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Batches::show(std::uint64_t done, std::optional<std::uint64_t> all) const {
  const double speed = static_cast<double>(done - done_before_) / std::max(seconds(), 1e-9);
  session_.show_rows(done, all, speed);
}

void Batches::commit() {
  for (std::size_t i = 0; i < writers_.size(); ++i) {
    writers_[i].commit();
    if (outputs_[i].path == "-" || outputs_[i].name.empty()) continue;
    session_.wrote(outputs_[i].name, outputs_[i].path);
  }
  session_.report()["rows_per_second"] =
      static_cast<double>(done_ - done_before_) / std::max(seconds(), 1e-9);
  if (!arguments_.checkpoint.empty()) std::filesystem::remove(arguments_.checkpoint);
}

}  // namespace mbn::tool
