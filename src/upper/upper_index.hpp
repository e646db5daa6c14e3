// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <mbn/codes.hpp>

#include "base/job.hpp"
#include "base/large_array.hpp"
#include "bottom/draws.hpp"
#include "kernels/agreement_walk.hpp"
#include "upper/upper_engines.hpp"

namespace mbn {

struct ListEnd;

/// The kept rows of an upper layer, indexed for all clusterings at once: for each feature and code
/// the kept rows that have it (an inverted index); for each kept row the clusterings that drew it
/// and its codes there; for each clustering its drawn features. Never changed once made. `kept` and
/// `draws` must outlive it.
class UpperIndex {
 public:
  UpperIndex(const CodeMatrix& kept, const Draws& draws, Job& job);

  const Draws& draws() const { return draws_; }
  const WalkIndex& get() const { return index_; }

  /// Calls `body(codes)` with the codes of all places, in the element type of the kept rows.
  template <class Body>
  void visit(Body&& body) const {
    kept_.visit([&]<class Code>(const Code*) {
      body(reinterpret_cast<const Code*>(placed_codes_.data()));
    });
  }

  /// Whether the index can hold so many kept rows and features.
  static bool serves(const UpperSizes& sizes);
  /// Upper bounds of the bytes of the index, and of the bytes that each thread takes to make it.
  static std::uint64_t bytes(const UpperSizes& sizes);
  static std::uint64_t thread_bytes(const UpperSizes& sizes);

 private:
  void place_codes(Job& job);
  template <class Code>
  void list_places(std::size_t task, const Code* codes);
  template <class Code>
  std::size_t count_entries(const Code* column, std::size_t feature, ListEnd* ends);
  template <class Code>
  void write_entries(const Code* column, std::size_t feature, ListEnd* ends,
                     std::uint32_t* entries) const;
  void note_draws();

  const CodeMatrix& kept_;
  const Draws& draws_;

  WalkIndex index_;
  std::vector<std::uint32_t> kept_row_;    // [place] number of the kept row
  LargeArray<std::uint8_t> placed_codes_;  // the kept rows' codes, in the order of places
  LargeArray<std::uint32_t> starts_, codes_;
  std::vector<LargeArray<std::uint32_t>> entries_;  // [task] lists of kFeaturesPerTask features
  std::vector<const std::uint32_t*> entries_of_;    // [feature]
  LargeArray<std::uint64_t> drawn_features_, drawn_by_, first_code_;
};

}  // namespace mbn
