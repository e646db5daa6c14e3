// SPDX-License-Identifier: Apache-2.0
//
// The teacher labels anything, so what a student lacks is rows. Those that help lie where unseen
// rows will lie: a picture a little shifted, turned or stretched; a text with some of its words; a
// row of a table with some cells of a row like it; and mixtures of two rows, which show where one
// cluster ends and the next begins.
//
// A row like another is the nearest of kCandidates rows drawn at random: no index of neighbours is
// needed, and no made row depends on another.
#include "compress/extra_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "compress/input_rows.hpp"

namespace mbn {

namespace {

constexpr std::size_t kCandidates = 24;
/// Counts above this are thinned as a whole, not word by word.
constexpr float kMostTokens = 64;
/// Of a picture: shift in pixels, stretch and slant (two slants are a turn) as shares, up to this.
constexpr double kShift = 1.5;
constexpr double kStretch = 0.1;
constexpr double kSlant = 0.2;
/// Share of the cells that come from the other row of a table, and noise in deviations.
constexpr double kSwapped = 0.25;
constexpr double kTableNoise = 0.05;

double between(Random& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

// How many of `count` words stay when each stays with this probability.
float thin(Random& random, float count, double probability) {
  const bool whole = count == std::floor(count) && count > 0 && count <= kMostTokens;
  if (!whole)
    return count > kMostTokens              ? static_cast<float>(std::round(count * probability))
           : random.uniform() < probability ? count
                                            : 0.0F;
  float kept = 0;
  for (float word = 0; word < count; ++word) kept += random.uniform() < probability ? 1.0F : 0.0F;
  return kept;
}

// How often `count` words are drawn when the text's words are drawn anew with replacement.
float redraw(Random& random, float count) {
  if (count != std::floor(count) || count > kMostTokens) return count;
  float drawn = 0;
  for (float word = 0; word < count; ++word) {
    // Poisson of mean 1, up to 3.
    const double place = random.uniform();
    drawn += place < 0.368 ? 0.0F : place < 0.736 ? 1.0F : place < 0.920 ? 2.0F : 3.0F;
  }
  return drawn;
}

// Mean squared difference of columns `step` apart that lie on one line of `width` (when `step` is
// 1) or on neighbouring lines.
double mean_difference(std::span<const float> row, std::size_t step, std::size_t width) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t j = 0; j + step < row.size(); ++j) {
    if (step == 1 && (j + 1) % width == 0) continue;
    const double difference = double{row[j]} - double{row[j + step]};
    sum += difference * difference;
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double variance(std::span<const float> row) {
  double sum = 0;
  double square = 0;
  for (const float cell : row) {
    sum += double{cell};
    square += double{cell} * double{cell};
  }
  const auto count = static_cast<double>(row.size());
  return square / count - sum / count * (sum / count);
}

// Whether no cell is below 0: a teacher of counts or of histograms takes no others.
bool all_positive(RowsView rows, std::span<const std::uint32_t> chosen) {
  std::vector<float> row(rows.columns());
  for (const std::uint32_t i : chosen) {
    copy_dense_row(rows, i, row.data());
    if (std::any_of(row.begin(), row.end(), [](float cell) { return cell < 0; })) return false;
  }
  return true;
}

// Standard deviations; sums in the order of the rows.
std::vector<float> column_deviations(RowsView rows, std::span<const std::uint32_t> chosen) {
  const std::size_t columns = rows.columns();
  std::vector<double> sum(columns), square(columns);
  std::vector<float> row(columns);
  for (const std::uint32_t i : chosen) {
    copy_dense_row(rows, i, row.data());
    for (std::size_t j = 0; j < columns; ++j) {
      sum[j] += double{row[j]};
      square[j] += double{row[j]} * double{row[j]};
    }
  }
  const auto count = static_cast<double>(chosen.size());
  std::vector<float> deviations(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const double mean = sum[j] / count;
    deviations[j] = static_cast<float>(std::sqrt(std::max(0.0, square[j] / count - mean * mean)));
  }
  return deviations;
}

}  // namespace

PictureShape guess_picture_shape(RowsView rows, std::span<const std::uint32_t> chosen) {
  constexpr std::size_t kLeastSide = 6;
  constexpr std::size_t kLooked = 200;
  // Cells that have nothing to do with each other differ by twice the variance.
  constexpr double kAlike = 0.8;
  const std::size_t columns = rows.columns();
  const std::size_t looked = std::min(kLooked, chosen.size());
  PictureShape best;
  double least = std::numeric_limits<double>::infinity();
  if (rows.is_sparse() || looked == 0) return best;
  std::vector<float> row(columns);
  for (std::size_t width = kLeastSide; width * kLeastSide <= columns; ++width) {
    const std::size_t height = columns / width;
    if (height * width != columns || height > 3 * width || width > 3 * height) continue;
    double across = 0;
    double down = 0;
    double all = 0;
    for (std::size_t i = 0; i < looked; ++i) {
      copy_dense_row(rows, chosen[i * chosen.size() / looked], row.data());
      across += mean_difference(row, 1, width);
      down += mean_difference(row, width, width);
      all += variance(row);
    }
    if (across >= kAlike * all || down >= kAlike * all || down >= least) continue;
    least = down;
    best = {static_cast<std::uint32_t>(height), static_cast<std::uint32_t>(width), 1};
  }
  return best;
}

Augment settle_augment(Augment augment, bool counts, const PictureShape& shape) {
  if (augment != Augment::automatic) return augment;
  if (!shape.empty()) return Augment::pictures;
  return counts ? Augment::words : Augment::table;
}

ExtraRows::ExtraRows(RowsView rows, std::span<const std::uint32_t> chosen,
                     const CompressOptions& options, Augment augment, PictureShape shape)
    : rows_(rows),
      chosen_(chosen),
      augment_(augment),
      strength_(options.augment_strength.value_or(augment == Augment::jitter ? 0.2 : 0.5)),
      seed_(options.seed),
      shape_(shape) {
  if (augment != Augment::jitter && augment != Augment::table) return;
  deviation_ = column_deviations(rows, chosen);
  positive_ = all_positive(rows, chosen);
}

void ExtraRows::make(std::uint64_t number, float* to) const {
  Random random(seed_, Purpose::augment, static_cast<std::uint32_t>(number >> 32),
                static_cast<std::uint32_t>(number));
  copy_dense_row(rows_, chosen_[number % chosen_.size()], to);
  switch (augment_) {
    case Augment::none:
    case Augment::automatic:
      return;
    case Augment::jitter:
      return add_noise(random, strength_, to);
    case Augment::mix:
      return mix(random, other_row(random), to);
    case Augment::words:
      return change_words(random, to);
    case Augment::pictures:
      if (random.below(3) == 0) return mix(random, other_row(random), to);
      return move_picture(random, to);
    case Augment::table:
      return change_table(random, to);
  }
}

void ExtraRows::add_noise(Random& random, double strength, float* row) const {
  for (std::size_t j = 0; j < rows_.columns(); ++j) {
    row[j] += static_cast<float>(strength * random.normal()) * deviation_[j];
    if (positive_) row[j] = std::max(row[j], 0.0F);
  }
}

void ExtraRows::mix(Random& random, const std::vector<float>& other, float* row) const {
  const auto share = static_cast<float>(strength_ * random.uniform());
  for (std::size_t j = 0; j < rows_.columns(); ++j) row[j] += share * (other[j] - row[j]);
}

void ExtraRows::change_words(Random& random, float* row) const {
  const std::size_t columns = rows_.columns();
  const std::vector<float> given(row, row + columns);
  const std::uint32_t way = random.below(3);
  const double share = way == 0 ? between(random, 0.3, 1) : random.uniform();
  std::vector<float> other;
  if (way == 1) other = other_row(random);
  double left = 0;
  for (std::size_t j = 0; j < columns; ++j) {
    if (given[j] != 0) row[j] = way == 2 ? redraw(random, given[j]) : thin(random, given[j], share);
    if (way == 1 && other[j] != 0) row[j] += thin(random, other[j], 1 - share);
    left += std::abs(double{row[j]});
  }
  // A text without words tells nothing.
  if (left == 0) std::copy(given.begin(), given.end(), row);
}

void ExtraRows::move_picture(Random& random, float* row) const {
  const std::vector<float> given(row, row + rows_.columns());
  const double stretch_y = 1 + between(random, -kStretch, kStretch);
  const double stretch_x = 1 + between(random, -kStretch, kStretch);
  const double slant_y = between(random, -kSlant, kSlant);
  const double slant_x = between(random, -kSlant, kSlant);
  const double down = between(random, -kShift, kShift);
  const double across = between(random, -kShift, kShift);
  const auto height = static_cast<std::ptrdiff_t>(shape_.height);
  const auto width = static_cast<std::ptrdiff_t>(shape_.width);
  const auto cell = [&](std::ptrdiff_t y, std::ptrdiff_t x) {
    // What comes in from outside is as the edge is.
    const std::ptrdiff_t line = std::clamp<std::ptrdiff_t>(y, 0, height - 1);
    return double{given[static_cast<std::size_t>(line * width +
                                                 std::clamp<std::ptrdiff_t>(x, 0, width - 1))]};
  };
  const double middle_y = 0.5 * static_cast<double>(height - 1);
  const double middle_x = 0.5 * static_cast<double>(width - 1);
  for (std::ptrdiff_t y = 0; y < height; ++y) {
    for (std::ptrdiff_t x = 0; x < width; ++x) {
      const double dy = static_cast<double>(y) - middle_y;
      const double dx = static_cast<double>(x) - middle_x;
      const double from_y = stretch_y * dy + slant_y * dx + down + middle_y;
      const double from_x = stretch_x * dx + slant_x * dy + across + middle_x;
      const auto y0 = static_cast<std::ptrdiff_t>(std::floor(from_y));
      const auto x0 = static_cast<std::ptrdiff_t>(std::floor(from_x));
      const double fy = from_y - static_cast<double>(y0);
      const double fx = from_x - static_cast<double>(x0);
      row[y * width + x] =
          static_cast<float>((1 - fy) * ((1 - fx) * cell(y0, x0) + fx * cell(y0, x0 + 1)) +
                             fy * ((1 - fx) * cell(y0 + 1, x0) + fx * cell(y0 + 1, x0 + 1)));
    }
  }
}

void ExtraRows::change_table(Random& random, float* row) const {
  const std::vector<float> other = near_row(random, row);
  if (random.below(2) == 0) {
    mix(random, other, row);
  } else {
    for (std::size_t j = 0; j < rows_.columns(); ++j) {
      if (random.uniform() < kSwapped) row[j] = other[j];
    }
  }
  add_noise(random, kTableNoise, row);
}

std::vector<float> ExtraRows::other_row(Random& random) const {
  std::vector<float> other(rows_.columns());
  const std::uint32_t place = random.below(static_cast<std::uint32_t>(chosen_.size()));
  copy_dense_row(rows_, chosen_[place], other.data());
  return other;
}

std::vector<float> ExtraRows::near_row(Random& random, const float* row) const {
  std::vector<float> nearest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < kCandidates; ++c) {
    std::vector<float> other = other_row(random);
    double distance = 0;
    for (std::size_t j = 0; j < rows_.columns(); ++j) {
      if (deviation_[j] == 0) continue;
      const double difference = (double{other[j]} - double{row[j]}) / double{deviation_[j]};
      distance += difference * difference;
    }
    // The row itself may be drawn, and is no other.
    if (distance == 0 || distance >= least) continue;
    least = distance;
    nearest = std::move(other);
  }
  return nearest.empty() ? std::vector<float>(row, row + rows_.columns()) : nearest;
}

}  // namespace mbn
