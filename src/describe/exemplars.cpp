// SPDX-License-Identifier: Apache-2.0
#include "describe/exemplars.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace mbn {

namespace {

// How often each code occurs among the rows of one cluster, clustering by clustering.
std::vector<std::uint32_t> count_codes(const CodeMatrix& codes,
                                       const std::vector<std::uint32_t>& members) {
  std::vector<std::uint32_t> counts(codes.clusterings() * codes.centroids());
  for (const std::uint32_t row : members) {
    for (std::size_t v = 0; v < codes.clusterings(); ++v) {
      ++counts[v * codes.centroids() + codes.at(row, v)];
    }
  }
  return counts;
}

bool same_codes(const CodeMatrix& codes, std::uint32_t a, std::uint32_t b) {
  for (std::size_t v = 0; v < codes.clusterings(); ++v) {
    if (codes.at(a, v) != codes.at(b, v)) return false;
  }
  return true;
}

std::vector<std::uint32_t> exemplars_of(const CodeMatrix& codes,
                                        const std::vector<std::uint32_t>& members,
                                        std::size_t count) {
  const std::vector<std::uint32_t> counts = count_codes(codes, members);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> agreement;
  for (const std::uint32_t row : members) {
    std::uint64_t sum = 0;
    for (std::size_t v = 0; v < codes.clusterings(); ++v) {
      sum += counts[v * codes.centroids() + codes.at(row, v)];
    }
    agreement.emplace_back(sum, row);
  }
  std::ranges::sort(agreement, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::uint32_t> chosen;
  for (const auto& [sum, row] : agreement) {
    if (chosen.size() == count) break;
    const bool seen = std::ranges::any_of(
        chosen, [&](std::uint32_t other) { return same_codes(codes, row, other); });
    if (!seen) chosen.push_back(row);
  }
  return chosen;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> find_exemplars(const CodeMatrix& codes,
                                                       std::span<const std::uint32_t> sample,
                                                       std::span<const std::int32_t> labels,
                                                       std::uint32_t clusters, std::size_t count) {
  std::vector<std::vector<std::uint32_t>> members(clusters);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const std::int32_t label = labels[sample[i]];
    if (label >= 0)
      members[static_cast<std::size_t>(label)].push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<std::vector<std::uint32_t>> exemplars;
  for (const std::vector<std::uint32_t>& places : members) {
    exemplars.push_back(exemplars_of(codes, places, count));
    for (std::uint32_t& row : exemplars.back()) row = sample[row];
  }
  return exemplars;
}

}  // namespace mbn
