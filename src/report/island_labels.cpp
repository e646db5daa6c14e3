// SPDX-License-Identifier: Apache-2.0
//
// The densest place of a group is the mode of a coarse histogram of its rows, smoothed, and then
// the mean of its rows round that cell: a mean over all rows would land between the two halves of a
// group that lies in two places, or in the hole of a ring.
//
// Names are placed one after another, the largest group first, each at the nearest free place: on
// its anchor, or on growing ellipses round it (names are wider than high). A place is free when the
// box is inside the frame, touches no other box and no other leader line, and its own line touches
// no other box. There is no randomness.
#include "report/island_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "report/text_width.hpp"

namespace mbn {

namespace {

constexpr std::size_t kFewestGroups = 2;
constexpr std::size_t kMostGroups = 40;
constexpr double kSmallestShare = 0.0005;  // of the rows: a smaller group is left to the legend
constexpr std::size_t kCells = 40;         // of the histogram, on each side
constexpr double kPadding = 3;
constexpr double kLineHeight = 1.2;
constexpr double kRingStep = 8;
constexpr int kRings = 18;
constexpr int kDirections = 16;
constexpr double kLeaderFrom = 9;    // from the anchor to the box
constexpr double kWidestName = 0.3;  // of the frame

double font_size(std::size_t islands, const Box& frame) {
  const double wanted = islands <= 12 ? 15 : islands <= 24 ? 13 : 11.5;
  return std::clamp(wanted * std::sqrt(std::min(frame.width, frame.height) / 600), 9.0, 24.0);
}

Box grown(const Box& box, double by) {
  return {box.left - by, box.top - by, box.width + 2 * by, box.height + 2 * by};
}

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom();
}

bool inside(const Box& inner, const Box& outer) {
  return inner.left >= outer.left && inner.right() <= outer.right() && inner.top >= outer.top &&
         inner.bottom() <= outer.bottom();
}

/// Whether a line touches a box (Liang and Barsky: the share of the line that is left after each of
/// the four edges has cut it).
bool touches(Point from, Point to, const Box& box) {
  double enter = 0;
  double leave = 1;
  const auto cut = [&](double start, double step, double low, double high) {
    if (step == 0) return start >= low && start <= high;
    const double a = (low - start) / step;
    const double b = (high - start) / step;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
    return enter <= leave;
  };
  return cut(from.x, to.x - from.x, box.left, box.right()) &&
         cut(from.y, to.y - from.y, box.top, box.bottom());
}

bool is_free(const IslandLabel& label, const Box& frame, const std::vector<IslandLabel>& placed) {
  if (!inside(grown(label.box, kPadding), frame)) return false;
  const Point start = leader_start(label);
  for (const IslandLabel& other : placed) {
    if (overlap(grown(label.box, kPadding), other.box)) return false;
    if (label.leader && touches(start, label.anchor, grown(other.box, 1))) return false;
    if (other.leader && touches(leader_start(other), other.anchor, grown(label.box, 1))) {
      return false;
    }
  }
  return true;
}

std::optional<IslandLabel> find_room(const Island& island, double size, const Box& frame,
                                     const std::vector<IslandLabel>& placed) {
  IslandLabel label{fitted_text(island.name, kWidestName * frame.width, size, true),
                    {},
                    island.anchor,
                    false,
                    size};
  label.box.width = text_width(label.name, size, true);
  label.box.height = kLineHeight * size;
  for (int ring = 0; ring <= kRings; ++ring) {
    const double up = kRingStep * ring;
    const double across = up > 0 ? up + label.box.width / 2 : 0;
    for (int turn = 0; turn < (ring == 0 ? 1 : kDirections); ++turn) {
      // Upwards first, then alternately to both sides.
      const int step = turn % 2 == 0 ? turn / 2 : -(turn + 1) / 2;
      const double angle = 2 * std::numbers::pi * step / kDirections - std::numbers::pi / 2;
      label.box.left = island.anchor.x + across * std::cos(angle) - label.box.width / 2;
      label.box.top = island.anchor.y + up * std::sin(angle) - label.box.height / 2;
      const Point start = leader_start(label);
      label.leader = std::hypot(start.x - label.anchor.x, start.y - label.anchor.y) > kLeaderFrom;
      if (is_free(label, frame, placed)) return label;
    }
  }
  return std::nullopt;
}

/// How many rows of a group each cell of the frame has.
class Histogram {
 public:
  explicit Histogram(const Box& frame)
      : frame_(frame), counts_(kCells * kCells), sums_(kCells * kCells) {}

