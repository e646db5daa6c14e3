// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <mbn/input.hpp>

#include "input/array_reader.hpp"
#include "input/byte_source.hpp"

namespace mbn {

bool is_npy(std::span<const std::byte> start);

/// The header; the cells follow in the source.
ArrayLayout read_npy_header(ByteSource& source);

/// `pictures`, when given, is set to what shape the rows have as pictures, and `has_nan` to whether
/// some cells are NaN.
Matrix read_npy(ByteSource& source, PictureShape* pictures = nullptr, bool* has_nan = nullptr);
Labels read_npy_labels(ByteSource& source);
/// Arrays with one index, which may be empty: whole numbers from 0 up, or finite float32.
std::vector<std::uint64_t> read_npy_integers(ByteSource& source);
std::vector<float> read_npy_values(ByteSource& source);

/// What the dictionary in a `.npy` header says. FormatError, with `name` as the file, when it is
/// not such a dictionary or its type is not a number that we read.
ArrayLayout parse_npy_header(const std::string& name, std::string_view text);

/// The first bytes of a `.npy` file of version 1.0, up to the cells. `type` is NumPy's name, such
/// as "<f4".
std::string npy_header(std::string_view type, std::span<const std::size_t> shape);

}  // namespace mbn
