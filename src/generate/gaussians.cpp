// SPDX-License-Identifier: Apache-2.0
//
// Round Gaussian clusters with centres m_c and deviations s_c, from 0.5 to 1.5 in random order, and
// sizes that fall evenly from 3 to 1: a large cluster may be tight or wide. Two centres keep at
// least
//
//   |m_c - m_e| >= 3 (s_c + s_e) * max(1, (d / 2)^(1/4)),
//
// which leaves clear gaps in the plane. The last factor is there because squared distances between
// rows of one cluster, about 2 d s^2, vary by a multiple of sqrt(d) s^2: to stand out from that in
// many columns, the gap must grow with the fourth root of d.
//
// Centres are thrown at random into a cube, and a throw too near to an earlier centre is repeated.
// The cube is made so large that typical distances are a little above the gap; should it be too
// full all the same, it grows.
#include <algorithm>
#include <cmath>

#include "generate/shapes.hpp"

namespace mbn {

namespace {

constexpr double kSmallestDeviation = 0.5;
constexpr double kLargestDeviation = 1.5;
constexpr double kLargestShare = 3;
constexpr int kThrows = 50;

class Gaussians : public ToyShape {
 public:
  Gaussians(std::uint32_t columns, std::uint32_t clusters, std::uint64_t seed)
      : columns_(columns),
        widening_(std::max(1.0, std::pow(columns / 2.0, 0.25))),
        deviations_(clusters) {
    Random random = generate_stream(seed, GenerateStream::layout);
    const std::vector<std::uint32_t> order = draw_without_replacement(random, clusters, clusters);
    for (std::uint32_t c = 0; c < clusters; ++c) {
      deviations_[c] = kSmallestDeviation +
                       (kLargestDeviation - kSmallestDeviation) * place_between(order[c], clusters);
    }
    place_centres(random);
  }

  std::size_t columns() const override { return columns_; }

  std::vector<double> shares() const override {
    const auto clusters = static_cast<std::uint32_t>(deviations_.size());
    std::vector<double> shares;
    for (std::uint32_t c = 0; c < clusters; ++c) {
      shares.push_back(kLargestShare - (kLargestShare - 1) * place_between(c, clusters));
    }
    return shares;
  }

  void draw(std::uint32_t label, Random& random, float* cells) const override {
    const double* centre = &centres_[std::size_t{label} * columns_];
    for (std::size_t i = 0; i < columns_; ++i) {
      cells[i] = static_cast<float>(centre[i] + deviations_[label] * random.normal());
    }
  }

 private:
  /// 0 for the first of `count`, 1 for the last; the middle when there is only one.
  static double place_between(std::uint32_t index, std::uint32_t count) {
    return count > 1 ? static_cast<double>(index) / (count - 1) : 0.5;
  }

  double gap(std::size_t a, std::size_t b) const {
    return 3 * (deviations_[a] + deviations_[b]) * widening_;
  }

  bool far_enough(std::size_t cluster) const {
    const double* centre = &centres_[cluster * columns_];
    for (std::size_t other = 0; other < cluster; ++other) {
      double distance = 0;
      for (std::size_t i = 0; i < columns_; ++i) {
        const double difference = centre[i] - centres_[other * columns_ + i];
        distance += difference * difference;
      }
      const double least = gap(other, cluster);
      if (distance < least * least) return false;
    }
    return true;
  }

  void place_centres(Random& random) {
    const auto columns = static_cast<double>(columns_);
    const auto clusters = static_cast<double>(deviations_.size());
    centres_.resize(deviations_.size() * columns_);
    // Two uniform points of a cube with side w are about w sqrt(d / 6) apart.
    const double typical_gap = gap(0, deviations_.size() - 1);
    double side = 1.2 * typical_gap * std::sqrt(6 / columns) * std::pow(clusters, 1 / columns);
    for (std::size_t cluster = 0; cluster < deviations_.size(); ++cluster) {
      for (int attempt = 1;; ++attempt) {
        for (std::size_t i = 0; i < columns_; ++i) {
          centres_[cluster * columns_ + i] = side * (random.uniform() - 0.5);
        }
        if (far_enough(cluster)) break;
        if (attempt % kThrows == 0) side *= 1.1;
      }
    }
  }

  std::size_t columns_;
  double widening_;  ///< of gaps, for many columns
  std::vector<double> deviations_;
  std::vector<double> centres_;  ///< clusters x columns
};

}  // namespace

std::unique_ptr<ToyShape> make_gaussians(std::uint32_t columns, std::uint32_t clusters,
                                         std::uint64_t seed) {
  return std::make_unique<Gaussians>(columns, clusters, seed);
}

}  // namespace mbn
