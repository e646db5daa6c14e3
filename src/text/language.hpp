// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <mbn/text_options.hpp>

namespace mbn {

/// The language that a collection is most likely written in, by its alphabet and its function
/// words. English when nothing tells: keywords, names, a few words only. `none` for alphabets
/// without a stemmer.
Language guess_language(std::span<const std::string> documents);

/// The options with a language that is not `automatic`.
TextOptions settled(TextOptions options, std::span<const std::string> documents);

}  // namespace mbn
