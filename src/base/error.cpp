// SPDX-License-Identifier: Apache-2.0
//
// A message is a list of pieces: plain text, and references to options with a value. It becomes
// text when it is read: a function of the front end (the tool, Python) writes each option in its
// own way, for example as a flag of a command line. The library's own neutral wording is such a
// function too.
#include <mbn/error.hpp>

#include <array>
#include <cerrno>

namespace mbn {

namespace {

std::string neutral_wording(std::string_view name, std::string_view value) {
  if (name.empty()) return std::string(value);
  std::string text(name);
  if (!value.empty()) text.append(" = ").append(value);
  return text;
}

ErrorCode code_of_system(int system_code) {
  switch (system_code) {
    case ENOENT:
      return ErrorCode::file_missing;
    case EEXIST:
      return ErrorCode::file_exists;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::permission;
    case ENOSPC:
    case EDQUOT:
      return ErrorCode::no_space;
    case EISDIR:
    case ENOTDIR:
      return ErrorCode::not_a_file;
    default:
      return ErrorCode::system;
  }
}

// In order of declaration.
constexpr std::array<std::string_view, 33> kErrorNames = {
    "invalid",         "out_of_range", "unknown_choice", "not_found", "conflict",    "does_not_fit",
    "too_small",       "too_large",    "not_finite",     "unsorted",  "sparse_rows", "dense_rows",
    "no_clusters",     "no_map",       "no_vocabulary",  "too_old",   "other_fit",   "wrong_order",
    "file_missing",    "file_exists",  "permission",     "no_space",  "not_a_file",  "system",
    "not_this_format", "wrong_kind",   "unsupported",    "damaged",   "too_new",     "bad_line",
    "bad_value",       "memory",       "cancelled"};
static_assert(kErrorNames.size() == static_cast<std::size_t>(ErrorCode::cancelled) + 1);

constexpr std::array<std::string_view, 12> kNoteNames = {
    "few_columns",      "columns_differ", "slow_bottom",     "options_chosen",
    "columns_ordered",  "data_read",      "map_differs",     "rows_unlike",
    "distances_differ", "narrow_layers",  "unsure_clusters", "plain_counts"};
static_assert(kNoteNames.size() == static_cast<std::size_t>(NoteCode::plain_counts) + 1);

}  // namespace

Message& Message::operator+=(const Message& more) {
  pieces_.insert(pieces_.end(), more.pieces_.begin(), more.pieces_.end());
  return *this;
}

std::string Message::text() const {
  return text(neutral_wording);
}

std::string Message::text(const Wording& wording) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    text += piece.kind == Piece::Kind::words ? piece.text : wording(piece.text, piece.value);
  }
  return text;
}

std::string_view name_of(NoteCode code) {
  return kNoteNames.at(static_cast<std::size_t>(code));
}

std::string_view name_of(ErrorCode code) {
  return kErrorNames.at(static_cast<std::size_t>(code));
}

Error::Error(ErrorCode code, Message message, ErrorDetails details)
    : std::runtime_error(message.text()),
      code_(code),
      fields_(std::make_shared<const Fields>(Fields{std::move(message), std::move(details)})) {}

IoError::IoError(int system_code, Message message, std::filesystem::path path)
    : Error(code_of_system(system_code), std::move(message),
            {.path = std::move(path), .system_code = system_code}) {}

}  // namespace mbn
