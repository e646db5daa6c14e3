// SPDX-License-Identifier: Apache-2.0
//
// Both ways go through a buffer of some hundred kilobytes, which stays in the cache: a packed copy
// of the whole tensor is never in memory. Writing a tensor packs it twice, for its hash and for the
// file. Reading complains only after the checksum was seen to be right, so that damage is called
// damage.
#include "store/packed_tensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <span>
#include <utility>

namespace mbn {

namespace {

/// A tensor whose rows `pack_row(row, bytes)` makes; `bytes` are zeros before.
template <class PackRow>
TensorSource source_of(std::string name, std::uint64_t rows, std::uint64_t row_bytes,
                       PackRow pack_row) {
  TensorSource source{.name = std::move(name), .type = TensorType::u8, .shape = {rows, row_bytes}};
  source.pieces = [rows, row_bytes, pack_row](const ByteSink& sink) {
    const std::uint64_t at_once = rows_per_piece(row_bytes);
    std::vector<std::uint8_t> piece;
    for (std::uint64_t first = 0; first < rows; first += at_once) {
      const std::uint64_t count = std::min(at_once, rows - first);
      piece.assign(count * row_bytes, 0);
      for (std::uint64_t i = 0; i < count; ++i) pack_row(first + i, piece.data() + i * row_bytes);
      sink(piece.data(), piece.size());
    }
  };
  return source;
}

void check_row_bytes(const TensorReader& file, const TensorInfo& tensor, std::uint64_t wanted) {
  if (tensor.shape[1] == wanted) return;
  file.fail(fmt::format("tensor '{}' has {} bytes in a row; it must have {}", tensor.name,
                        tensor.shape[1], wanted));
}

void check_padding(const TensorReader& file, const TensorInfo& tensor, bool is_zero) {
  if (is_zero) return;
  file.fail(fmt::format("tensor '{}' has bits after the last number of a row that are not zero",
                        tensor.name));
}

/// Calls `body(row, bytes)` for each row, which has kPackedSlack readable bytes behind it.
template <class Body>
void for_each_row(const TensorReader& file, const TensorInfo& tensor, const Body& body) {
  std::uint64_t row = 0;
  file.read_rows(tensor, kPackedSlack, [&](std::span<const std::uint8_t> piece) {
    for (std::size_t at = 0; at < piece.size(); at += tensor.shape[1]) {
      body(row++, piece.data() + at);
    }
  });
}

// Apart, so that the compiler sees that nothing else changes and uses SIMD.
template <class T>
T highest_of(std::span<const T> numbers) {
  T highest = 0;
  for (const T number : numbers) highest = std::max(highest, number);
  return highest;
}

/// The numbers of the bits that are set in a row of `bytes` bytes, which may be more or less than
/// `to` has place for: those that are too many are counted and not written.
std::uint64_t read_mask(const std::uint8_t* row, std::uint64_t bytes, std::span<std::uint32_t> to) {
  std::uint64_t seen = 0;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    for (unsigned byte = row[i]; byte != 0; byte &= byte - 1, ++seen) {
      if (seen >= to.size()) continue;
      to[seen] = static_cast<std::uint32_t>(8 * i + static_cast<unsigned>(std::countr_zero(byte)));
    }
  }
  return seen;
}

}  // namespace

template <class T>
TensorSource packed_source(std::string name, const T* numbers, std::uint64_t rows,
                           std::uint64_t count, std::uint64_t bound) {
  const unsigned bits = packed_bits(bound);
  return source_of(std::move(name), rows, packed_bytes(count, bits),
                   [=](std::uint64_t row, std::uint8_t* to) {
                     pack(std::span(numbers + row * count, count), bits, to);
                   });
}

TensorSource packed_sets_source(std::string name, const std::uint32_t* numbers, std::uint64_t rows,
                                std::uint64_t count, std::uint64_t bound) {
  if (!packed_as_mask(count, bound)) {
    return packed_source(std::move(name), numbers, rows, count, bound);
  }
  return source_of(std::move(name), rows, packed_bytes(bound, 1),
                   [=](std::uint64_t row, std::uint8_t* to) {
                     for (const std::uint32_t number : std::span(numbers + row * count, count)) {
                       assert(number < bound);
                       to[number / 8] |= static_cast<std::uint8_t>(1U << (number % 8));
                     }
                   });
}

void check_packed(const TensorReader& file, const TensorInfo& tensor, std::uint64_t count,
                  std::uint64_t bound) {
  check_row_bytes(file, tensor, packed_bytes(count, packed_bits(bound)));
}

template <class T>
T read_packed(const TensorReader& file, const TensorInfo& tensor, std::uint64_t count,
              std::uint64_t bound, T* to) {
  const unsigned bits = packed_bits(bound);
  assert(tensor.shape[1] == packed_bytes(count, bits));
  T highest = 0;
  bool is_zero = true;
  for_each_row(file, tensor, [&](std::uint64_t row, const std::uint8_t* bytes) {
    const std::span<T> numbers(to + row * count, count);
    unpack(bytes, bits, numbers);
    highest = std::max(highest, highest_of<T>(numbers));
    is_zero &= padding_is_zero(bytes, count, bits);
  });
  check_padding(file, tensor, is_zero);
  return highest;
}

std::vector<std::uint32_t> read_packed_sets(const TensorReader& file, const TensorInfo& tensor,
                                            std::uint64_t count, std::uint64_t bound) {
  std::vector<std::uint32_t> numbers;
  if (!packed_as_mask(count, bound)) {
    check_packed(file, tensor, count, bound);
    numbers.resize(tensor.shape[0] * count);
    read_packed(file, tensor, count, bound, numbers.data());
    return numbers;
  }
  check_row_bytes(file, tensor, packed_bytes(bound, 1));
  numbers.resize(tensor.shape[0] * count);
  std::uint64_t wrong = count;
  bool is_zero = true;
  for_each_row(file, tensor, [&](std::uint64_t row, const std::uint8_t* bytes) {
    const std::uint64_t seen =
        read_mask(bytes, tensor.shape[1], std::span(numbers).subspan(row * count, count));
    if (seen != count) wrong = seen;
    is_zero &= padding_is_zero(bytes, bound, 1);
  });
  check_padding(file, tensor, is_zero);
  if (wrong != count) {
    file.fail(fmt::format("tensor '{}' has a row with {} bits set; it must have {}", tensor.name,
                          wrong, count));
  }
  return numbers;
}

template TensorSource packed_source(std::string, const std::uint8_t*, std::uint64_t, std::uint64_t,
                                    std::uint64_t);
template TensorSource packed_source(std::string, const std::uint16_t*, std::uint64_t, std::uint64_t,
                                    std::uint64_t);
template TensorSource packed_source(std::string, const std::uint32_t*, std::uint64_t, std::uint64_t,
                                    std::uint64_t);
template std::uint8_t read_packed(const TensorReader&, const TensorInfo&, std::uint64_t,
                                  std::uint64_t, std::uint8_t*);
template std::uint16_t read_packed(const TensorReader&, const TensorInfo&, std::uint64_t,
                                   std::uint64_t, std::uint16_t*);
template std::uint32_t read_packed(const TensorReader&, const TensorInfo&, std::uint64_t,
                                   std::uint64_t, std::uint32_t*);

}  // namespace mbn
