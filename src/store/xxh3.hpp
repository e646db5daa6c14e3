// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

struct XXH3_state_s;

namespace mbn {

/// The XXH3 64-bit hash of bytes that come in pieces: the same as `xxh3_hex` of all at once.
class Xxh3 {
 public:
  Xxh3();
  void add(const void* bytes, std::size_t count);
  /// 16 lower-case hexadecimal digits.
  std::string hex() const;

 private:
  std::unique_ptr<XXH3_state_s, void (*)(XXH3_state_s*)> state_;
};

}  // namespace mbn
