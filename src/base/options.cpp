// SPDX-License-Identifier: Apache-2.0
#include <mbn/options.hpp>

#include <limits>

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

std::string DirectionCount::text() const {
  if (is_number()) return std::to_string(count_);
  return *this == none ? "none" : "auto";
}

FitOptions FitOptions::paper() {
  FitOptions options;
  options.clusterings = 400;
  options.feature_fraction = 0.5;
  options.decay = 0.5;
  options.weighting = Weighting::counts;
  options.scale = Scale::none;
  options.directions = DirectionCount::none;
  options.pool = std::numeric_limits<std::int32_t>::max();
  return options;
}

namespace {

// Missing cells and how rows are compared go together only where a distance is a sum over columns.
void check_partial(const FitOptions& options) {
  if (options.missing != MissingValues::partial) return;
  if (options.metric != Metric::euclidean) {
    throw InvalidArgument(
        ErrorCode::conflict,
        {option("missing", "partial"), " compares rows by Euclidean distance, and ",
         option("metric"), " is ", option_value(name_of(options.metric)),
         "; leave one of the two out, or fill the missing values when reading, with ",
         option("missing", "mean")},
        {.option = "missing", .value = "partial"});
  }
  if (options.weighting != Weighting::counts) {
    throw InvalidArgument(
        ErrorCode::conflict,
        {option("missing", "partial"), " is for values as they are, and ", option("weighting"),
         " is ", option_value(name_of(options.weighting)), "; leave one of the two out"},
        {.option = "missing", .value = "partial"});
  }
}

}  // namespace

void validate(const FitOptions& options) {
  validate_fields(options);
  check_partial(options);
}

void validate(const RunOptions& options) {
  validate_fields(options);
}

}  // namespace mbn
