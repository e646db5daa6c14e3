// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <mbn/describe.hpp>
#include <mbn/error.hpp>

#include "report/picture_sheet.hpp"
#include "rows/gather.hpp"

namespace mbn {

namespace {

void require_pictures(RowsView rows, const PictureShape& shape) {
  const bool known = shape.channels == 1 || shape.channels == 3;
  if (!rows.is_sparse() && known && !shape.empty() && shape.columns() == rows.columns()) return;
  throw InvalidArgument(
      ErrorCode::does_not_fit,
      {fmt::format("pictures of {} x {} pixels with {} numbers each take {} dense columns, but the "
                   "rows have {}; give the pictures' own height, width and 1 or 3 with ",
                   shape.height, shape.width, shape.channels, shape.columns(), rows.columns()),
       option("pictures")},
      {.option = "pictures"});
}

std::vector<SheetLine> lines_of(std::span<const ClusterDescription> clusters, MatrixView rows) {
  std::vector<SheetLine> lines;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const ClusterDescription& cluster = clusters[c];
    SheetLine line{fmt::format("cluster {}: {} rows, confidence {:.0f} %", c, cluster.rows,
                               100 * cluster.confidence),
                   {}};
    if (cluster.rows > 0) line.pictures.push_back(cluster.mean);
    for (const std::uint32_t row : cluster.exemplars) {
      copy_row(rows, row, line.pictures.emplace_back(rows.columns()).data());
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

void write_cluster_pictures(const std::filesystem::path& path,
                            std::span<const ClusterDescription> clusters, RowsView rows,
                            const PictureShape& shape, bool overwrite) {
  require_pictures(rows, shape);
  for (const ClusterDescription& cluster : clusters) {
    if (cluster.mean.size() == rows.columns() || cluster.rows == 0) continue;
    throw InvalidArgument(ErrorCode::wrong_order,
                          "the clusters were described without means; set DescribeOptions::means");
  }
  const std::vector<SheetLine> lines = lines_of(clusters, rows.dense());
  double low = 0;
  double high = 255;  // bytes are shades already
  if (rows.dense().type() != ElementType::uint8) {
    low = INFINITY, high = -INFINITY;
    for (const SheetLine& line : lines) {
      for (const std::vector<float>& picture : line.pictures) {
        for (const float cell : picture) {
          if (!std::isfinite(cell)) continue;
          low = std::min(low, double{cell});
          high = std::max(high, double{cell});
        }
      }
    }
  }
  write_drawing(path, sheet_drawing(lines, shape, low, high, "Clusters in pictures"), overwrite);
}

}  // namespace mbn
