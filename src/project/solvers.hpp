// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/block.hpp"
#include "base/principal_axes.hpp"
#include "project/code_operator.hpp"

namespace mbn::pca {

/// Each solver returns directions, entries() x (at most `wanted`), that span the space of the
/// leading `wanted` principal components; `principal_axes` makes the components of them. Fewer
/// columns mean that the codes have no more variance. `wanted` is at least 1 and at most the
/// operator's rank bound, and the codes are not all equal.

/// By the dense rows x rows kernel. Time grows as rows^3, memory as rows^2.
Block kernel_pca(const CodeOperator& codes, std::size_t wanted);

/// By expectation maximisation, from random numbers of `seed`.
Block em_pca(const Operator& codes, std::size_t wanted, std::uint64_t seed);
/// Columns that `em_pca` iterates: some more than wanted, or as many as the rank when it is small.
std::size_t em_columns(const Operator& codes, std::size_t wanted);
std::size_t em_columns(std::uint64_t rank_bound, std::uint64_t wanted);

/// By Lanczos iteration on the smaller side, from random numbers of `seed`; by `em_pca` when that
/// side is too small, or when the iteration does not find all components.
Block lanczos_pca(const Operator& codes, std::size_t wanted, std::uint64_t seed);
/// Vectors of the Krylov space that `lanczos_pca` stores.
std::size_t lanczos_vectors(std::size_t wanted);

}  // namespace mbn::pca
