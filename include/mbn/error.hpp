// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <mbn/message.hpp>

namespace mbn {

/// What went wrong, for programs. The comment above a group names the class that usually has these
/// codes.
enum class ErrorCode : std::uint8_t {
  // InvalidArgument
  invalid,         ///< an argument is wrong in a way that no other code names
  out_of_range,    ///< a number is below or above its limits: `option()`, `value()`
  unknown_choice,  ///< a name is not one of those known: an option's value, a file's ending
  not_found,       ///< the data has no column, array or part of that name
  conflict,        ///< two arguments exclude each other
  does_not_fit,    ///< numbers of rows or columns of two arguments differ
  too_small,       ///< too few rows, columns or words to work with
  too_large,       ///< more than can be handled or written
  not_finite,      ///< a cell of the rows is infinite or not a number
  unsorted,        ///< the columns of a sparse row are wrong, repeated or out of order
  sparse_rows,     ///< sparse rows where only dense ones can be used
  dense_rows,      ///< dense rows where only sparse ones can be used
  no_clusters,     ///< the model has no clusters
  no_map,          ///< the model has no map
  no_vocabulary,   ///< the index was built without a vocabulary
  too_old,         ///< the model's file was written before models had what is asked for
  other_fit,       ///< the checkpoint belongs to other data or options
  wrong_order,     ///< a function was called too early or too late
  // IoError
  file_missing,  ///< there is no such file or folder
  file_exists,   ///< the file exists already, and overwriting was not allowed
  permission,    ///< the system does not allow it
  no_space,      ///< the disk or the quota is full
  not_a_file,    ///< a folder, a socket or no name where a file is needed
  system,        ///< any other reason of the system: `system_code()`
  // FormatError
  not_this_format,  ///< the file is something else
  wrong_kind,       ///< a file of ours, but of another kind: a checkpoint where a model is needed
  unsupported,      ///< a sound file with contents that are not read
  damaged,          ///< cut short, changed or contradicting itself
  too_new,          ///< written by a newer version
  bad_line,         ///< a line of a text file is not what it should be: `place()`
  bad_value,        ///< a cell or label of a file is not what it should be: `place()`
  // MemoryLimitExceeded and Cancelled
  memory,     ///< the work needs more memory than there is
  cancelled,  ///< `RunOptions::cancel` was set
};

/// "no_clusters" for ErrorCode::no_clusters.
std::string_view name_of(ErrorCode code);

/// Where in a file or table, counted from 1. A text file has lines, a table rows.
struct Place {
  std::optional<std::uint64_t> line = std::nullopt;
  std::optional<std::uint64_t> row = std::nullopt;
  std::optional<std::uint64_t> column = std::nullopt;

  bool operator==(const Place&) const = default;
};

/// What an error is about; fields that do not apply stay empty.
struct ErrorDetails {
  std::string option = {};
  std::string value = {};
  std::filesystem::path path = {};
  Place place = {};
  int system_code = 0;
};

/// The base of everything the library throws on purpose. `what()` says what was wrong, the value
/// seen, and what to do about it; programs look at the fields instead. Copies share their fields.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, Message message, ErrorDetails details = {});

  ErrorCode code() const { return code_; }
  /// The sentence of `what()`, for a front end that words options its own way.
  const Message& message() const { return fields_->message; }
  /// The option or argument it is about, by its name in this library; empty if none.
  const std::string& option() const { return fields_->details.option; }
  /// The value seen, as text; empty if none.
  const std::string& value() const { return fields_->details.value; }
  /// The file, as the caller named it; empty if none.
  const std::filesystem::path& path() const { return fields_->details.path; }
  const Place& place() const { return fields_->details.place; }
  /// errno where the system had a reason, else 0.
  int system_code() const { return fields_->details.system_code; }

 private:
  struct Fields {
    Message message;
    ErrorDetails details;
  };
  ErrorCode code_;
  std::shared_ptr<const Fields> fields_;
};

/// An argument or option is out of range, or two of them do not fit each other.
class InvalidArgument : public Error {
 public:
  using Error::Error;
  explicit InvalidArgument(Message message) : Error(ErrorCode::invalid, std::move(message)) {}
};

/// The operating system refused: a file is missing, a disk is full, a file exists already.
class IoError : public Error {
 public:
  using Error::Error;
  explicit IoError(Message message) : Error(ErrorCode::system, std::move(message)) {}
  /// For an errno: the code follows from it.
  IoError(int system_code, Message message, std::filesystem::path path);
};

/// A file was read, but it does not hold what it should.
class FormatError : public Error {
 public:
  using Error::Error;
  explicit FormatError(Message message) : Error(ErrorCode::damaged, std::move(message)) {}
};

/// The work needs more memory than `RunOptions::memory_limit` allows, or than the machine has.
class MemoryLimitExceeded : public Error {
 public:
  using Error::Error;
  explicit MemoryLimitExceeded(Message message) : Error(ErrorCode::memory, std::move(message)) {}
};

/// `RunOptions::cancel` was set while the work was under way. Nothing was written.
class Cancelled : public Error {
 public:
  Cancelled() : Error(ErrorCode::cancelled, "interrupted") {}
};

}  // namespace mbn
