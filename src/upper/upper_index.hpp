// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include <mbn/codes.hpp>

#include "base/job.hpp"
#include "base/large_array.hpp"
#include "bottom/draws.hpp"
#include "kernels/agreement_walk.hpp"
#include "upper/upper_engines.hpp"

namespace mbn {

/// The pool of an upper layer, prepared for all clusterings at once: for each feature and code the
/// pool rows that have it; for each pool row the clusterings that drew it and its codes there; for
/// each clustering its drawn features. `pool` and `draws` must outlive it.
class UpperIndex {
 public:
  UpperIndex(const CodeMatrix& pool, const Draws& draws) : pool_(pool), draws_(draws) {}

  const Draws& draws() const { return draws_; }

  /// Made by the first call, which has threads to do it with; read-only afterwards.
  const WalkIndex& get(Job& job) const;

  /// Calls `body(codes)` with the codes of all places, typed as those of the pool. After `get`.
  template <class Body>
  void visit(Body&& body) const {
    pool_.visit([&]<class Code>(const Code*) {
      body(reinterpret_cast<const Code*>(placed_codes_.data()));
    });
  }

  /// Whether the index can hold so many pool rows and features.
  static bool serves(const UpperSizes& sizes);
  /// An upper bound of what it takes, and of what a thread takes to make it.
  static std::uint64_t bytes(const UpperSizes& sizes);
  static std::uint64_t thread_bytes(const UpperSizes& sizes);

 private:
  void build(Job& job) const;
  void place_codes(Job& job) const;
  template <class Code>
  void list_places(std::size_t task, const Code* codes) const;
  template <class Code>
  std::size_t count_entries(const Code* column, std::size_t feature,
                            std::vector<std::uint32_t>& last) const;
  template <class Code>
  void write_entries(const Code* column, std::size_t feature, std::vector<std::uint32_t>& next,
                     std::uint32_t* entries) const;
  void note_draws() const;

  const CodeMatrix& pool_;
  const Draws& draws_;

  mutable std::once_flag built_;
  mutable WalkIndex index_;
  mutable std::vector<std::uint32_t> pool_row_;    // at each place
  mutable LargeArray<std::uint8_t> placed_codes_;  // the pool's codes, in the order of places
  mutable LargeArray<std::uint32_t> starts_, codes_;
  mutable std::vector<LargeArray<std::uint32_t>> entries_;  // of some features each
  mutable std::vector<const std::uint32_t*> entries_of_;    // [feature]
  mutable LargeArray<std::uint64_t> drawn_features_, drawn_by_, first_code_;
};

}  // namespace mbn
