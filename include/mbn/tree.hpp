// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mbn {

/// Two groups of rows that become one. Groups 0 .. rows-1 are the rows themselves, and merge i
/// makes group rows + i: the order of SciPy's linkage matrices.
struct Merge {
  std::uint32_t first = 0;  ///< the lower of the two groups
  std::uint32_t second = 0;
  double height = 0;       ///< share of unequal codes, 0 to 1; never falls from merge to merge
  std::uint32_t rows = 0;  ///< in both together

  bool operator==(const Merge&) const = default;
};

/// An answer that a tree contains: with groups of fewer than `least_rows` taken for strays, it ends
/// in this many clusters.
struct TreeCut {
  std::uint32_t clusters = 0;
  std::uint32_t least_rows = 0;
  /// How long these clusters stay clusters while `least_rows` grows: the sum over them of the range
  /// of sizes in which they do, as a share of all rows. Larger: clearer.
  double persistence = 0;

  bool operator==(const TreeCut&) const = default;
};

/// A part of the tree between two splits, when groups of fewer rows than asked for are strays.
struct TreeBranch {
  std::int32_t parent = -1;   ///< the branch that it comes from, a lower number; -1: the root
  std::uint32_t rows = 0;     ///< where it begins
  double begins = 0;          ///< height of the split that it comes from; the root: 1
  double ends = 0;            ///< height at which it splits, or falls apart into strays
  std::int32_t cluster = -1;  ///< 0, 1, ... when it does not split again, by size
};

/// Which rows agree: a single-linkage tree over the share of unequal codes, averaged over all
/// layers. Rows in sparse regions are kept apart: a row is joined no lower than the distance to its
/// 4th nearest row. Coarse and fine answers in one.
struct Tree {
  std::vector<std::uint32_t> rows;  ///< the numbers of its rows, ascending
  std::vector<Merge> merges;        ///< one less than rows

  bool operator==(const Tree&) const = default;
};

/// The clearest answer for each number of clusters of 2 or more that the tree contains, clearest
/// first.
std::vector<TreeCut> cuts_of(std::span<const Merge> merges);

/// The tree without strays: a root and what it splits into.
std::vector<TreeBranch> branches_of(std::span<const Merge> merges, std::uint32_t least_rows);

/// For each row of the tree, the cluster it is in (TreeBranch::cluster); -1 for strays.
std::vector<std::int32_t> labels_of(std::span<const Merge> merges, std::uint32_t least_rows);

/// `{"rows": [...], "merges": [[first, second, height, rows], ...], "cuts": [...],
/// "branches": [...]}`; the branches are those of the clearest cut.
std::string to_json(const Tree& tree);

}  // namespace mbn
