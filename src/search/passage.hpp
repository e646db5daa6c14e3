// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <mbn/hit.hpp>

#include "text/word_reader.hpp"

namespace mbn {

/// Stems of a question and how much each tells.
using StemWeights = std::map<std::string, double, std::less<>>;

/// The part of a text that has the stems of most weight together, the first of ties; the beginning
/// of the text when it has none. `words` stays empty.
Passage find_passage(std::string_view text, const StemWeights& stems, WordReader& reader);

/// The beginning of a text on one line, cut between characters.
std::string title_of(std::string_view text);

}  // namespace mbn
