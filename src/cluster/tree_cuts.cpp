// SPDX-License-Identifier: Apache-2.0
//
// Merges at the same height are one split: distances are counts, so many are equal, and their order
// says nothing. A split has two or more parts; with groups of fewer than m rows taken for strays,
// it is one when its second largest part has m rows or more. So a part x of a split s is a cluster
// that does not split again, a leaf, for
//
//   birth(x) < m <= death(x)     death(x) = min(rows(x), second largest part of s)
//                                birth(x) = the largest m for which anything inside x splits
//
// and the leaves at m are an answer whose persistence is the sum of their death - birth (leaf
// persistence, as in PLSCAN).
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include <mbn/tree.hpp>

namespace mbn {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// The tree with merges of one height as one split. Nodes are numbered as groups are.
class Splits {
 public:
  explicit Splits(std::span<const Merge> merges)
      : merges_(merges),
        rows_(static_cast<std::uint32_t>(merges.size()) + 1),
        parent_(2 * std::size_t{rows_} - 1, kNone),
        second_(parent_.size()),
        birth_(parent_.size()) {
    find_parents();
    find_births();
  }

  std::uint32_t rows() const { return rows_; }
  std::uint32_t root() const { return static_cast<std::uint32_t>(parent_.size()) - 1; }
  std::uint32_t size(std::uint32_t node) const {
    return node < rows_ ? 1 : merges_[node - rows_].rows;
  }
  double height(std::uint32_t node) const {
    return node < rows_ ? 0 : merges_[node - rows_].height;
  }
  /// The split that has the node as a part; kNone for the root and for what is no node.
  std::uint32_t parent(std::uint32_t node) const { return parent_[node]; }
  std::uint32_t second(std::uint32_t node) const { return second_[node]; }
  std::uint32_t birth(std::uint32_t node) const { return birth_[node]; }
  std::uint32_t death(std::uint32_t node) const {
    return std::min(size(node), second_[parent_[node]]);
  }

 private:
  // From the root down: a group at its parent's height is the same split as that.
  void find_parents() {
    std::vector<std::uint32_t> split(parent_.size());
    std::iota(split.begin(), split.end(), 0U);
    for (std::size_t i = merges_.size(); i-- > 0;) {
      const auto group = static_cast<std::uint32_t>(rows_ + i);
      for (const std::uint32_t part : {merges_[i].first, merges_[i].second}) {
        if (part >= rows_ && merges_[part - rows_].height == merges_[i].height) {
          split[part] = split[group];
        } else {
          parent_[part] = split[group];
        }
      }
    }
  }

  // From the rows up: a split's parts have lower numbers than itself.
  void find_births() {
    std::vector<std::uint32_t> largest(parent_.size());
    for (std::uint32_t node = 0; node < parent_.size(); ++node) {
      birth_[node] = std::max(birth_[node], second_[node]);
      const std::uint32_t split = parent_[node];
      if (split == kNone) continue;
      const std::uint32_t own = size(node);
      second_[split] = std::max(second_[split], std::min(own, largest[split]));
      largest[split] = std::max(largest[split], own);
      birth_[split] = std::max(birth_[split], birth_[node]);
    }
  }

  std::span<const Merge> merges_;
  std::uint32_t rows_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> second_;  // rows of a split's second largest part
  std::vector<std::uint32_t> birth_;
};

// Branches, and for every node the branch that it is in; -1: a stray.
struct Pruned {
  std::vector<TreeBranch> branches;
  std::vector<std::int32_t> branch_of;
};

Pruned prune(const Splits& splits, std::uint32_t least_rows) {
  Pruned found;
  found.branch_of.assign(std::size_t{splits.root()} + 1, -1);
  found.branches.push_back({-1, splits.rows(), 1, splits.height(splits.root()), -1});
  found.branch_of[splits.root()] = 0;
  std::vector<bool> splits_again(1);
  for (std::uint32_t node = splits.root(); node-- > 0;) {
    const std::uint32_t split = splits.parent(node);
    if (split == kNone || splits.size(node) < least_rows || found.branch_of[split] < 0) continue;
    const auto above = static_cast<std::size_t>(found.branch_of[split]);
    TreeBranch& from = found.branches[above];
    if (splits.second(split) < least_rows) {
      found.branch_of[node] = static_cast<std::int32_t>(above);
      from.ends = splits.height(node);
      continue;
    }
    from.ends = splits.height(split);
    splits_again[above] = true;
    found.branch_of[node] = static_cast<std::int32_t>(found.branches.size());
    found.branches.push_back({static_cast<std::int32_t>(above), splits.size(node),
                              splits.height(split), splits.height(node), -1});
    splits_again.push_back(false);
  }
  std::vector<std::size_t> leaves;
  for (std::size_t i = 0; i < splits_again.size(); ++i) {
    if (!splits_again[i]) leaves.push_back(i);
  }
  std::stable_sort(leaves.begin(), leaves.end(), [&](std::size_t a, std::size_t b) {
    return found.branches[a].rows > found.branches[b].rows;
  });
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    found.branches[leaves[i]].cluster = static_cast<std::int32_t>(i);
  }
  return found;
}

}  // namespace

std::vector<TreeCut> cuts_of(std::span<const Merge> merges) {
  if (merges.empty()) return {};
  const Splits splits(merges);
  // Leaves that begin and end to be such at a size, and their persistence.
  std::vector<std::int64_t> count(std::size_t{splits.rows()} + 2);
  std::vector<std::int64_t> persistence(count.size());
  for (std::uint32_t node = 0; node < splits.root(); ++node) {
    if (splits.parent(node) == kNone || splits.death(node) <= splits.birth(node)) continue;
    const std::int64_t range = std::int64_t{splits.death(node)} - splits.birth(node);
    count[std::size_t{splits.birth(node)} + 1] += 1;
    count[std::size_t{splits.death(node)} + 1] -= 1;
    persistence[std::size_t{splits.birth(node)} + 1] += range;
    persistence[std::size_t{splits.death(node)} + 1] -= range;
  }
  std::map<std::int64_t, TreeCut> best;
  for (std::uint32_t least = 1; least <= splits.rows(); ++least) {
    count[least] += count[least - 1];
    persistence[least] += persistence[least - 1];
    if (least < 2 || count[least] < 2) continue;
    TreeCut& cut = best[count[least]];
    const double share = static_cast<double>(persistence[least]) / splits.rows();
    if (share <= cut.persistence) continue;
    cut = {static_cast<std::uint32_t>(count[least]), least, share};
  }
  std::vector<TreeCut> cuts;
  for (const auto& [clusters, cut] : best) cuts.push_back(cut);
  std::stable_sort(cuts.begin(), cuts.end(), [](const TreeCut& a, const TreeCut& b) {
    return a.persistence > b.persistence;
  });
  return cuts;
}

std::vector<TreeBranch> branches_of(std::span<const Merge> merges, std::uint32_t least_rows) {
  return prune(Splits(merges), least_rows).branches;
}

std::vector<std::int32_t> labels_of(std::span<const Merge> merges, std::uint32_t least_rows) {
  const Splits splits(merges);
  const Pruned found = prune(splits, least_rows);
  std::vector<std::int32_t> labels(splits.rows(), -1);
  for (std::uint32_t row = 0; row < splits.rows(); ++row) {
    std::uint32_t node = row;
    while (node != kNone && found.branch_of[node] < 0) node = splits.parent(node);
    if (node == kNone) continue;
    labels[row] = found.branches[static_cast<std::size_t>(found.branch_of[node])].cluster;
  }
  return labels;
}

}  // namespace mbn
