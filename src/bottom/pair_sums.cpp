// SPDX-License-Identifier: Apache-2.0
//
// Distances of one pair of rows in many clusterings. The term of each feature, (x_f - w_f)^2, x_f
// w_f, |x_f - w_f| or another, is computed once as a 16-bit word; each clustering then adds up the
// words of the features that it drew (kernels/masked_sums.hpp). For bytes the sum is the squared
// Euclidean distance, exactly.
//
// The words of floats are rounded down to multiples of u = largest / 65000. So a sum S of m words
// means that the true sum lies in
//
//     [u S, u (S + m)],
//
// a range of a few parts in 10^5, widened by the rounding of float32. Mostly that separates two
// drawn rows; where it does not, the walk computes both distances in double.
//
// Cosine needs two such sums, of x w and of w^2. The lower end of  -<x, w> / |w|  takes the upper
// end of <x, w> and the end of |w| that makes the fraction smallest.
//
// Differences of bytes (Manhattan) and ones for unequal values (Hamming) are exact and fill the low
// bytes of the words only. Jaccard counts two things: a word has a one in its low byte where both
// rows are not zero, and a one in its high byte where either is not.
#include "bottom/pair_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/panel_distances.hpp"
#include "rows/gather.hpp"
#include "rows/metric.hpp"

