// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mbn {

/// A sentence for a person that keeps the options it mentions apart from its words, so that every
/// front end can write them its own way: the tool as flags, Python as keywords (`n_clusters`).
///
///   Message{"the model has no clusters; fit it with ", option("clusters")}
class Message {
 public:
  /// Plain words, an option (by its field's name, with or without a value), or a value on its own.
  struct Piece {
    enum class Kind : std::uint8_t { words, option, value };

    Piece(const char* words) : text(words) {}             // NOLINT: implicit, for lists of pieces
    Piece(std::string words) : text(std::move(words)) {}  // NOLINT
    Piece(Kind what, std::string_view name, std::string_view its_value)
        : kind(what), text(name), value(its_value) {}

    bool operator==(const Piece&) const = default;

    Kind kind = Kind::words;
    std::string text;   ///< the words, or the option's name
    std::string value;  ///< empty where an option is only named
  };

  /// How a front end writes an option: `value` is empty when it is only named, `name` is empty for
  /// a value on its own. "auto" on its own leaves a number to the library.
  using Wording = std::function<std::string(std::string_view name, std::string_view value)>;

  Message() = default;
  Message(const char* words) : pieces_{words} {}             // NOLINT: implicit, as text is
  Message(std::string words) : pieces_{std::move(words)} {}  // NOLINT
  Message(std::initializer_list<Piece> pieces) : pieces_(pieces) {}

  Message& operator+=(const Message& more);

  /// In the library's own words: `clusters`, `scale = standard`.
  std::string text() const;
  /// In the words of a front end.
  std::string text(const Wording& wording) const;

  const std::vector<Piece>& pieces() const { return pieces_; }
  bool operator==(const Message&) const = default;

 private:
  std::vector<Piece> pieces_;
};

/// An option or argument in a message.
inline Message::Piece option(std::string_view name, std::string_view value = {}) {
  return {Message::Piece::Kind::option, name, value};
}

/// A value on its own in a message.
inline Message::Piece option_value(std::string_view value) {
  return {Message::Piece::Kind::value, {}, value};
}

/// What a note is about.
enum class NoteCode : std::uint8_t {
  few_columns,       ///< each clustering draws one column only
  columns_differ,    ///< few columns have nearly all of the variance
  slow_bottom,       ///< the bottom layer needs exact search, which takes long
  options_chosen,    ///< which options were chosen, and why
  columns_ordered,   ///< columns came in another order than the model's, by their names
  data_read,         ///< what the reader of a file took its parts for
  map_differs,       ///< the map compares rows by something else than the metric
  rows_unlike,       ///< rows to update on lie far from those that the network drew
  distances_differ,  ///< the distance from a row to another is not that from the other to it
  narrow_layers,     ///< the layers were made for fewer clusters than are asked for now
  unsure_clusters,   ///< the clusters, or their number, may be chance
  plain_counts,      ///< sparse counts are compared without a weighting
};

/// "few_columns" for NoteCode::few_columns.
std::string_view name_of(NoteCode code);

/// Advice about the data, never an error.
struct Note {
  NoteCode code;
  Message message;

  bool operator==(const Note&) const = default;
};

}  // namespace mbn
