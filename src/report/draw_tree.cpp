// SPDX-License-Identifier: Apache-2.0
//
// Clusters stand below each other at the right, in an order in which no two branches cross; a
// branch lies in the middle of what it splits into. The axis is the share of equal codes, from the
// least to the most at which any branch ends.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/report.hpp>

#include "report/canvas.hpp"
#include "report/palette.hpp"
#include "report/picture_file.hpp"
#include "report/svg_text.hpp"
#include "report/text_width.hpp"

namespace mbn {

namespace {

constexpr double kLeft = 32;
constexpr double kRight = 190;
constexpr double kTop = 64;
constexpr double kBottom = 52;
constexpr double kLine = 24;
constexpr double kTitleSize = 18;
constexpr double kThickest = 12;

struct Placed {
  std::vector<double> y;  // of each branch
  std::size_t clusters = 0;
};

// Depth first, so that the clusters of a branch are neighbours. Parents have lower numbers.
Placed place(std::span<const TreeBranch> branches) {
  std::vector<std::vector<std::size_t>> parts(branches.size());
  for (std::size_t i = 1; i < branches.size(); ++i) {
    parts[static_cast<std::size_t>(branches[i].parent)].push_back(i);
  }
  Placed placed{std::vector<double>(branches.size())};
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t branch = open.back();
    open.pop_back();
    if (parts[branch].empty()) {
      placed.y[branch] = kTop + kLine * (static_cast<double>(placed.clusters++) + 0.5);
    }
    open.insert(open.end(), parts[branch].rbegin(), parts[branch].rend());
  }
  for (std::size_t i = branches.size(); i-- > 0;) {
    if (parts[i].empty()) continue;
    placed.y[i] = (placed.y[parts[i].front()] + placed.y[parts[i].back()]) / 2;
  }
  return placed;
}

void draw_axis(Canvas& canvas, double width, double bottom, double least, double most) {
  constexpr int kSteps = 4;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = kLeft + width * i / kSteps;
    const std::array<Point, 2> line{{{x, kTop - 4}, {x, bottom}}};
    canvas.polyline(line, {227, 231, 236}, 1);
    canvas.text({x, bottom + 18},
                fmt::format("{:.0f} %", 100 * (least + (most - least) * i / kSteps)),
                {.anchor = Anchor::middle});
  }
  canvas.text({kLeft + width / 2, bottom + 38}, "share of equal codes", {.anchor = Anchor::middle});
}

void draw_branches(Canvas& canvas, std::span<const TreeBranch> branches,
                   const TreePictureOptions& options) {
  const Placed placed = place(branches);
  const double width = options.width - kLeft - kRight;
  const double bottom = kTop + kLine * static_cast<double>(placed.clusters);
  canvas.fill({0, 0, static_cast<double>(options.width), bottom + kBottom}, kPaper);
  canvas.text({kLeft, 32}, fitted_text(options.title, options.width - 2 * kLeft, kTitleSize, true),
              {.size = kTitleSize, .bold = true});
  double least = 1;
  double most = 0;
  for (const TreeBranch& branch : branches) {
    least = std::min(least, 1 - branch.ends);
    most = std::max(most, 1 - branch.ends);
  }
  if (!(most > least)) {
    least = 0;
    most = 1;
  }
  draw_axis(canvas, width, bottom, least, most);
  const auto x = [&](double height) {
    return kLeft + width * std::clamp((1 - height - least) / (most - least), 0.0, 1.0);
  };
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const TreeBranch& branch = branches[i];
    const bool is_cluster = branch.cluster >= 0;
    const Colour colour =
        is_cluster ? class_colour(static_cast<std::size_t>(branch.cluster)) : kFaintInk;
    const double share = static_cast<double>(branch.rows) / branches[0].rows;
    const double thickness = std::max(1.5, kThickest * std::sqrt(share));
    const double begins = x(branch.begins);
    const std::array<Point, 2> along{{{begins, placed.y[i]}, {x(branch.ends), placed.y[i]}}};
    canvas.polyline(along, colour, thickness);
    if (branch.parent >= 0) {
      const double from = placed.y[static_cast<std::size_t>(branch.parent)];
      const std::array<Point, 2> across{{{begins, from}, {begins, placed.y[i]}}};
      canvas.polyline(across, kFaintInk, 1.5);
    }
    if (!is_cluster) continue;
    canvas.disc({kLeft + width + 12, placed.y[i]}, 5, colour);
    canvas.text({kLeft + width + 24, placed.y[i] + 4},
                fmt::format("cluster {}: {} rows", branch.cluster, grouped_number(branch.rows)),
                {});
  }
}

/// Branches and options must outlive the drawing.
Drawing drawing_of(std::span<const TreeBranch> branches, const TreePictureOptions& options) {
  if (branches.empty()) {
    throw InvalidArgument(ErrorCode::too_small, "there is no branch to draw; give a tree");
  }
  if (options.width < kLeft + kRight + 40) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        fmt::format("a picture of {} pixels has no room for a tree; make it wider", options.width));
  }
  std::size_t clusters = 0;
  for (std::size_t i = 0; i < branches.size(); ++i) {
    if (branches[i].parent >= static_cast<std::int64_t>(i) ||
        (branches[i].parent < 0) != (i == 0)) {
      throw InvalidArgument(
          ErrorCode::does_not_fit,
          fmt::format("branch {} has the parent {}; parents come first", i, branches[i].parent));
    }
    if (branches[i].cluster >= 0) ++clusters;
  }
  const double height =
      kTop + kLine * static_cast<double>(std::max<std::size_t>(clusters, 1)) + kBottom;
  return {options.width, static_cast<std::uint32_t>(height), options.title,
          fmt::format("A tree of {} rows that ends in {} clusters.", branches[0].rows, clusters),
          [branches, &options](Canvas& canvas) { draw_branches(canvas, branches, options); }};
}

}  // namespace

std::string tree_svg(std::span<const TreeBranch> branches, const TreePictureOptions& options) {
  return svg_of(drawing_of(branches, options));
}

void write_tree(const std::filesystem::path& path, std::span<const TreeBranch> branches,
                const TreePictureOptions& options, bool overwrite) {
  write_drawing(path, drawing_of(branches, options), overwrite);
}

}  // namespace mbn
