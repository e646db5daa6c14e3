// SPDX-License-Identifier: Apache-2.0
#include <mbn/lsa.hpp>

#include <utility>

#include "base/job.hpp"
#include "project/lsa.hpp"
#include "store/lsa_file.hpp"

namespace mbn {

Lsa::Lsa(std::shared_ptr<const LsaData> data) : data_(std::move(data)) {}

Lsa Lsa::fit(RowsView rows, const LsaOptions& options, const RunOptions& run) {
  Job job(run);
  return Lsa(std::make_shared<const LsaData>(fit_lsa(rows, options, job)));
}

const LsaOptions& Lsa::options() const {
  return data_->options;
}
std::uint64_t Lsa::training_rows() const {
  return data_->training_rows;
}
std::uint64_t Lsa::columns() const {
  return data_->columns();
}
std::uint32_t Lsa::components() const {
  return data_->options.components;
}
const std::vector<double>& Lsa::singular_values() const {
  return data_->singular_values;
}
MatrixView Lsa::loadings() const {
  return data_->loadings;
}

Matrix Lsa::transform(RowsView rows, const RunOptions& run) const {
  Job job(run);
  return project_rows(*data_, rows, job);
}

void Lsa::save(const std::filesystem::path& path, bool overwrite) const {
  write_lsa_file(path, *data_, overwrite);
}

Lsa Lsa::load(const std::filesystem::path& path) {
  return Lsa(std::make_shared<const LsaData>(read_lsa_file(path)));
}

std::vector<std::uint8_t> Lsa::to_bytes() const {
  return encode_lsa(*data_);
}

Lsa Lsa::from_bytes(std::span<const std::uint8_t> bytes) {
  return Lsa(std::make_shared<const LsaData>(decode_lsa(bytes)));
}

}  // namespace mbn
