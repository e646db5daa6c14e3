// SPDX-License-Identifier: Apache-2.0
//
// A few extreme values would leave one shade for all the others. When the values between the 0.5th
// and the 99.5th percentile span less than half of the whole range, the scale covers those, and
// what lies beyond has the colour of its end.
#include "report/row_colours.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace mbn {

namespace {

constexpr double kTail = 0.005;

std::string label_name(std::int32_t label, const std::vector<std::string>& names) {
  const bool named = label >= 0 && static_cast<std::size_t>(label) < names.size();
  return named ? names[static_cast<std::size_t>(label)] : fmt::format("{}", label);
}

}  // namespace

std::vector<Group> groups_of(std::span<const std::int32_t> labels,
                             const std::vector<std::string>& names) {
  std::vector<std::int32_t> sorted(labels.begin(), labels.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Group> groups;
  for (const std::int32_t label : sorted) {
    if (groups.empty() || groups.back().label != label) {
      groups.push_back({label, label_name(label, names), {}, 0});
    }
    ++groups.back().rows;
  }
  const bool by_value =
      !groups.empty() && groups.back().label < static_cast<std::int32_t>(kPaletteSize);
  std::size_t negatives = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Group& group = groups[g];
    if (group.label < 0) {
      group.colour = noise_colour(negatives++);
    } else {
      group.colour = class_colour(by_value ? static_cast<std::size_t>(group.label) : g - negatives);
    }
  }
  return groups;
}

std::vector<std::uint32_t> group_of_rows(std::span<const std::int32_t> labels,
                                         const std::vector<Group>& groups) {
  std::vector<std::uint32_t> out;
  out.reserve(labels.size());
  for (const std::int32_t label : labels) {
    const auto group = std::lower_bound(
        groups.begin(), groups.end(), label,
        [](const Group& candidate, std::int32_t value) { return candidate.label < value; });
    out.push_back(static_cast<std::uint32_t>(group - groups.begin()));
  }
  return out;
}

ValueRange range_of(std::span<const float> values) {
  std::vector<float> sorted;
  sorted.reserve(values.size());
  for (const float value : values) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  ValueRange range;
  range.missing = values.size() - sorted.size();
  if (sorted.empty()) return range;
  std::sort(sorted.begin(), sorted.end());
  const auto tail = static_cast<std::size_t>(kTail * static_cast<double>(sorted.size()));
  const double whole = static_cast<double>(sorted.back()) - sorted.front();
  const double most = static_cast<double>(sorted[sorted.size() - 1 - tail]) - sorted[tail];
  const std::size_t skipped = most > 0 && most < whole / 2 ? tail : 0;
  range.low = sorted[skipped];
  range.high = sorted[sorted.size() - 1 - skipped];
  range.more_below = sorted.front() < range.low;
  range.more_above = sorted.back() > range.high;
  return range;
}

RowColours colours_by_group(const std::vector<Group>& groups,
                            std::span<const std::uint32_t> group_of_row) {
  RowColours out;
  // Thousands of groups share the colours that there are.
  std::vector<std::uint16_t> of_group;
  for (const Group& group : groups) {
    auto place = std::find(out.colours.begin(), out.colours.end(), group.colour);
    if (place == out.colours.end()) place = out.colours.insert(place, group.colour);
    of_group.push_back(static_cast<std::uint16_t>(place - out.colours.begin()));
  }
  if (groups.empty()) out.colours.push_back(class_colour(0));
  out.of_row.reserve(group_of_row.size());
  for (const std::uint32_t group : group_of_row) out.of_row.push_back(of_group[group]);
  return out;
}

RowColours colours_by_value(std::span<const float> values, const ValueRange& range) {
  RowColours out;
  out.continuous = true;
  for (std::size_t shade = 0; shade < kShades; ++shade) {
    out.colours.push_back(shade_colour(shade));
  }
  out.colours.push_back(noise_colour(2));
  const double width = static_cast<double>(range.high) - range.low;
  out.of_row.reserve(values.size());
  for (const float value : values) {
    double share = 0.5;
    if (width > 0) share = std::clamp((static_cast<double>(value) - range.low) / width, 0.0, 1.0);
    const auto shade = std::isfinite(value)
                           ? std::min(static_cast<std::size_t>(share * kShades), kShades - 1)
                           : kShades;
    out.of_row.push_back(static_cast<std::uint16_t>(shade));
  }
  return out;
}

}  // namespace mbn
