// SPDX-License-Identifier: Apache-2.0
//
// The rules behind "auto". They look at sizes and at the kind of the rows only, never at a machine,
// so that data and options decide the answer.
#include "network/settle_options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <mbn/error.hpp>

#include "network/schedule.hpp"
#include "rows/metric.hpp"
#include "rows/row_change.hpp"
#include "rows/weights.hpp"

namespace mbn {

namespace {

constexpr std::uint64_t kManyColumns = 200;
constexpr std::uint64_t kUsualDirections = 64;
constexpr std::uint64_t kDirectionsOfWords = 100;
constexpr std::uint64_t kFewColumns = 3;
constexpr std::uint64_t kManyRows = 10'000;
constexpr std::uint64_t kVeryManyRows = 20'000;

// The levels of a category are one.
std::uint64_t columns_to_count(const DataSize& size, const FitOptions& options) {
  std::uint64_t columns = size.shape.columns;
  for (const ColumnBlock& block : options.blocks) columns -= block.count - 1;
  return columns;
}

// Collections of texts have many small subjects, which fewer clusterings blur.
std::uint32_t usual_clusterings(std::uint64_t rows, Weighting weighting) {
  if (rows > kVeryManyRows) return 150;
  return rows > kManyRows && !has_frequencies(weighting) ? 200 : 400;
}

// A clustering that sees one of two columns cannot tell apart what only both of them do. From four
// columns on, half of them say enough, and clusterings that differ are worth more. Words and texts
// are blocks of columns, which each say something alone.
double usual_feature_fraction(const DataSize& size, const FitOptions& options) {
  const bool few = !options.directions.is_number() && options.metric != Metric::precomputed &&
                   options.blocks.empty() && size.shape.columns <= kFewColumns;
  return few ? 1.0 : 0.5;
}

// Whether columns may have different units: those of a table, compared by their size. 200 and more
// are rarely so many different quantities.
bool may_need_scale(const DataSize& size, const FitOptions& options) {
  const bool by_size = options.metric == Metric::euclidean || options.metric == Metric::manhattan;
  const bool numbers = !size.is_sparse && size.shape.type != ElementType::uint8;
  return by_size && numbers && options.weighting == Weighting::counts &&
         size.shape.columns <= kManyColumns;
}

// What a metric compares must still be there after columns were scaled or replaced.
void require_compatible(const FitOptions& options) {
  const std::string metric(name_of(options.metric));
  const bool scaled = options.scale != Scale::none && options.scale != Scale::automatic;
  if (scaled && !allows_scale(options.metric)) {
    throw InvalidArgument(
        ErrorCode::conflict,
        {option("metric", metric), " compares values as they are, which ", option("scale"),
         " would change; leave it out (", option("scale", "none"), ")"},
        {.option = "scale", .value = std::string(name_of(options.scale))});
  }
  if (options.metric == Metric::precomputed && options.weighting != Weighting::counts) {
    throw InvalidArgument(
        ErrorCode::conflict,
        {option("weighting"), " is for counts, and with ", option("metric", metric),
         " rows are distances; leave it out"},
        {.option = "weighting", .value = std::string(name_of(options.weighting))});
  }
  if (options.directions.is_number() && !has_dot_form(options.metric)) {
    throw InvalidArgument(
        ErrorCode::conflict,
        {option("metric", metric), " compares columns, not coordinates along directions; leave ",
         option("directions"), " out (", option("directions", "none"), ")"},
        {.option = "directions", .value = options.directions.text()});
  }
}

}  // namespace

std::uint32_t usual_directions(const DataSize& size, const FitOptions& options) {
  const Weighting weighting = options.weighting;
  const bool plain_counts = size.is_sparse && weighting == Weighting::counts;
  const bool few = columns_to_count(size, options) < kManyColumns;
  if (few || plain_counts || !has_dot_form(options.metric)) return 0;
  const std::uint64_t wanted = has_frequencies(weighting) ? kDirectionsOfWords : kUsualDirections;
  const std::uint64_t most = std::max<std::uint64_t>(size.shape.rows, 2) - 1;
  return static_cast<std::uint32_t>(std::min({wanted, size.shape.columns, most}));
}

FitOptions settle_options(FitOptions options, const DataSize& size) {
  require_compatible(options);
  if (options.directions.count_or(0) > size.shape.columns) {
    const std::string seen = options.directions.text();
    throw InvalidArgument(ErrorCode::out_of_range,
                          {option("directions"),
                           fmt::format(" is {}, but the data has only {} columns; ask for fewer",
                                       seen, size.shape.columns)},
                          {.option = "directions", .value = seen});
  }
  if (options.directions == DirectionCount::automatic) {
    const std::uint32_t count = usual_directions(size, options);
    options.directions = count == 0 ? DirectionCount::none : DirectionCount(count);
  }
  if (!options.feature_fraction) options.feature_fraction = usual_feature_fraction(size, options);
  if (options.scale == Scale::automatic && !may_need_scale(size, options)) {
    options.scale = Scale::none;
  }
  // What is stable depends on the number of clusters, so without one there is nothing to choose.
  if (!options.decay && options.clusters == Clusters::unknown) options.decay = kUsualDecay;
  if (!options.clusterings) {
    options.clusterings = usual_clusterings(size.shape.rows, options.weighting);
  }
  if (!options.pool && size.shape.rows > kMostPoolRows) options.pool = kMostPoolRows;
  return options;
}

}  // namespace mbn
