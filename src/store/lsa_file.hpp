// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "project/lsa_data.hpp"
#include "store/tensor_file.hpp"

namespace mbn {

/// Latent semantic analysis in the layout of a model file, with the kind "lsa". Reading makes all
/// checks: FormatError when anything in the file could not be used as it is.
void write_lsa_file(const std::filesystem::path& path, const LsaData& lsa, bool overwrite);
LsaData read_lsa_file(const std::filesystem::path& path);

/// The bytes of such a file, in memory, and back with the same checks.
std::vector<std::uint8_t> encode_lsa(const LsaData& lsa);
LsaData decode_lsa(std::span<const std::uint8_t> bytes);

/// From an open file.
LsaData read_lsa(const TensorReader& file);

}  // namespace mbn
