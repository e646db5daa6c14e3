// SPDX-License-Identifier: Apache-2.0
//
// Strength. The opacity of a cell grows with the logarithm of its rows, from more than kFaintest
// for one row to 1 at the count that all but one in 200 of the occupied cells stay below: a single
// cell with many equal rows must not fade all the others. One row stays visible: nothing is left
// out. Values are told by how light their shades are, so there the strength changes little.
//
// Colour. Shades of continuous values are averaged. Colours of groups are not: a mixture would be a
// colour that the legend does not have. A cell takes the colour of one of its rows, the one at a
// share of its count that changes from cell to cell in a fixed pattern. So a cell of one group has
// its colour, and where groups meet, neighbouring cells show them in proportion, as a fine weave.
// (The pattern is Jimenez' interleaved gradient noise.)
//
// The rows are passed over twice, and nothing is kept for them.
#include "report/density.hpp"

#include <algorithm>
#include <cmath>

namespace mbn {

namespace {

constexpr double kCell = 2;
constexpr double kMostCells = 4e6;
constexpr double kFaintest = 0.3;
constexpr double kFaintestValue = 0.75;

/// The cells of a frame, line by line.
struct Grid {
  Box frame;
  std::size_t width = 0;
  std::size_t height = 0;

  explicit Grid(const Box& box) : frame(box) {
    const double cell = std::max(kCell, std::sqrt(box.width * box.height / kMostCells));
    width = static_cast<std::size_t>(std::ceil(box.width / cell));
    height = static_cast<std::size_t>(std::ceil(box.height / cell));
  }
  std::size_t cells() const { return width * height; }
  std::size_t cell_of(Point place) const {
    const auto index = [](double share, std::size_t count) {
      return std::min(static_cast<std::size_t>(std::max(0.0, share) * static_cast<double>(count)),
                      count - 1);
    };
    return index((place.y - frame.top) / frame.height, height) * width +
           index((place.x - frame.left) / frame.width, width);
  }
};

double fraction(double number) {
  return number - std::floor(number);
}

/// Between 0 and 1, different in neighbouring cells.
double pattern(std::size_t x, std::size_t y) {
  return fraction(52.9829189 * fraction(0.06711056 * static_cast<double>(x) +
                                        0.00583715 * static_cast<double>(y)));
}

template <class Body>
void for_each_row(const RowPlaces& places, const Grid& grid, Body&& body) {
  for (std::size_t row = 0; row < places.rows(); ++row) {
    if (places.has_place(row)) body(row, grid.cell_of(places.place(row)));
  }
}

std::vector<std::uint32_t> count_rows(const RowPlaces& places, const Grid& grid) {
  std::vector<std::uint32_t> counts(grid.cells());
  for_each_row(places, grid, [&](std::size_t, std::size_t cell) { ++counts[cell]; });
  return counts;
}

double strongest(const std::vector<std::uint32_t>& counts) {
  std::vector<std::uint32_t> occupied;
  for (const std::uint32_t count : counts) {
    if (count > 0) occupied.push_back(count);
  }
  if (occupied.empty()) return 1;
  const auto place = occupied.begin() + static_cast<std::ptrdiff_t>(occupied.size() * 199 / 200);
  std::nth_element(occupied.begin(), place, occupied.end());
  return *place;
}

std::vector<std::uint16_t> chosen_colours(const RowPlaces& places, const RowColours& colours,
                                          const Grid& grid,
                                          const std::vector<std::uint32_t>& counts) {
  std::vector<std::uint32_t> rows_to_skip(grid.cells());
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    rows_to_skip[cell] =
        static_cast<std::uint32_t>(pattern(cell % grid.width, cell / grid.width) * counts[cell]);
  }
  std::vector<std::uint16_t> chosen(grid.cells());
  for_each_row(places, grid, [&](std::size_t row, std::size_t cell) {
    if (rows_to_skip[cell]-- == 0)
      chosen[cell] = static_cast<std::uint16_t>(colours.colour_index(row));
  });
  return chosen;
}

std::vector<std::uint16_t> mean_colours(const RowPlaces& places, const RowColours& colours,
                                        const Grid& grid) {
  const std::size_t no_value = colours.colours.size() - 1;
  std::vector<std::uint64_t> sums(grid.cells());
  std::vector<std::uint32_t> counts(grid.cells());
  for_each_row(places, grid, [&](std::size_t row, std::size_t cell) {
    const std::size_t shade = colours.colour_index(row);
    if (shade == no_value) return;
    sums[cell] += shade;
    ++counts[cell];
  });
  std::vector<std::uint16_t> mean(grid.cells(), static_cast<std::uint16_t>(no_value));
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    if (counts[cell] > 0) {
      mean[cell] = static_cast<std::uint16_t>((sums[cell] + counts[cell] / 2) / counts[cell]);
    }
  }
  return mean;
}

}  // namespace

Image shaded_density(const RowPlaces& places, const RowColours& colours) {
  const Grid grid(places.frame());
  const std::vector<std::uint32_t> counts = count_rows(places, grid);
  const std::vector<std::uint16_t> colour = colours.continuous
                                                ? mean_colours(places, colours, grid)
                                                : chosen_colours(places, colours, grid, counts);
  const double scale = std::log2(1 + strongest(counts));
  const double faintest = colours.continuous ? kFaintestValue : kFaintest;
  Image image{grid.width, grid.height, std::vector<std::uint8_t>(4 * grid.cells())};
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    if (counts[cell] == 0) continue;
    const double strength = std::min(1.0, std::log2(1.0 + counts[cell]) / scale);
    const Colour& shown = colours.colours[colour[cell]];
    std::uint8_t* pixel = image.pixels.data() + 4 * cell;
    pixel[0] = shown.red;
    pixel[1] = shown.green;
    pixel[2] = shown.blue;
    pixel[3] = static_cast<std::uint8_t>(std::lround(255 * (faintest + (1 - faintest) * strength)));
  }
  return image;
}

}  // namespace mbn
