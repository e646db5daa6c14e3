// SPDX-License-Identifier: Apache-2.0
#include "store/drawn_columns_tensor.hpp"

#include <fmt/format.h>

#include <vector>

#include "store/kind.hpp"
#include "store/packed_tensor.hpp"

namespace mbn {

namespace {

void check(const TensorReader& file, const DrawnColumns& drawn, std::uint64_t columns) {
  std::vector<std::uint32_t> drawn_by(columns, 0);  // clustering + 1; 0: none
  for (std::uint32_t v = 0; v < drawn.clusterings; ++v) {
    for (const std::uint32_t column : drawn.of(v)) {
      if (column >= columns || drawn_by[column] == v + 1) {
        file.fail(fmt::format(
            "tensor '{}' names column {} in clustering {}, which is there already or not one of {}",
            kDrawnColumns, column, v, columns));
      }
      drawn_by[column] = v + 1;
    }
  }
}

}  // namespace

DrawnColumns read_drawn_columns(const TensorReader& file, const TensorInfo& tensor, bool packed,
                                const ModelData& model) {
  const std::uint32_t clusterings = codes_of_distances(*model.options.clusterings);
  const TensorType type = packed ? TensorType::u8 : TensorType::u32;
  if (tensor.type != type || tensor.shape[0] != clusterings || model.columns > kMostDistances) {
    file.fail(fmt::format("tensor '{}' must be {} with {} rows", kDrawnColumns, type_name(type),
                          clusterings));
  }
  DrawnColumns drawn{clusterings, static_cast<std::uint32_t>(tensor.shape[1])};
  if (packed) {
    drawn.centroids =
        static_cast<std::uint32_t>(read_number(file, "distances.centroids", 1, model.columns));
    check_packed(file, tensor, drawn.centroids, model.columns);
  }
  drawn.columns.resize(std::size_t{clusterings} * drawn.centroids);
  if (packed) {
    read_packed(file, tensor, drawn.centroids, model.columns, drawn.columns.data());
  } else {
    file.read(tensor, drawn.columns.data());
  }
  check(file, drawn, model.columns);
  return drawn;
}

}  // namespace mbn
