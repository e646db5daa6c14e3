// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include <mbn/matrix.hpp>
#include <mbn/options.hpp>
#include <mbn/rows.hpp>

namespace mbn {

/// Everything that decides the answer of latent semantic analysis.
struct LsaOptions {
  std::uint32_t components = 100;
  Metric metric = Metric::euclidean;
  std::uint64_t seed = 0;

  bool operator==(const LsaOptions&) const = default;
};

template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, LsaOptions>
void visit_fields(Options& options, Visitor&& visit) {
  visit(Field{"components", "Columns of the embedding.", 1, 65535}, options.components);
  visit(Field{"metric",
              "'cosine' scales rows to length 1 first, so that long documents do not decide."},
        options.metric);
  visit(Field{"seed", "Starts the iteration. The same seed gives the same bytes.", 0,
              18446744073709551615.0},
        options.seed);
}

/// Throws InvalidArgument that names the first option out of its range.
void validate(const LsaOptions& options);

/// Latent semantic analysis: the truncated singular value decomposition X = U S V^T of the rows as
/// they are, or scaled to length 1 (metric cosine), not centred. A row x becomes x V, so the
/// training rows become U S. It is what the paper compares the network with. It never changes;
/// copies share it.
class Lsa {
 public:
  struct Data;
  explicit Lsa(std::shared_ptr<const Data> data);

  /// By Lanczos iteration on the smaller side. Components beyond the rank are zero. Bytes are the
  /// same for any number of threads. Time grows as cells x components.
  static Lsa fit(RowsView rows, const LsaOptions& options = {}, const RunOptions& run = {});

  const LsaOptions& options() const;
  std::uint64_t training_rows() const;
  std::uint64_t columns() const;
  std::uint32_t components() const;
  /// Largest first.
  const std::vector<double>& singular_values() const;
  /// V: columns x components. In each column the largest number, the first of equals, is positive.
  MatrixView loadings() const;

  /// rows x components. A row gives the same bytes alone, in any batch, in any order.
  Matrix transform(RowsView rows, const RunOptions& run = {}) const;

  /// The layout of a model file (docs/model-format.md), with the kind "lsa".
  void save(const std::filesystem::path& path, bool overwrite = false) const;
  static Lsa load(const std::filesystem::path& path);
  std::vector<std::uint8_t> to_bytes() const;
  static Lsa from_bytes(std::span<const std::uint8_t> bytes);

 private:
  std::shared_ptr<const Data> data_;
};

}  // namespace mbn
