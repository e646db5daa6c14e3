// SPDX-License-Identifier: Apache-2.0
//
// Every vector is its length, a little-endian int32, and then its numbers, little-endian too. All
// have the same length, so the number of vectors follows from the size of the file, and the numbers
// are read as an array whose source leaves the lengths out.
#include "input/vecs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include <mbn/error.hpp>

#include "input/array_reader.hpp"

namespace mbn {

namespace {

constexpr std::size_t kLengthBytes = 4;

std::uint32_t length_at(const std::byte* bytes) {
  std::uint32_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) {
    length = (length << 8) | std::to_integer<std::uint32_t>(bytes[i]);
  }
  return length;
}

[[noreturn]] void fail(const std::string& name, const std::string& problem) {
  throw FormatError(
      ErrorCode::damaged,
      fmt::format("{}: {}; the file is damaged, or is none of vectors (.fvecs, .bvecs, .ivecs)",
                  name, problem),
      {.path = name});
}

/// The numbers without the lengths, which must all be the same.
class NumbersSource final : public BufferedSource {
 public:
  NumbersSource(const std::string& name, std::span<const std::byte> bytes, std::size_t row_bytes)
      : BufferedSource(name),
        bytes_(bytes),
        row_bytes_(row_bytes),
        length_(length_at(bytes.data())) {}

  std::uint64_t limit() const override {
    return bytes_.size() / (kLengthBytes + row_bytes_) * row_bytes_;
  }

 protected:
  std::size_t fill(void* to, std::size_t count) override {
    if (place_ == bytes_.size()) return 0;
    const std::size_t inside = place_ % (kLengthBytes + row_bytes_);
    if (inside == 0) {
      const std::uint32_t length = length_at(bytes_.data() + place_);
      if (length != length_) {
        fail(name(), fmt::format("vector {} has {} numbers, but the first has {}",
                                 place_ / (kLengthBytes + row_bytes_) + 1, length, length_));
      }
      place_ += kLengthBytes;
    }
    const std::size_t left = row_bytes_ - (inside == 0 ? 0 : inside - kLengthBytes);
    const std::size_t now = std::min(count, left);
    std::memcpy(to, bytes_.data() + place_, now);
    place_ += now;
    return now;
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t row_bytes_;
  std::uint32_t length_;
  std::size_t place_ = 0;
};

NumberType type_of(std::string_view ending) {
  if (ending == ".fvecs") return NumberType::float32;
  return ending == ".bvecs" ? NumberType::uint8 : NumberType::int32;
}

}  // namespace

bool is_vecs_ending(std::string_view ending) {
  return ending == ".fvecs" || ending == ".bvecs" || ending == ".ivecs";
}

Matrix read_vecs(const MemorySource& source, std::string_view ending, bool* has_nan) {
  const std::span<const std::byte> bytes = source.rest();
  if (bytes.size() < kLengthBytes) fail(source.name(), "there is no vector");
  const std::uint64_t length = length_at(bytes.data());
  const NumberType type = type_of(ending);
  const std::uint64_t row_bytes = length * number_bytes(type);  // below 2^35
  if (length == 0 || bytes.size() % (kLengthBytes + row_bytes) != 0) {
    fail(source.name(),
         fmt::format("the first vector has {} numbers, and {} bytes are not a whole number of such",
                     length, bytes.size()));
  }
  const std::uint64_t rows = bytes.size() / (kLengthBytes + row_bytes);
  NumbersSource numbers(source.name(), bytes, row_bytes);
  return read_array(numbers, {.type = type, .shape = {rows, length}}, nullptr, has_nan);
}

}  // namespace mbn
