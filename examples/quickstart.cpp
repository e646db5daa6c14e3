// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <mbn/mbn.hpp>

int main() {
  // Rows without labels. `mbn::read_matrix("digits.npy")` reads your own.
  const mbn::Table moons = mbn::generate({.kind = mbn::ToyKind::moons, .rows = 400, .seed = 1});

  // FitOptions decide the answer and are stored in the model; RunOptions (threads, progress,
  // cancellation, memory) never change it.
  const mbn::FitOptions options{.clusters = 2, .seed = 7};
  const mbn::FitResult fit = mbn::fit_transform(moons.rows, options);
  const mbn::ClusterScores scores = mbn::score_clusters(fit.labels, moons.labels->values);
  std::printf("%zu rows, %zu layers, NMI %.2f\n", moons.rows.rows(), fit.model.layers().size(),
              scores.nmi);

  // New rows go the same way: alone or in any batch, the same bytes.
  fit.model.save("moons.mbn", /*overwrite=*/true);
  const mbn::Model model = mbn::Model::load("moons.mbn");
  const mbn::Matrix map = model.transform(moons.rows.view().slice(0, 1));
  std::printf("row 1 is at (%.3f, %.3f)\n", map.at(0, 0), map.at(0, 1));
}
