// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "text/vectorizer_data.hpp"

namespace mbn {

/// Vectorizer::to_json.
std::string vocabulary_to_json(const VectorizerData& vectorizer);

/// The reverse, after `VectorizerData::complete`. FormatError, beginning with `file`, when the text
/// is not such an object or contradicts itself.
VectorizerData vocabulary_from_json(std::string_view text, std::string_view file);

}  // namespace mbn
