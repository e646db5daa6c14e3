// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <mbn/model.hpp>

#include "store/model_file.hpp"

namespace mbn {

std::vector<std::uint8_t> Model::to_bytes() const {
  return encode_model(*data_);
}

std::string Model::checksum() const {
  return model_checksum(*data_);
}

Model Model::from_bytes(std::span<const std::uint8_t> bytes) {
  return Model(std::make_shared<const ModelData>(decode_model(bytes)));
}

}  // namespace mbn
