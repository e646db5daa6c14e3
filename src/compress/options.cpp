// SPDX-License-Identifier: Apache-2.0
#include <mbn/compress_options.hpp>

#include "base/validate.hpp"

namespace mbn {

void validate(const CompressOptions& options) {
  validate_fields(options);
}

}  // namespace mbn