  void add(Point place) {
    const std::size_t cell = cell_of(place);
    counts_[cell] += 1;
    sums_[cell].x += place.x;
    sums_[cell].y += place.y;
  }

  /// The mean of the rows round the densest cell.
  Point densest() const {
    const std::vector<double> smooth = smoothed(smoothed(counts_));
    const auto mode =
        static_cast<std::size_t>(std::max_element(smooth.begin(), smooth.end()) - smooth.begin());
    double rows = 0;
    Point sum;
    for_each_neighbour(mode, [&](std::size_t cell, double) {
      rows += counts_[cell];
      sum.x += sums_[cell].x;
      sum.y += sums_[cell].y;
    });
    return rows > 0 ? Point{sum.x / rows, sum.y / rows} : middle_of(mode);
  }

 private:
  std::size_t cell_of(Point place) const {
    const auto index = [](double share) {
      const double cell = std::floor(share * kCells);
      return static_cast<std::size_t>(std::clamp(cell, 0.0, kCells - 1.0));
    };
    return index((place.y - frame_.top) / frame_.height) * kCells +
           index((place.x - frame_.left) / frame_.width);
  }

  Point middle_of(std::size_t cell) const {
    const auto along = [](double start, double size, std::size_t index) {
      return start + size * (static_cast<double>(index) + 0.5) / kCells;
    };
    return {along(frame_.left, frame_.width, cell % kCells),
            along(frame_.top, frame_.height, cell / kCells)};
  }

  template <class Body>
  static void for_each_neighbour(std::size_t cell, Body&& body) {
    constexpr std::array<double, 3> kWeights{1, 2, 1};
    const std::size_t x = cell % kCells;
    const std::size_t y = cell / kCells;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const std::size_t other_y = y + i - 1;  // wraps round below 0, and is too large then
        const std::size_t other_x = x + j - 1;
        if (other_y >= kCells || other_x >= kCells) continue;
        body(other_y * kCells + other_x, kWeights[i] * kWeights[j]);
      }
    }
  }

  static std::vector<double> smoothed(const std::vector<double>& counts) {
    std::vector<double> out(counts.size());
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
      for_each_neighbour(
          cell, [&](std::size_t other, double weight) { out[cell] += weight * counts[other]; });
    }
    return out;
  }

  Box frame_;
  std::vector<double> counts_;
  std::vector<Point> sums_;
};

}  // namespace

Point leader_start(const IslandLabel& label) {
  return {std::clamp(label.anchor.x, label.box.left, label.box.right()),
          std::clamp(label.anchor.y, label.box.top, label.box.bottom())};
}

std::vector<Island> find_islands(const RowPlaces& places, const std::vector<Group>& groups,
                                 std::span<const std::uint32_t> group_of_row) {
  if (groups.size() < kFewestGroups || groups.size() > kMostGroups) return {};
  std::vector<Histogram> histograms(groups.size(), Histogram(places.frame()));
  std::vector<std::uint64_t> rows(groups.size());
  for (std::size_t row = 0; row < places.rows(); ++row) {
    if (!places.has_place(row)) continue;
    histograms[group_of_row[row]].add(places.place(row));
    ++rows[group_of_row[row]];
  }
  const double fewest = kSmallestShare * static_cast<double>(places.drawable());
  std::vector<Island> islands;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].label < 0 || rows[g] == 0 || static_cast<double>(rows[g]) < fewest) continue;
    islands.push_back({groups[g].name, histograms[g].densest(), rows[g]});
  }
  return islands;
}

std::vector<IslandLabel> place_labels(std::vector<Island> islands, const Box& frame) {
  std::stable_sort(islands.begin(), islands.end(),
                   [](const Island& a, const Island& b) { return a.rows > b.rows; });
  const double size = font_size(islands.size(), frame);
  std::vector<IslandLabel> placed;
  for (const Island& island : islands) {
    if (island.name.empty()) continue;
    if (const auto label = find_room(island, size, frame, placed)) placed.push_back(*label);
  }
  return placed;
}

}  // namespace mbn
