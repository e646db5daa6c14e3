// SPDX-License-Identifier: Apache-2.0
#include <mbn/options.hpp>

#include "base/validate.hpp"

namespace mbn {

void validate(const FitOptions& options) {
  validate_fields(options);
}

void validate(const RunOptions& options) {
  validate_fields(options);
}

}  // namespace mbn
