// SPDX-License-Identifier: Apache-2.0
#include <mbn/options.hpp>

#include "base/validate.hpp"

namespace mbn {

std::uint32_t Clusters::count() const {
  if (is_number()) return count_;
  throw InvalidArgument(
      ErrorCode::no_clusters,
      {option("clusters", text()), " is no number of clusters; give one, or fit the rows first"},
      {.option = "clusters", .value = text()});
}

std::string Clusters::text() const {
  switch (state_) {
    case State::unknown:
      return "unknown";
    case State::find:
      return "find";
    case State::number:
      break;
  }
  return std::to_string(count_);
}

void validate(const FitOptions& options) {
  validate_fields(options);
}

void validate(const RunOptions& options) {
  validate_fields(options);
}

}  // namespace mbn
