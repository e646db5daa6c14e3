// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mbn {

/// Sums over many subsets of the same numbers. The numbers are 16-bit words, one for each feature;
/// a subset is a mask with one byte for each feature. All arithmetic is in integers, so every
/// target gives the same sums.
///
/// Words are stored as two planes of bytes. Planes and masks are in *plane order*: within each
/// group of 32 features, feature t stands at place 2t for t < 16 and at place 2t - 31 for t >= 16.

constexpr std::size_t padded_features(std::size_t features) {
  return (features + 31) / 32 * 32;
}
constexpr std::size_t plane_place(std::size_t feature) {
  const std::size_t t = feature % 32;
  return feature - t + (t < 16 ? 2 * t : 2 * t - 31);
}

struct BytePlanes {
  explicit BytePlanes(std::size_t features)
      : words(padded_features(features)), low(words.size()), high(words.size()) {}
  std::vector<std::uint16_t> words;  ///< in order of features
  std::vector<std::uint8_t> low;
  std::vector<std::uint8_t> high;
};

/// How words encode numbers: word * unit + offset is a lower bound of the number, and (word + 1) *
/// unit + offset an upper bound, both up to the float32 rounding of numbers of magnitude `largest`.
struct WordScale {
  float unit = 0;
  float offset = 0;
  float largest = 0;
  float factor = 0;     ///< from number - offset to word
  bool usable = false;  ///< false: numbers too large or too small; the words are undefined
};
/// The scale for squares of differences up to `largest`.
WordScale square_scale(float largest);
/// The scale for numbers from 0 to `largest`.
WordScale term_scale(float largest);
/// The scale for numbers from `least` to `largest`.
WordScale product_scale(float least, float largest);

/// words[f] = (x[f] - w[f])^2, exactly.
void square_differences(const std::uint8_t* x, const std::uint8_t* w, std::size_t features,
                        std::uint16_t* words);
/// The same for floats, rounded down to 1/65,000 of the largest.
WordScale square_differences(const float* x, const float* w, std::size_t features,
                             std::uint16_t* words);
/// words[f] = x[f] * w[f], rounded down to 1/65,000 of the range from the least to the largest.
WordScale multiply(const float* x, const float* w, std::size_t features, std::uint16_t* words);

/// words[f] = terms[f], rounded down to 1/65,000 of the largest. The scale is usable.
void scale_terms(const float* terms, const WordScale& scale, std::size_t features,
                 std::uint16_t* words);

/// Fills the planes from the words.
void split_words(BytePlanes& planes);

/// The sum over all words of floor(word / 64)^2. With the sum of the words it gives their variance.
std::uint64_t sum_of_squares(const BytePlanes& planes);

/// sums[n] = the sum of the bytes of `plane` under mask `chosen[n]`. Plane and masks have
/// padded_features() bytes; masks hold 0 or 255. The sum of words is the sum of the low plane plus
/// 256 times the sum of the high plane.
void masked_sums(const std::vector<std::uint8_t>& plane, const std::uint8_t* masks,
                 const std::uint32_t* chosen, std::size_t count, std::uint64_t* sums);

/// Clears the bits of `open` whose value is below `limit`. Returns whether any bit is left.
/// `values` has 64 * `words` entries.
bool close_below(const float* values, float limit, std::uint64_t* open, std::size_t words);

/// The same in plain loops: the reference that tests compare every target with.
namespace reference {
void square_byte_differences(const std::uint8_t* x, const std::uint8_t* w, std::size_t features,
                             std::uint16_t* words);
WordScale square_differences(const float* x, const float* w, std::size_t features,
                             std::uint16_t* words);
WordScale multiply(const float* x, const float* w, std::size_t features, std::uint16_t* words);
void scale_terms(const float* terms, const WordScale& scale, std::size_t features,
                 std::uint16_t* words);
void split_words(const std::uint16_t* words, std::size_t padded, std::uint8_t* low,
                 std::uint8_t* high);
void masked_sums(const std::uint8_t* plane, std::size_t padded, const std::uint8_t* masks,
                 const std::uint32_t* chosen, std::size_t count, std::uint64_t* sums);
std::uint64_t sum_of_squares(const std::uint16_t* words, std::size_t padded);
bool close_below(const float* values, float limit, std::uint64_t* open, std::size_t words);
}  // namespace reference

}  // namespace mbn
