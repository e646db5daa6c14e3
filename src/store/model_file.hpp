// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "network/model_data.hpp"

namespace mbn {

/// Writes and reads `.mbn` files; docs/model-format.md describes them. A file appears whole or not
/// at all. Reading checks every size before memory is taken, every checksum, and that every number
/// in the file makes sense together: a model that loads can be used without further checks.
void write_model_file(const std::filesystem::path& path, const ModelData& model, bool overwrite);
ModelData read_model_file(const std::filesystem::path& path);

/// How codes and draws stand in a file: in the bits that they need, or, as in files of format
/// version 1, in whole bytes as in memory.
enum class Packing : std::uint8_t { bits, none };

/// The bytes of such a file, in memory, and back with the same checks.
std::vector<std::uint8_t> encode_model(const ModelData& model, Packing packing = Packing::bits);
ModelData decode_model(std::span<const std::uint8_t> bytes);

/// Model::checksum(). It is taken of the file of version 1, so that a model keeps its digits.
std::string model_checksum(const ModelData& model);

/// The same layout for a fit that is under way. An older checkpoint is replaced.
void write_checkpoint_file(const std::filesystem::path& path, const Checkpoint& checkpoint);
Checkpoint read_checkpoint_file(const std::filesystem::path& path);

}  // namespace mbn
