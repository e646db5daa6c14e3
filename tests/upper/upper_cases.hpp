// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/random.hpp"
#include "upper/upper_engine.hpp"

namespace mbn {

/// Codes with clusters: rows of one group mostly have equal codes, so that agreements are not all
/// zero.
inline CodeMatrix make_codes(std::size_t rows, std::size_t clusterings, std::uint32_t centroids,
                             std::uint32_t groups, std::uint64_t seed = 11) {
  CodeMatrix codes(rows, clusterings, centroids);
  Random random(seed, Purpose::generate);
  codes.visit([&]<class Code>(Code* cells) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t v = 0; v < clusterings; ++v) {
        const auto shared = static_cast<std::uint32_t>((i % groups) * 7 + v) % centroids;
        cells[i * clusterings + v] =
            static_cast<Code>(random.below(3) == 0 ? random.below(centroids) : shared);
      }
    }
  });
  return codes;
}

/// An upper layer on `codes`: what its clusterings drew, and its kept rows.
struct UpperCase {
  Draws draws;
  CodeMatrix kept;
};

inline UpperCase make_upper(const CodeMatrix& codes, std::uint32_t centroids,
                            std::uint32_t clusterings, double fraction = 0.5) {
  UpperCase upper;
  upper.draws = draw({.seed = 3,
                      .layer = 2,
                      .clusterings = clusterings,
                      .centroids = centroids,
                      .features = drawn_features(fraction, codes.clusterings()),
                      .input_rows = static_cast<std::uint32_t>(codes.rows()),
                      .input_features = static_cast<std::uint32_t>(codes.clusterings())});
  const auto numbers = keep_drawn(upper.draws, static_cast<std::uint32_t>(codes.rows()));
  upper.kept = codes.gather(numbers);
  return upper;
}

/// The reference: compares every drawn feature of every drawn row.
inline CodeMatrix naive_codes(const CodeMatrix& kept, const Draws& draws, const CodeMatrix& rows) {
  CodeMatrix codes(rows.rows(), draws.clusterings, draws.centroids);
  const auto winner = [&](std::size_t row, std::size_t clustering) {
    std::size_t best = 0;
    int most = -1;
    for (std::size_t j = 0; j < draws.centroids; ++j) {
      int agreement = 0;
      for (const std::uint32_t f : draws.columns_of(clustering)) {
        agreement += rows.at(row, f) == kept.at(draws.rows_of(clustering)[j], f) ? 1 : 0;
      }
      if (agreement > most) {
        most = agreement;
        best = j;
      }
    }
    return best;
  };
  codes.visit([&]<class Code>(Code* cells) {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      for (std::size_t v = 0; v < draws.clusterings; ++v) {
        cells[i * draws.clusterings + v] = static_cast<Code>(winner(i, v));
      }
    }
  });
  return codes;
}

}  // namespace mbn
