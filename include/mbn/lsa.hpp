// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include <mbn/lsa_options.hpp>
#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

namespace mbn {

struct LsaData;

/// Latent semantic analysis: the truncated singular value decomposition X = U S V^T of the rows as
/// they are, or scaled to norm 1 (metric cosine), not centred. A row x becomes x V, so the
/// training rows become U S. It is what the paper compares the network with. It never changes;
/// copies share it.
class Lsa {
 public:
  /// By Lanczos iteration on the smaller side. Components beyond the rank are zero. Bytes are the
  /// same for any number of threads. Time grows as nonzeros x components.
  static Lsa fit(RowsView rows, const LsaOptions& options = {}, const RunOptions& run = {});

  const LsaOptions& options() const;
  std::uint64_t training_rows() const;
  std::uint64_t columns() const;
  std::uint32_t components() const;
  /// Largest first.
  const std::vector<double>& singular_values() const;
  /// V: columns x components. In each column the largest number, the first of ties, is positive.
  MatrixView loadings() const;

  /// rows x components. A row gives the same bytes alone, in any batch, in any order.
  Matrix transform(RowsView rows, const RunOptions& run = {}) const;

  /// The layout of a model file (docs/model-format.md), with the kind "lsa".
  void save(const std::filesystem::path& path, bool overwrite = false) const;
  static Lsa load(const std::filesystem::path& path);
  std::vector<std::uint8_t> to_bytes() const;
  static Lsa from_bytes(std::span<const std::uint8_t> bytes);

 private:
  friend class Index;
  explicit Lsa(std::shared_ptr<const LsaData> data);

  std::shared_ptr<const LsaData> data_;
};

}  // namespace mbn
