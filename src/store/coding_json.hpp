// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <mbn/column_coding.hpp>

#include "network/model_data.hpp"
#include "store/tensor_header.hpp"

namespace mbn {

/// A coding as the text of a JSON array: {"name": "colour", "kind": "category", "levels": ["blue",
/// "red"]} for each column; a text that is not left out has its TextCoding instead of levels. What
/// is not UTF-8 becomes U+FFFD.
std::string coding_to_json(const TableCoding& coding);

/// The coding in the metadata of a model or a student: none, or one that gives so many columns.
/// FormatError, naming `file`, otherwise.
TableCoding coding_from(const Metadata& metadata, std::uint64_t columns, std::string_view file);

/// All that the metadata of a model say about its columns, whose number it has already.
void read_columns(const Metadata& metadata, std::string_view file, ModelData& model);

}  // namespace mbn
