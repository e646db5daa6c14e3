// SPDX-License-Identifier: Apache-2.0
//
// Labels may be any integers, so they are first replaced by their place among the sorted different
// values. A row's pair (cluster, class) is then one 64-bit number, and sorting those numbers brings
// equal pairs together to be counted:
//
//   n_uv = number of rows in cluster u and class v,  a_u = sum_v n_uv,  b_v = sum_u n_uv.
//
// At most one pair per row exists, so this stays small when both sides have very many labels, where
// a full table would not. The order of cells depends on the labels only, so every sum over them is
// always taken in the same order.
#include "evaluate/contingency.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <mbn/error.hpp>

namespace mbn {

namespace {

std::vector<std::int32_t> different_values(std::span<const std::int32_t> labels) {
  std::vector<std::int32_t> values(labels.begin(), labels.end());
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::uint64_t place_of(const std::vector<std::int32_t>& values, std::int32_t value) {
  return static_cast<std::uint64_t>(std::lower_bound(values.begin(), values.end(), value) -
                                    values.begin());
}

void require_comparable(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth) {
  if (labels.size() != truth.size()) {
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("there are {} labels but {} true classes; give one of each for every row",
                    labels.size(), truth.size()));
  }
  if (labels.empty()) {
    throw InvalidArgument(ErrorCode::too_small,
                          "there are 0 labels to score; give at least one row");
  }
  if (labels.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidArgument(ErrorCode::too_large,
                          fmt::format("{} labels are too many to score; give at most {}",
                                      labels.size(), std::numeric_limits<std::uint32_t>::max()));
  }
}

}  // namespace

Contingency count_pairs(std::span<const std::int32_t> labels, std::span<const std::int32_t> truth) {
  require_comparable(labels, truth);
  const std::vector<std::int32_t> cluster_values = different_values(labels);
  const std::vector<std::int32_t> class_values = different_values(truth);

  std::vector<std::uint64_t> pairs(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    pairs[i] = place_of(cluster_values, labels[i]) << 32 | place_of(class_values, truth[i]);
  }
  std::sort(pairs.begin(), pairs.end());

  Contingency table;
  table.rows = labels.size();
  table.cluster_sizes.resize(cluster_values.size());
  table.class_sizes.resize(class_values.size());
  for (std::size_t first = 0; first < pairs.size();) {
    std::size_t last = first;
    while (last < pairs.size() && pairs[last] == pairs[first]) ++last;
    const Contingency::Cell cell{static_cast<std::uint32_t>(pairs[first] >> 32),
                                 static_cast<std::uint32_t>(pairs[first]), last - first};
    table.cluster_sizes[cell.cluster] += cell.count;
    table.class_sizes[cell.truth] += cell.count;
    table.cells.push_back(cell);
    first = last;
  }
  return table;
}

}  // namespace mbn
