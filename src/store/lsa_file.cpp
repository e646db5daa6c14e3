// SPDX-License-Identifier: Apache-2.0
//
// Latent semantic analysis in the layout of a model file: two tensors and a few numbers.
#include "store/lsa_file.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "store/kind.hpp"

namespace mbn {

namespace {

struct Parts {
  Metadata metadata;
  std::vector<TensorSource> tensors;
};

Parts parts_of(const LsaData& lsa) {
  Parts parts{common_metadata("lsa"), {}};
  parts.metadata["seed"] = std::to_string(lsa.options.seed);
  parts.metadata["metric"] = name_of(lsa.options.metric);
  parts.metadata["training_rows"] = std::to_string(lsa.training_rows);
  const MatrixView loadings = lsa.loadings;
  parts.tensors.push_back({"lsa.loadings",
                           TensorType::f32,
                           {loadings.rows(), loadings.columns()},
                           loadings.row<float>(0)});
  parts.tensors.push_back({"lsa.singular_values",
                           TensorType::f64,
                           {lsa.singular_values.size()},
                           lsa.singular_values.data()});
  return parts;
}

/// Files of versions without this option lack it.
Metric read_metric(const TensorReader& file) {
  const auto found = file.metadata().find("metric");
  if (found == file.metadata().end()) return Metric::euclidean;
  const auto metric = value_named<Metric>(found->second);
  if (!metric || (*metric != Metric::euclidean && *metric != Metric::cosine)) {
    file.fail("its metric is unknown; read it with a newer version of mbn", ErrorCode::too_new);
  }
  return *metric;
}

}  // namespace

LsaData read_lsa(const TensorReader& file) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  check_kind(file, "lsa", "an LSA");
  LsaData lsa;
  lsa.options.seed = read_number(file, "seed", 0, kAny);
  lsa.options.metric = read_metric(file);
  lsa.training_rows = read_number(file, "training_rows", 0, kAny);
  const TensorInfo& loadings = find_tensor(file, "lsa.loadings", TensorType::f32, 2);
  lsa.singular_values = read_vector<double>(file, "lsa.singular_values");
  const std::uint64_t components = loadings.shape[1];
  if (components == 0 || components > 65535 || lsa.singular_values.size() != components ||
      loadings.shape[0] == 0 || loadings.shape[0] > std::numeric_limits<std::uint32_t>::max()) {
    file.fail(fmt::format("{} x {} loadings and {} singular values do not fit each other",
                          loadings.shape[0], components, lsa.singular_values.size()));
  }
  lsa.options.components = static_cast<std::uint32_t>(components);
  lsa.loadings = Matrix(loadings.shape[0], components);
  file.read(loadings, lsa.loadings.mutable_row<float>(0));
  lsa.loadings.view().visit([&](const auto* cells) {
    for (std::size_t i = 0; i < lsa.loadings.rows() * components; ++i) {
      if (!std::isfinite(static_cast<float>(cells[i]))) {
        file.fail("a loading is not a finite number");
      }
    }
  });
  return lsa;
}

void write_lsa_file(const std::filesystem::path& path, const LsaData& lsa, bool overwrite) {
  Parts parts = parts_of(lsa);
  write_tensor_file(path, std::move(parts.metadata), std::move(parts.tensors), overwrite);
}

LsaData read_lsa_file(const std::filesystem::path& path) {
  return read_lsa(TensorReader(path));
}

std::vector<std::uint8_t> encode_lsa(const LsaData& lsa) {
  Parts parts = parts_of(lsa);
  return encode_tensors(std::move(parts.metadata), std::move(parts.tensors));
}

LsaData decode_lsa(std::span<const std::uint8_t> bytes) {
  return read_lsa(TensorReader(bytes, "LSA bytes"));
}

}  // namespace mbn
