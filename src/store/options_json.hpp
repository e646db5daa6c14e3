// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <mbn/compress_options.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// The options as one JSON object, all of them, by the names of `visit_fields`. Choices are given
/// by name; 64-bit numbers are decimal text, because many JSON readers hold numbers as doubles.
std::string options_to_json(const FitOptions& options);

/// The reverse. An option that the text lacks keeps its default; one that this version does not
/// know, or a value out of range, is a FormatError that begins with `file`.
FitOptions options_from_json(std::string_view text, std::string_view file);

/// The same for a student's options.
std::string compress_options_to_json(const CompressOptions& options);
CompressOptions compress_options_from_json(std::string_view text, std::string_view file);

}  // namespace mbn