namespace mbn {

namespace {

// A word is made by four float32 operations, each with a relative error of at most 2^-24.
constexpr double kRounding = 1.0 / (1 << 21);
constexpr double kUnderflow = 1e-37;

constexpr DistanceRange kUnknown{-std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()};

DistanceRange range_of_sum(const WordScale& scale, std::uint64_t sum, double terms) {
  const auto unit = static_cast<double>(scale.unit);
  const double low = unit * static_cast<double>(sum) + terms * static_cast<double>(scale.offset);
  if (scale.largest == 0 && unit == 0) return {low - terms * kUnderflow, low + terms * kUnderflow};
  const double error = terms * (kRounding * static_cast<double>(scale.largest) + kUnderflow);
  return {low - error, low + terms * unit + error};
}

}  // namespace

PairSums::PairSums(Metric metric, std::size_t input_features, std::size_t drawn_features,
                   std::size_t clusterings, const std::uint8_t* feature_masks)
    : metric_(metric),
      features_(input_features),
      drawn_(static_cast<double>(drawn_features)),
      masks_(feature_masks),
      planes_(input_features),
      x_(input_features),
      w_(input_features),
      terms_(has_dot_form(metric) ? 0 : input_features),
      norm_(clusterings),
      zero_(clusterings),
      sums_(clusterings),
      high_sums_(clusterings),
      square_sums_(clusterings),
      ranges_(clusterings) {}

void PairSums::set_row(MatrixView rows, std::size_t row) {
  copy_row(rows, row, x_.data());
  // Floats that hold whole numbers from 0 to 255 are taken as bytes, so that the element type does
  // not matter.
  bytes_.resize(features_);
  is_bytes_ = true;
  for (std::size_t f = 0; f < features_ && is_bytes_; ++f) {
    is_bytes_ = x_[f] >= 0 && x_[f] <= 255 && x_[f] == std::floor(x_[f]);
    if (is_bytes_) bytes_[f] = static_cast<std::uint8_t>(x_[f]);
  }
  if (metric_ == Metric::cosine) set_cosine_row();
}

void PairSums::set_cosine_row() {
  double squares = 0;
  for (const float value : x_) squares += static_cast<double>(value) * static_cast<double>(value);
  row_norm_ = std::sqrt(squares);
  std::vector<std::uint32_t> all(norm_.size());
  std::iota(all.begin(), all.end(), 0U);
  for (std::size_t f = 0; f < features_; ++f) planes_.words[f] = x_[f] != 0 ? 1 : 0;
  sum(all, sums_);
  for (std::size_t v = 0; v < all.size(); ++v) zero_[v] = sums_[v] == 0 ? 1 : 0;
  const WordScale scale = multiply(x_.data(), x_.data(), features_, planes_.words.data());
  if (scale.usable) sum(all, sums_);
  for (std::size_t v = 0; v < all.size(); ++v) {
    const DistanceRange range =
        scale.usable ? range_of_sum(scale, sums_[v], drawn_) : DistanceRange{};
    norm_[v] = std::sqrt(std::max(0.0, (range.low + range.high) / 2));
  }
}

void PairSums::sum(std::span<const std::uint32_t> chosen, std::vector<std::uint64_t>& sums) {
  split_words(planes_);
  masked_sums(planes_.high, masks_, chosen.data(), chosen.size(), high_sums_.data());
  masked_sums(planes_.low, masks_, chosen.data(), chosen.size(), sums.data());
  for (std::size_t n = 0; n < chosen.size(); ++n) sums[n] += 256 * high_sums_[n];
}

void PairSums::set_kept_row(MatrixView kept, std::size_t kept_row) {
  const bool bytes = kept.type() == ElementType::uint8;
  if (!has_dot_form(metric_)) {
    if (bytes) copy_row(kept, kept_row, w_.data());
    const float* w = bytes ? w_.data() : kept.row<float>(kept_row);
    low_only_ = metric_ == Metric::hamming || (bytes && is_bytes_ && metric_ == Metric::manhattan);
    exact_ = low_only_;
    return metric_ == Metric::jaccard ? set_members(w) : set_terms(w);
  }
  exact_ = metric_ == Metric::euclidean && bytes && is_bytes_;
  if (exact_) {
    square_differences(bytes_.data(), kept.row<std::uint8_t>(kept_row), features_,
                       planes_.words.data());
    scale_ = {.unit = 1, .usable = true};
    return;
  }
  if (bytes || metric_ == Metric::cosine) copy_row(kept, kept_row, w_.data());
  if (metric_ == Metric::cosine) return;
  const float* w = bytes ? w_.data() : kept.row<float>(kept_row);
  scale_ = square_differences(x_.data(), w, features_, planes_.words.data());
}

void PairSums::set_terms(const float* w) {
  const PairTerm term = metric_ == Metric::manhattan     ? PairTerm::absolute
                        : metric_ == Metric::chi_squared ? PairTerm::chi_squared
                                                         : PairTerm::unequal;
  const float largest = pair_terms(term, x_.data(), w, features_, terms_.data());
  scale_ = exact_ ? WordScale{.unit = 1, .factor = 1, .usable = true} : term_scale(largest);
  if (scale_.usable) scale_terms(terms_.data(), scale_, features_, planes_.words.data());
}

void PairSums::set_members(const float* w) {
  for (std::size_t f = 0; f < features_; ++f) {
    const bool x_is = x_[f] != 0;
    const bool w_is = w[f] != 0;
    planes_.words[f] =
        static_cast<std::uint16_t>((x_is && w_is ? 1 : 0) + (x_is || w_is ? 256 : 0));
  }
}

// Small bytes have small words, whose squares in steps of 64 would all be zero. So the words
// themselves are squared where they are not scaled up to 16 bits; that is quick for few features.
double PairSums::sum_of_squared_terms() const {
  constexpr std::size_t kFewFeatures = 256;
  if (low_only_ || (exact_ && features_ <= kFewFeatures)) {
    std::uint64_t sum = 0;
    for (std::size_t f = 0; f < features_; ++f) {
      sum += std::uint64_t{planes_.words[f]} * planes_.words[f];
    }
    return static_cast<double>(sum);
  }
  const double step = 64 * static_cast<double>(scale_.unit);
  return static_cast<double>(sum_of_squares(planes_)) * step * step;
}

double PairSums::scatter(double full_distance) const {
  if (!is_sum(metric_) || !scale_.usable) return kUnknown.high;
  const auto features = static_cast<double>(features_);
  const double squares = sum_of_squared_terms();
  // Drawing m of d terms without replacement: m (1 - m / d) times their variance.
  const double variance =
      std::max(0.0, squares / features - full_distance * full_distance / (features * features));
  return std::sqrt(drawn_ * (1 - drawn_ / features) * variance);
}

std::span<const DistanceRange> PairSums::distances(std::vector<std::uint32_t>& chosen,
                                                   const std::vector<double>& limits) {
  if (is_sum(metric_)) {
    summed_distances(chosen, limits);
  } else if (metric_ == Metric::jaccard) {
    jaccard_distances(chosen);
  } else {
    cosine_distances(chosen);
  }
  return {ranges_.data(), chosen.size()};
}

DistanceRange PairSums::range_of(std::uint64_t sum) const {
  if (exact_) return {static_cast<double>(sum), static_cast<double>(sum)};
  if (!scale_.usable) return {0, kUnknown.high};
  // Terms of chi-squared may be too small for float32, and yet not zero.
  if (scale_.largest == 0) return {0, metric_ == Metric::chi_squared ? drawn_ * kUnderflow : 0};
  DistanceRange range = range_of_sum(scale_, sum, drawn_);
  range.low = std::max(range.low, 0.0);
  return range;
}

void PairSums::summed_distances(std::vector<std::uint32_t>& chosen,
                                const std::vector<double>& limits) {
  if (scale_.usable && low_only_) {
    split_words(planes_);
    std::fill_n(high_sums_.begin(), chosen.size(), 0);
    masked_sums(planes_.low, masks_, chosen.data(), chosen.size(), sums_.data());
  } else if (scale_.usable) {
    split_words(planes_);
    masked_sums(planes_.high, masks_, chosen.data(), chosen.size(), high_sums_.data());
    std::size_t left = 0;
    for (std::size_t n = 0; n < chosen.size(); ++n) {
      if (range_of(256 * high_sums_[n]).low > limits[chosen[n]]) continue;
      high_sums_[left] = high_sums_[n];
      chosen[left++] = chosen[n];
    }
    chosen.resize(left);
    masked_sums(planes_.low, masks_, chosen.data(), chosen.size(), sums_.data());
  }
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    ranges_[n] = range_of(sums_[n] + 256 * high_sums_[n]);
  }
}

