// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mbn {

/// Folds the case of a word by Unicode's rules and composes its letters (NFKC with case folding):
/// "STRASSE" and "straße" become one word, and so do an accented letter and a letter with an accent
/// behind it. The word is valid UTF-8.
void fold_case(std::string& word);

/// Takes the accents off letters: "café" becomes "cafe". Marks that are letters of their own, as
/// the vowels of Hindi are, stay.
void strip_accents(std::string& word);

}  // namespace mbn
