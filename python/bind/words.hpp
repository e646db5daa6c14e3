// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mbn::python {

/// The keyword of an option: scikit-learn's prefix or word where it has one, else our own.
std::string keyword(std::string_view option);

/// A message of the library as a Python user should read it: keywords instead of options and flags
/// ("--scale standard" becomes "scale='standard'"), NaN and None as Python writes them.
std::string in_python_words(std::string message);

}  // namespace mbn::python