// The same fraction as in rows/metric.cpp, so the same double.
void PairSums::jaccard_distances(std::span<const std::uint32_t> chosen) {
  split_words(planes_);
  masked_sums(planes_.low, masks_, chosen.data(), chosen.size(), sums_.data());
  masked_sums(planes_.high, masks_, chosen.data(), chosen.size(), high_sums_.data());
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    const std::uint64_t either = high_sums_[n];
    const double d =
        either == 0 ? 0 : static_cast<double>(either - sums_[n]) / static_cast<double>(either);
    ranges_[n] = {d, d};
  }
}

void PairSums::cosine_distances(std::span<const std::uint32_t> chosen) {
  const WordScale squares = multiply(w_.data(), w_.data(), features_, planes_.words.data());
  if (squares.usable) sum(chosen, square_sums_);
  const WordScale products = multiply(x_.data(), w_.data(), features_, planes_.words.data());
  if (products.usable) sum(chosen, sums_);
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    ranges_[n] = kUnknown;
    if (!squares.usable || !products.usable) continue;
    const DistanceRange square = range_of_sum(squares, square_sums_[n], drawn_);
    const DistanceRange product = range_of_sum(products, sums_[n], drawn_);
    // This may be a row of zeros, whose distance is 0 by definition: it is decided in double.
    if (square.low <= 0) continue;
    const double least_norm = std::sqrt(square.low);
    const double largest_norm = std::sqrt(square.high);
    ranges_[n] = {-product.high / (product.high > 0 ? least_norm : largest_norm),
                  -product.low / (product.low > 0 ? largest_norm : least_norm)};
  }
}

float PairSums::closing_value(std::size_t clustering, DistanceRange range) const {
  const double middle = (range.low + range.high) / 2;
  if (!std::isfinite(middle)) return std::numeric_limits<float>::infinity();
  if (metric_ != Metric::cosine) return static_cast<float>(middle);
  if (norm_[clustering] == 0) return std::numeric_limits<float>::infinity();
  return static_cast<float>(std::max(0.0, 1 + middle / norm_[clustering]));
}

}  // namespace mbn
