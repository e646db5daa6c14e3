// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <mbn/text_options.hpp>

namespace mbn {

/// The function words of a language, ascending by their bytes; none where there is no list.
std::vector<std::string_view> stop_words(Language language);

/// The languages that have a list; English is the first.
std::vector<Language> languages_with_stop_words();

}  // namespace mbn
