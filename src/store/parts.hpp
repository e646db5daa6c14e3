// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/lsa.hpp>
#include <mbn/search.hpp>

#include "store/tensor_file.hpp"

namespace mbn {

/// From an open file, with all checks; FormatError when anything in it could not be used as it is.
Lsa read_lsa(const TensorReader& file);
Index read_index(const TensorReader& file);

}  // namespace mbn
