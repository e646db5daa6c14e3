// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <mbn/marks.hpp>
#include <mbn/model.hpp>
#include <mbn/options.hpp>
#include <mbn/picture_shape.hpp>
#include <mbn/rows.hpp>

namespace mbn {

struct DescribeOptions {
  std::uint32_t marks = 5;      ///< columns named for each cluster, at most
  std::uint32_t exemplars = 5;  ///< rows shown for each cluster, at most
  bool means = false;           ///< also the mean of every column, as pictures need it
};

/// A cluster in words and examples.
struct ClusterDescription {
  std::uint64_t rows = 0;
  double confidence = 0;  ///< mean of its rows, as in Assignment; 0 when the model has none
  std::vector<Mark> marks;
  std::string sentence;  ///< `describe` of the marks; empty when nothing sets it apart
  /// Rows that share most clusterings with the rows of their cluster, the most typical first.
  std::vector<std::uint32_t> exemplars;
  /// [column] the mean over the rows that have a value; empty unless DescribeOptions::means.
  std::vector<float> mean{};
};

/// Describes the clusters of a model on any rows: its training rows or others. `columns` are the
/// names of the columns, or empty. Exemplars are looked for among at most 10,000 rows.
/// InvalidArgument when the model has no clusters.
std::vector<ClusterDescription> describe_clusters(const Model& model, RowsView rows,
                                                  std::span<const std::string> columns = {},
                                                  const DescribeOptions& options = {},
                                                  const RunOptions& run = {});

/// For rows that are pictures: draws a line for each cluster, with its mean and its exemplars.
/// `clusters` were described on these rows, with DescribeOptions::means. A file `.svg`, `.png` or
/// `.pdf`, as `write_plot` writes it. InvalidArgument when the rows do not have the shape.
void write_cluster_pictures(const std::filesystem::path& path,
                            std::span<const ClusterDescription> clusters, RowsView rows,
                            const PictureShape& shape, bool overwrite = false);

}  // namespace mbn
