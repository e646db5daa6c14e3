// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "input/byte_source.hpp"

namespace mbn {

/// A kind of file that is not read, told from its first bytes.
struct Signature {
  std::string_view what;  ///< "a PNG picture"
  /// How to make a file of it that is read; empty: no idea. A Python program that finds the file as
  /// sys.argv[1], a command that ends with its name, or an advice.
  enum class Help : std::uint8_t { none, program, command, advice };
  Help help = Help::none;
  std::string_view text = {};
  std::string_view needs = {};  ///< what pip installs for the program
};

/// "; convert it: ...", a line to copy, for this file; empty when there is no idea.
std::string conversion_of(const Signature& signature, const std::string& file);

/// Whether a zip archive is a sheet of an office program, by the name of its first file.
bool is_sheet(std::span<const std::byte> start);
/// Which kind of sheet an archive is.
const Signature* sheet_of(std::span<const std::byte> start);

/// What the bytes at the start of a file say that it is; null when they say nothing.
const Signature* signature_of(std::span<const std::byte> start);

/// FormatError when the source holds no text: "<file>: this is a PNG picture, not <wanted>".
void refuse_binary(ByteSource& source, std::string_view wanted);

}  // namespace mbn
