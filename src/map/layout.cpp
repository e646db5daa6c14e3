// SPDX-License-Identifier: Apache-2.0
//
// The objective is UMAP's with the kernel of t-SNE: a pair at squared distance d counts as near
// with 1 / (1 + d). An edge pulls with its gradient 2 / (1 + d), a negative pushes with
// 2 / ((d + 0.001) (1 + d)). An edge of weight w acts in a share w of the epochs, or w times as
// much in all of them. What happens in an epoch is decided by hashes of (seed, epoch, edge), so it
// does not matter who computes it.
//
// All rows move at once, so a step that seems small to one row overshoots with many: at a first
// step of 1, what the start knew was lost within a few epochs.
#include "map/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/large_array.hpp"

namespace mbn {

namespace {

constexpr std::size_t kBlockRows = 256;
// One edge or negative moves a row at most so far along each axis.
constexpr float kMostMove = 4;
constexpr float kNearest = 0.001F;
constexpr std::uint32_t kSettleEpochs = 30;

// The finaliser of MurmurHash3: every bit of the input changes half of the bits.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33U;
  x *= 0xFF51AFD7ED558CCDU;
  x ^= x >> 33U;
  x *= 0xC4CEB9FE1A85EC53U;
  return x ^ (x >> 33U);
}

std::uint64_t epoch_key(std::uint64_t seed, std::uint32_t epoch) {
  return mix(seed * 0x9E3779B97F4A7C15U + epoch + 1);
}

// A number of 0 .. bound-1 from the upper half of a hash.
std::uint32_t below(std::uint64_t hash, std::uint64_t bound) {
  return static_cast<std::uint32_t>(((hash >> 32U) * bound) >> 32U);
}

template <std::size_t D>
using Place = std::array<float, D>;

template <std::size_t D>
struct Mover {
  Place<D> at;
  float step;

  float squared_distance(const float* other, Place<D>& difference) const {
    float sum = 0;
    for (std::size_t c = 0; c < D; ++c) {
      difference[c] = at[c] - other[c];
      sum += difference[c] * difference[c];
    }
    return sum;
  }

  void move(const Place<D>& difference, float strength) {
    const float most = kMostMove * step;
    for (std::size_t c = 0; c < D; ++c) {
      at[c] += std::clamp(strength * difference[c], -most, most);
    }
  }

  void pull_to(const float* other, float pull) {
    Place<D> difference;
    const float d = squared_distance(other, difference);
    move(difference, -2 * pull * step / (1 + d));
  }

  void push_from(const float* other, float push) {
    Place<D> difference;
    const float d = squared_distance(other, difference);
    move(difference, 2 * push * step / ((d + kNearest) * (1 + d)));
  }
};

template <std::size_t D>
class Layout {
 public:
  Layout(const NeighbourGraph& graph, const LayoutSettings& settings, std::uint64_t seed)
      : graph_(graph), settings_(settings), seed_(seed) {}

  void run(Matrix& places, Job& job) {
    const std::size_t rows = graph_.rows();
    LargeArray<float> before(rows * D);
    LargeArray<float> after(rows * D);
    std::copy_n(places.row<float>(0), rows * D, before.begin());
    for (std::uint32_t number = 0; number < settings_.epochs; ++number) {
      const Epoch epoch = make_epoch(number);
      job.parallel(blocks(rows, kBlockRows), [&](std::size_t task, unsigned) {
        const std::size_t last = std::min(rows, (task + 1) * kBlockRows);
        for (std::size_t row = task * kBlockRows; row < last; ++row) {
          move_row(row, before.data(), epoch, after.data() + row * D);
        }
      });
      std::swap(before, after);
    }
    std::copy_n(before.begin(), rows * D, places.mutable_row<float>(0));
  }

 private:
  struct Epoch {
    std::uint64_t key;
    float step;
    float pull;
  };

  Epoch make_epoch(std::uint32_t number) const {
    const float gone = static_cast<float>(number) / static_cast<float>(settings_.epochs);
    const float early = std::max(0.0F, 1 - 2 * gone) * (settings_.early_pull - 1);
    return {epoch_key(seed_, number), settings_.step * (1 - gone), settings_.pull * (1 + early)};
  }

