// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/search.hpp>

namespace mbn {

/// The embedding has unit rows.
struct Index::Data {
  IndexParts parts;
};

/// InvalidArgument when the parts do not fit each other.
void check_parts(const IndexParts& parts);

}  // namespace mbn
