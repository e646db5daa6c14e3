// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <mbn/message.hpp>

namespace mbn::python {

/// The keyword of an option: scikit-learn's prefix or word where it has one, else our own.
std::string keyword(std::string_view option);

/// A message of the library as a Python user should read it: `n_clusters`, `scale='standard'`,
/// `overwrite=True`, and None for a number that the library chooses.
std::string in_python_words(const Message& message);

}  // namespace mbn::python
