// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compress/student_data.hpp"

namespace mbn {

/// Writes and reads students as ONNX files; docs/compress.md describes them. A file appears whole
/// or not at all. Reading checks every size before memory is taken, the checksum, and that the
/// graph is the one that a student has: a student that loads can be used without further checks.
void write_student_file(const std::filesystem::path& path, const StudentData& student,
                        bool overwrite);
StudentData read_student_file(const std::filesystem::path& path);

/// The bytes of such a file, in memory, and back with the same checks. `ignore_checksum` is for the
/// fuzzer, which cannot guess hashes.
std::vector<std::uint8_t> encode_student(const StudentData& student);
StudentData decode_student(std::span<const std::uint8_t> bytes, std::string_view file,
                           bool ignore_checksum = false);

}  // namespace mbn
