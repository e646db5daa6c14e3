// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/tensor_header.hpp"

namespace mbn {

/// Names as the text of a JSON array. What is not UTF-8 in a name becomes U+FFFD.
std::string names_to_json(const std::vector<std::string>& names);

/// The names of columns in the metadata of a model or a student: none, or one for each column.
/// FormatError, naming `file`, otherwise.
std::vector<std::string> column_names_from(const Metadata& metadata, std::uint64_t columns,
                                           std::string_view file);

/// The same for the means of columns, which are finite.
std::string means_to_json(const std::vector<double>& means);
std::vector<double> column_means_from(const Metadata& metadata, std::uint64_t columns,
                                      std::string_view file);

}  // namespace mbn
