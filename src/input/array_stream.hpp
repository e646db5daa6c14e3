// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/array_reader.hpp"
#include "input/quarantine.hpp"

namespace mbn {

/// What arrays on their way out of quarantine are for. Parts come in any order, the end last.
enum class StreamPart : std::uint8_t {
  end,
  error,         ///< why there are no arrays
  rows,          ///< dense rows
  compression,   ///< of sparse rows: by columns or by rows, and their shape
  starts,        ///< of each compressed row or column
  indices,       ///< the other one
  values,        ///< of the nonzeros
  row_names,     ///< ids
  column_names,  ///< names
  gene_counts,   ///< rows are cells, and may be raw counts
};

/// Writes a table as parts of a stream, from inside a quarantine.
class ArrayStreamWriter {
 public:
  explicit ArrayStreamWriter(QuarantineOutput& output) : output_(output) {}

  /// Begins an array; its numbers follow by `numbers`, in this machine's byte order.
  void begin(StreamPart part, const ArrayLayout& layout);
  void numbers(const void* bytes, std::size_t count);
  void names(StreamPart part, const std::vector<std::string>& names);
  void compression(bool by_column, std::uint64_t rows, std::uint64_t columns);
  void gene_counts();
  /// Why the rest does not come. Inside an array nothing can be said: what is there is cut short,
  /// by passing on the error.
  void error(const Error& error, bool is_argument);
  void end();

 private:
  template <class Number>
  void put(Number number) {
    output_.write(&number, sizeof number);
  }
  void put(std::string_view text);

  QuarantineOutput& output_;
  std::uint64_t missing_ = 0;  // bytes of the array that was begun
};

/// The table that comes as such a stream. Its errors are thrown; a stream that is cut short, or
/// that does not make sense, is a FormatError too.
Table read_array_stream(ByteSource& stream, bool* has_nan);

}  // namespace mbn
