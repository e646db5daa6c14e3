// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/array_reader.hpp"

namespace mbn {

/// An HDF5 file in memory, by libhdf5. Only for use inside a quarantine: libhdf5 was not made for
/// files of strangers, and its state is global. Paths go through groups by "/"; links that lead
/// elsewhere (soft, external) are never followed. What is not there or cannot be read is a
/// FormatError whose text does not name the file.
class Hdf5File {
 public:
  enum class Kind : std::uint8_t { nothing, group, numbers, other };

  explicit Hdf5File(std::span<const std::byte> image);

  Kind kind(const std::string& path) const;
  bool has(const std::string& path) const { return kind(path) != Kind::nothing; }

  /// Names in a group, at most a thousand.
  std::vector<std::string> members(const std::string& group) const;
  /// Paths of all datasets of numbers, at most a thousand.
  std::vector<std::string> arrays() const;

  /// An attribute of a group or dataset; nothing when there is none of that type.
  std::optional<std::string> text_attribute(const std::string& path, const char* name) const;
  std::vector<std::uint64_t> integer_attribute(const std::string& path, const char* name) const;

  /// How `read` gives the numbers of a dataset.
  ArrayLayout layout(const std::string& path) const;
  using Sink = std::function<void(const void* bytes, std::size_t count)>;
  /// The numbers, some at a time, row by row, in this machine's byte order.
  void read(const std::string& path, const Sink& sink) const;
  std::vector<std::uint64_t> integers(const std::string& path) const;
  /// A list of texts, or of integers as texts. With `field`, of a table of records.
  std::vector<std::string> texts(const std::string& path, const std::string& field = {}) const;

 private:
  std::int64_t open(const std::string& path) const;
  bool has_rows(const std::string& path) const;
  void check_size(std::int64_t dataset, std::uint64_t cell_bytes) const;

  std::int64_t file_ = -1;
  std::uint64_t bytes_ = 0;
};

/// Whether this build has libhdf5.
bool has_hdf5();

}  // namespace mbn
