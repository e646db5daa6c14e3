// SPDX-License-Identifier: Apache-2.0
//
// Latent semantic analysis in the layout of a model file: two tensors and a few numbers.
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <mbn/error.hpp>

#include "project/lsa_data.hpp"
#include "store/kind.hpp"
#include "store/parts.hpp"

namespace mbn {

namespace {

struct Parts {
  Metadata metadata;
  std::vector<TensorSource> tensors;
};

Parts parts_of(const Lsa& lsa) {
  Parts parts{common_metadata("lsa"), {}};
  parts.metadata["seed"] = std::to_string(lsa.options().seed);
  parts.metadata["metric"] = name_of(lsa.options().metric);
  parts.metadata["training_rows"] = std::to_string(lsa.training_rows());
  const MatrixView loadings = lsa.loadings();
  parts.tensors.push_back({"lsa.loadings",
                           TensorType::f32,
                           {loadings.rows(), loadings.columns()},
                           loadings.row<float>(0)});
  parts.tensors.push_back({"lsa.singular_values",
                           TensorType::f64,
                           {lsa.singular_values().size()},
                           lsa.singular_values().data()});
  return parts;
}

/// Files without it are older than the choice.
Metric read_metric(const TensorReader& file) {
  const auto found = file.metadata().find("metric");
  if (found == file.metadata().end()) return Metric::euclidean;
  const auto metric = value_named<Metric>(found->second);
  if (!metric) {
    file.fail("its metric is unknown; read it with a newer version of mbn", ErrorCode::too_new);
  }
  return *metric;
}

}  // namespace

Lsa read_lsa(const TensorReader& file) {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  check_kind(file, "lsa", "analyse texts and save the result");
  auto data = std::make_shared<Lsa::Data>();
  data->options.seed = read_number(file, "seed", kAny);
  data->options.metric = read_metric(file);
  data->training_rows = read_number(file, "training_rows", kAny);
  const TensorInfo& loadings = find_tensor(file, "lsa.loadings", TensorType::f32, 2);
  data->singular_values = read_vector<double>(file, "lsa.singular_values");
  const std::uint64_t components = loadings.shape[1];
  if (components == 0 || components > 65535 || data->singular_values.size() != components ||
      loadings.shape[0] == 0 || loadings.shape[0] > std::numeric_limits<std::uint32_t>::max()) {
    file.fail(fmt::format("{} x {} loadings and {} singular values do not fit each other",
                          loadings.shape[0], components, data->singular_values.size()));
  }
  data->options.components = static_cast<std::uint32_t>(components);
  data->loadings = Matrix(loadings.shape[0], components);
  file.read(loadings, data->loadings.mutable_row<float>(0));
  data->loadings.view().visit([&](const auto* cells) {
    for (std::size_t i = 0; i < data->loadings.rows() * components; ++i) {
      if (!std::isfinite(static_cast<float>(cells[i]))) {
        file.fail("a loading is not a finite number");
      }
    }
  });
  return Lsa(std::move(data));
}

void Lsa::save(const std::filesystem::path& path, bool overwrite) const {
  Parts parts = parts_of(*this);
  write_tensor_file(path, std::move(parts.metadata), std::move(parts.tensors), overwrite);
}

Lsa Lsa::load(const std::filesystem::path& path) {
  return read_lsa(TensorReader(path));
}

std::vector<std::uint8_t> Lsa::to_bytes() const {
  Parts parts = parts_of(*this);
  return encode_tensors(std::move(parts.metadata), std::move(parts.tensors));
}

Lsa Lsa::from_bytes(std::span<const std::uint8_t> bytes) {
  return read_lsa(TensorReader(bytes, "LSA bytes"));
}

}  // namespace mbn
