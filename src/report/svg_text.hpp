// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mbn {

/// Any bytes as text that may stand inside an XML element or attribute: valid UTF-8 without control
/// characters, marks escaped. What is not text becomes U+FFFD or, for white space, a blank.
std::string xml_text(std::string_view text);

/// Any bytes as valid UTF-8 without control characters, in the same way but not escaped.
std::string clean_text(std::string_view text);

/// At most `characters` of a text, the last one an ellipsis when some are cut off. The result is
/// not escaped.
std::string shortened(std::string_view text, std::size_t characters);

/// The number of characters, as far as the text is valid UTF-8.
std::size_t character_count(std::string_view text);

/// 1234567 as "1,234,567".
std::string grouped_number(std::uint64_t number);

/// A coordinate with one decimal, none when that is 0: "12.5", "12". Finite numbers only.
void append_coordinate(std::string& out, double value);

}  // namespace mbn
