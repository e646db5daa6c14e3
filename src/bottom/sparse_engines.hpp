// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "bottom/bottom_engine.hpp"

namespace mbn {

/// The engines that `make_sparse_bottom` chooses from. The first two give the same codes.

/// All clusterings of a row together, by upper bounds (sparse_bounds.cpp): for many drawn rows.
std::unique_ptr<BottomEngine> make_sparse_bounds(SparseView kept, const Draws& draws, Metric metric,
                                                 Job& job);
/// One clustering at a time, by inner products with all its drawn rows (sparse_direct.cpp): for few
/// drawn rows.
std::unique_ptr<BottomEngine> make_sparse_direct(SparseView kept, const Draws& draws, Metric metric,
                                                 Job& job);
/// One clustering at a time, for the metrics without inner products (sparse_terms.cpp).
std::unique_ptr<BottomEngine> make_sparse_terms(SparseView kept, const Draws& draws, Metric metric);

/// Bytes that they take with all threads.
std::uint64_t sparse_bounds_bytes(const SparseBottomSizes& sizes, std::uint64_t threads);
std::uint64_t sparse_direct_bytes(const SparseBottomSizes& sizes, std::uint64_t threads);
std::uint64_t sparse_terms_bytes(const SparseBottomSizes& sizes, std::uint64_t threads);

}  // namespace mbn
