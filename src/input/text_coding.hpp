// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <mbn/column_coding.hpp>
#include <mbn/matrix.hpp>

namespace mbn {

/// Words of a column of texts that are looked at, at most: the commonest that two rows have.
inline constexpr std::uint32_t kMostWords = 1000;
/// Columns that it becomes, at most.
inline constexpr std::uint32_t kTextColumns = 10;

/// Learns from the texts of a column how they become numbers. InvalidArgument when no two of them
/// share a word.
TextCoding fit_text_coding(std::span<const std::string> texts);

/// texts x columns: the coordinates of each text, of norm 1; zeros for one without any of the
/// words.
Matrix code_texts(const TextCoding& coding, std::span<const std::string> texts);

}  // namespace mbn
