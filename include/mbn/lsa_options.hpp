// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <mbn/options.hpp>

namespace mbn {

/// Everything that decides the answer of latent semantic analysis.
struct LsaOptions {
  std::uint32_t components = 100;
  Metric metric = Metric::euclidean;
  std::uint64_t seed = 0;

  bool operator==(const LsaOptions&) const = default;
};

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, LsaOptions>
void visit_fields(Options& options, Visitor&& visit) {
  visit(Field{"components", "Columns of the embedding.", 1, 65535}, options.components);
  visit(Field{"metric",
              "'cosine' scales rows to norm 1 first, so that long documents do not dominate; no "
              "other than 'euclidean' and 'cosine' is for this."},
        options.metric);
  visit(Field{"seed", "Starts the iteration. The same seed gives the same bytes.", 0,
              18446744073709551615.0},
        options.seed);
}

/// Throws InvalidArgument that names the first option out of its range.
void validate(const LsaOptions& options);

}  // namespace mbn
