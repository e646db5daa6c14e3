// SPDX-License-Identifier: Apache-2.0
#include "map/placer.hpp"

#include <algorithm>
#include <vector>

#include "map/joint_space.hpp"
#include "map/layout.hpp"
#include "rows/gather.hpp"

namespace mbn {

Placer::Placer(const MapData& map, RowsView kept, std::uint64_t seed, Job& job)
    : map_(map),
      seed_(seed),
      index_(joint_rows(map.space, kept, map.components, job), job),
      places_(index_.rows().rows(), map.places.columns()) {
  for (std::size_t i = 0; i < kept.rows(); ++i) {
    std::copy_n(map.places.view().row<float>(i), map.places.columns(),
                places_.mutable_row<float>(index_.numbers()[i]));
  }
}

std::uint64_t Placer::bytes() const {
  return joint_index_bytes(index_.rows().shape(), 0, 1) + places_.shape().bytes();
}

Matrix Placer::place(RowsView prepared, MatrixView components, Job& job) const {
  const Matrix joint = joint_rows(map_.space, prepared, components, job);
  Matrix places(joint.rows(), places_.columns());
  std::vector<std::uint32_t> others;  // rows that are not on the map
  for (std::uint32_t i = 0; i < joint.rows(); ++i) {
    if (const auto own = index_.find(joint.view().row<float>(i))) {
      std::copy_n(places_.view().row<float>(*own), places.columns(), places.mutable_row<float>(i));
    } else {
      others.push_back(i);
    }
  }
  if (others.empty()) return places;
  const auto nearest = index_.nearest(gather_rows(joint, others), map_.neighbours, job);
  job.parallel(others.size(), [&](std::size_t n, unsigned) {
    settle(places_, nearest[n], seed_, places.mutable_row<float>(others[n]));
  });
  return places;
}

}  // namespace mbn
