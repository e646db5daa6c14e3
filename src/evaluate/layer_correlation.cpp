// SPDX-License-Identifier: Apache-2.0
//
// Theorem 1 says that V estimates of equal error and pairwise correlation rho, averaged, have the
// error (1/V + (1 - 1/V) rho) times that of one. Here a clustering's estimate of a row x is the
// drawn row w_v that it assigns, as the layer sees rows: prepared features at the bottom, one-hot
// codes above. With r_v = w_v - x,
//
//   single error    s = mean over rows and v of |r_v|^2
//   ensemble error  e = mean over rows of |mean_v r_v|^2
//   rho             = mean of <r_u, r_v> over rows and u != v, divided by s
//
// A column that the row or the drawn row lacks (NaN) counts no error. Expanding |mean_v r_v|^2
// gives e / s = 1/V + (1 - 1/V) rho, so rho needs no sum over pairs. For one-hot codes, with n_fc
// of the V drawn rows having code c in feature f, and x_f the row's:
//   |mean_v r_v|^2 = sum_f [ sum_c (n_fc / V)^2 - 2 n_{f,x_f} / V + 1 ].
#include "evaluate/layer_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <mbn/error.hpp>

namespace mbn {

namespace {

struct RowErrors {
  double single = 0;    // summed over clusterings
  double ensemble = 0;  // of the mean
};

RowErrors bottom_errors(const BottomLayer& layer, MatrixView rows, const CodeMatrix& codes,
                        std::size_t i) {
  const std::size_t columns = rows.columns();
  const std::size_t clusterings = layer.draws.clusterings;
  std::vector<double> sum(columns);
  RowErrors errors;
  for (std::size_t v = 0; v < clusterings; ++v) {
    const std::uint32_t drawn = layer.draws.rows_of(v)[codes.at(i, v)];
    for (std::size_t j = 0; j < columns; ++j) {
      const double residual = static_cast<double>(layer.kept.dense().at(drawn, j)) - rows.at(i, j);
      if (std::isnan(residual)) continue;
      sum[j] += residual;
      errors.single += residual * residual;
    }
  }
  for (const double value : sum) {
    const double mean = value / static_cast<double>(clusterings);
    errors.ensemble += mean * mean;
  }
  return errors;
}

RowErrors upper_errors(const UpperLayer& layer, const CodeMatrix& below, const CodeMatrix& codes,
                       std::size_t i) {
  const std::size_t clusterings = layer.draws.clusterings;
  const auto inverse = 1.0 / static_cast<double>(clusterings);
  std::vector<std::uint32_t> drawn(clusterings);
  for (std::size_t v = 0; v < clusterings; ++v) {
    drawn[v] = layer.draws.rows_of(v)[codes.at(i, v)];
  }
  std::vector<std::uint32_t> seen(clusterings);
  RowErrors errors;
  for (std::size_t f = 0; f < clusterings; ++f) {
    for (std::size_t v = 0; v < clusterings; ++v) seen[v] = layer.kept.at(drawn[v], f);
    const auto equal = static_cast<double>(std::count(seen.begin(), seen.end(), below.at(i, f)));
    errors.single += 2 * (static_cast<double>(clusterings) - equal);
    std::sort(seen.begin(), seen.end());
    double squares = 0;
    for (auto run = seen.begin(); run != seen.end();) {
      const auto next = std::upper_bound(run, seen.end(), *run);
      const double share = static_cast<double>(next - run) * inverse;
      squares += share * share;
      run = next;
    }
    errors.ensemble += squares - 2 * equal * inverse + 1;
  }
  return errors;
}

}  // namespace

LayerCorrelation measure_correlation(const ModelData& model, MatrixView rows,
                                     const CodeMatrix* below, const CodeMatrix& codes,
                                     std::uint32_t layer, Job& job) {
  std::vector<RowErrors> errors(rows.rows());
  if (layer == 1) {
    if (model.bottom.is_sparse()) {
      throw InvalidArgument(
          ErrorCode::sparse_rows,
          "the correlation of layer 1 is not measured on rows of mostly zeros; ask for layer 2 or "
          "above",
          {.option = "layer", .value = "1"});
    }
    const Rows given = model.preparation.sparse ? as_sparse(rows) : Rows::borrow(rows);
    const Rows prepared = prepare_rows(model.preparation, given, job);
    const MatrixView input = prepared.view().dense();
    job.parallel(rows.rows(), [&](std::size_t i, unsigned) {
      errors[i] = bottom_errors(model.bottom, input, codes, i);
    });
  } else {
    job.parallel(rows.rows(), [&](std::size_t i, unsigned) {
      errors[i] = upper_errors(model.upper[layer - 2], *below, codes, i);
    });
  }
  LayerCorrelation result;
  const double clusterings = model.bottom.draws.clusterings;
  for (const RowErrors& row : errors) {
    result.single_error += row.single / clusterings;
    result.ensemble_error += row.ensemble;
  }
  result.single_error /= static_cast<double>(errors.size());
  result.ensemble_error /= static_cast<double>(errors.size());
  // Rows that every clustering hits exactly leave no error to share.
  result.error_ratio =
      result.single_error > 0 ? result.ensemble_error / result.single_error : 1 / clusterings;
  if (clusterings > 1) {
    result.correlation = (clusterings * result.error_ratio - 1) / (clusterings - 1);
  }
  return result;
}

}  // namespace mbn
