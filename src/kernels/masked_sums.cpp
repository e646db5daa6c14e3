// SPDX-License-Identifier: Apache-2.0
//
// The distance between one row and one kept row in many clusterings, each on the features that it
// drew. The term of each feature is computed once, as a 16-bit word; the distance in clustering v
// is then a sum under a mask,
//
//     sum_f  mask_v(f) * word(f).
//
// Words are split into two planes of bytes, because processors add bytes fastest: one instruction
// sums eight bytes into a 64-bit lane without overflow, and masks of one byte for each feature stay
// in the L2 cache (784 features x 400 clusterings = 310 KB). The sum is low + 256 x high, exactly,
// and 256 x high alone is a lower bound that excludes most clusterings.
//
// Squared differences of bytes are exact. Floats are scaled to 65,000 steps and rounded down, so a
// sum of m words is below the true sum by less than m steps; where that is not enough, the caller
// computes the distance in double.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/masked_sums-inl.h"
#include <hwy/foreach_target.h>
// The target that every machine has comes last.
#include "kernels/masked_sums-inl.h"
#include "kernels/targets.hpp"

namespace mbn {

namespace {
HWY_EXPORT(square_byte_differences);
HWY_EXPORT(square_differences);
HWY_EXPORT(multiply);
HWY_EXPORT(scale_terms);
HWY_EXPORT(split_words);
HWY_EXPORT(masked_sums);
HWY_EXPORT(sum_of_squares);
HWY_EXPORT(close_below);

constexpr float kSteps = 65000;
}  // namespace

WordScale square_scale(float largest) {
  if (largest == 0) return {.usable = true};
  // Outside these limits a square, or the factor, may leave the range of float32.
  if (!(largest >= 1e-10F && largest <= 1e10F)) return {};
  const float square = largest * largest;
  return {square / kSteps, 0, square, kSteps / square, true};
}

WordScale term_scale(float largest) {
  if (largest == 0) return {.usable = true};
  if (!(largest >= 1e-30F && largest <= 1e30F)) return {};
  return {largest / kSteps, 0, largest, kSteps / largest, true};
}

WordScale product_scale(float least, float largest) {
  const float size = std::max(std::fabs(least), std::fabs(largest));
  const float range = largest - least;
  if (!(size <= 1e20F)) return {};
  if (range == 0) return {0, least, size, 0, true};
  if (!(range >= 1e-20F)) return {};
  return {range / kSteps, least, size, kSteps / range, true};
}

void square_differences(const std::uint8_t* x, const std::uint8_t* w, std::size_t features,
                        std::uint16_t* words) {
  MBN_DISPATCH(square_byte_differences)(x, w, features, words);
}

WordScale square_differences(const float* x, const float* w, std::size_t features,
                             std::uint16_t* words) {
  return MBN_DISPATCH(square_differences)(x, w, features, words);
}

WordScale multiply(const float* x, const float* w, std::size_t features, std::uint16_t* words) {
  return MBN_DISPATCH(multiply)(x, w, features, words);
}

void scale_terms(const float* terms, const WordScale& scale, std::size_t features,
                 std::uint16_t* words) {
  MBN_DISPATCH(scale_terms)(terms, scale, features, words);
}

void split_words(BytePlanes& planes) {
  MBN_DISPATCH(split_words)
  (planes.words.data(), planes.words.size(), planes.low.data(), planes.high.data());
}

void masked_sums(const std::vector<std::uint8_t>& plane, const std::uint8_t* masks,
                 const std::uint32_t* chosen, std::size_t count, std::uint64_t* sums) {
  MBN_DISPATCH(masked_sums)(plane.data(), plane.size(), masks, chosen, count, sums);
}

std::uint64_t sum_of_squares(const BytePlanes& planes) {
  return MBN_DISPATCH(sum_of_squares)(planes.words.data(), planes.words.size());
}

bool close_below(const float* values, float limit, std::uint64_t* open, std::size_t words) {
  return MBN_DISPATCH(close_below)(values, limit, open, words);
}

namespace reference {

void square_byte_differences(const std::uint8_t* x, const std::uint8_t* w, std::size_t features,
                             std::uint16_t* words) {
  for (std::size_t f = 0; f < features; ++f) {
    const int difference = static_cast<int>(x[f]) - static_cast<int>(w[f]);
    words[f] = static_cast<std::uint16_t>(difference * difference);
  }
}

WordScale square_differences(const float* x, const float* w, std::size_t features,
                             std::uint16_t* words) {
  float largest = 0;
  for (std::size_t f = 0; f < features; ++f) largest = std::max(largest, std::fabs(x[f] - w[f]));
  const WordScale scale = square_scale(largest);
  for (std::size_t f = 0; scale.usable && f < features; ++f) {
    const float difference = x[f] - w[f];
    const float square = difference * difference;
    words[f] = static_cast<std::uint16_t>(square * scale.factor);
  }
  return scale;
}

WordScale multiply(const float* x, const float* w, std::size_t features, std::uint16_t* words) {
  float least = x[0] * w[0];
  float largest = least;
  for (std::size_t f = 1; f < features; ++f) {
    least = std::min(least, x[f] * w[f]);
    largest = std::max(largest, x[f] * w[f]);
  }
  const WordScale scale = product_scale(least, largest);
  for (std::size_t f = 0; scale.usable && f < features; ++f) {
    const float product = x[f] * w[f];
    const float above = product - scale.offset;
    words[f] = static_cast<std::uint16_t>(above * scale.factor);
  }
  return scale;
}

void scale_terms(const float* terms, const WordScale& scale, std::size_t features,
                 std::uint16_t* words) {
  for (std::size_t f = 0; f < features; ++f) {
    words[f] = static_cast<std::uint16_t>(terms[f] * scale.factor);
  }
}

void split_words(const std::uint16_t* words, std::size_t padded, std::uint8_t* low,
                 std::uint8_t* high) {
  for (std::size_t f = 0; f < padded; ++f) {
    low[plane_place(f)] = static_cast<std::uint8_t>(words[f] & 255);
    high[plane_place(f)] = static_cast<std::uint8_t>(words[f] >> 8);
  }
}

void masked_sums(const std::uint8_t* plane, std::size_t padded, const std::uint8_t* masks,
                 const std::uint32_t* chosen, std::size_t count, std::uint64_t* sums) {
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint8_t* mask = masks + chosen[n] * padded;
    std::uint64_t sum = 0;
    for (std::size_t f = 0; f < padded; ++f) sum += mask[f] != 0 ? plane[f] : 0;
    sums[n] = sum;
  }
}

std::uint64_t sum_of_squares(const std::uint16_t* words, std::size_t padded) {
  std::uint64_t sum = 0;
  for (std::size_t f = 0; f < padded; ++f) {
    sum += static_cast<std::uint64_t>(words[f] / 64) * (words[f] / 64);
  }
  return sum;
}

bool close_below(const float* values, float limit, std::uint64_t* open, std::size_t words) {
  std::uint64_t left = 0;
  for (std::size_t i = 0; i < 64 * words; ++i) {
    if (values[i] < limit) open[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  }
  for (std::size_t word = 0; word < words; ++word) left |= open[word];
  return left != 0;
}

}  // namespace reference

}  // namespace mbn
