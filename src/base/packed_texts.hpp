// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mbn {

/// Texts one after the other, and where each ends: as they stand in a file, without a piece of
/// memory for each. At most 4 GB.
class PackedTexts {
 public:
  PackedTexts() = default;
  /// InvalidArgument that names `what` when they have more than 4 GB together.
  PackedTexts(const std::vector<std::string>& texts, const char* what);
  /// As read from a file; the caller has checked that `ends` ascend to the size of `bytes`.
  PackedTexts(std::vector<char> bytes, std::vector<std::uint32_t> ends)
      : bytes_(std::move(bytes)), ends_(std::move(ends)) {}

  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {bytes_.data() + begin, ends_[i] - begin};
  }
  void push_back(std::string_view text, const char* what);

  const std::vector<char>& bytes() const { return bytes_; }
  const std::vector<std::uint32_t>& ends() const { return ends_; }

  bool operator==(const PackedTexts&) const = default;

 private:
  std::vector<char> bytes_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace mbn