  // How much an edge does in an epoch.
  float strength_of(std::uint64_t hash, float weight) const {
    if (settings_.every_edge) return weight;
    constexpr float kShare = 1.0F / (1U << 24U);
    return static_cast<float>(hash & 0xFFFFFFU) * kShare < weight ? 1.0F : 0.0F;
  }

  void move_row(std::size_t row, const float* places, const Epoch& epoch, float* out) const {
    Mover<D> mover{{}, epoch.step};
    std::copy_n(places + row * D, D, mover.at.begin());
    for (std::uint64_t edge = graph_.starts[row]; edge < graph_.starts[row + 1]; ++edge) {
      std::uint64_t hash = mix(epoch.key + edge);
      const float strength = strength_of(hash, graph_.weights[edge]);
      if (strength == 0) continue;
      mover.pull_to(places + std::size_t{graph_.others[edge]} * D, epoch.pull * strength);
      for (std::uint32_t negative = 0; negative < settings_.negatives; ++negative) {
        hash = mix(hash + 1);
        const std::uint32_t other = below(hash, graph_.rows());
        if (other != row)
          mover.push_from(places + std::size_t{other} * D, settings_.push * strength);
      }
    }
    std::copy_n(mover.at.begin(), D, out);
  }

  const NeighbourGraph& graph_;
  const LayoutSettings& settings_;
  std::uint64_t seed_;
};

template <std::size_t D>
void settle_row(MatrixView map, std::span<const std::uint32_t> neighbours, std::uint64_t seed,
                float* place) {
  const LayoutSettings settings;
  Mover<D> mover{{}, 0};
  float total = 0;
  for (std::size_t n = 0; n < neighbours.size(); ++n) {
    const float weight = rank_weight(n, neighbours.size());
    const float* at = map.row<float>(neighbours[n]);
    for (std::size_t c = 0; c < D; ++c) mover.at[c] += weight * at[c];
    total += weight;
  }
  for (float& c : mover.at) c /= total;
  for (std::uint32_t epoch = 0; epoch < kSettleEpochs; ++epoch) {
    mover.step = 0.25F * (1 - static_cast<float>(epoch) / static_cast<float>(kSettleEpochs));
    std::uint64_t hash = epoch_key(seed, epoch);
    for (std::size_t n = 0; n < neighbours.size(); ++n) {
      const float weight = rank_weight(n, neighbours.size());
      mover.pull_to(map.row<float>(neighbours[n]), settings.pull * weight);
      for (std::uint32_t negative = 0; negative < settings.negatives; ++negative) {
        hash = mix(hash + 1);
        mover.push_from(map.row<float>(below(hash, map.rows())), settings.push * weight);
      }
    }
  }
  std::copy_n(mover.at.begin(), D, place);
}

// Calls `body` with the number of dimensions as a constant.
template <class Body>
void with_dimensions(std::size_t dimensions, Body&& body) {
  if (dimensions == 1) return body.template operator()<1>();
  if (dimensions == 2) return body.template operator()<2>();
  body.template operator()<3>();
}

}  // namespace

LayoutSettings layout_settings(std::uint64_t rows) {
  LayoutSettings settings;
  if (are_few(rows)) {
    settings.early_pull = 1;
    settings.step = 0.2F;
    settings.every_edge = true;
  }
  return settings;
}

void lay_out(const NeighbourGraph& graph, const LayoutSettings& settings, std::uint64_t seed,
             Matrix& places, Job& job) {
  with_dimensions(places.columns(),
                  [&]<std::size_t D>() { Layout<D>(graph, settings, seed).run(places, job); });
}

void settle(MatrixView map, std::span<const std::uint32_t> neighbours, std::uint64_t seed,
            float* place) {
  with_dimensions(map.columns(),
                  [&]<std::size_t D>() { settle_row<D>(map, neighbours, seed, place); });
}

double layout_seconds(std::uint64_t rows, std::uint64_t neighbours) {
  constexpr double kSecondsPerEdge = 20e-9;
  constexpr double kEveryEdge = 2.5;
  const LayoutSettings settings = layout_settings(rows);
  return kSecondsPerEdge * (settings.every_edge ? kEveryEdge : 1) *
         static_cast<double>(rows * neighbours) * settings.epochs;
}

}  // namespace mbn
