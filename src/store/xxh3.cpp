// SPDX-License-Identifier: Apache-2.0
#include "store/xxh3.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <new>

namespace mbn {

Xxh3::Xxh3() : state_(XXH3_createState(), [](XXH3_state_s* state) { XXH3_freeState(state); }) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state_.get());
}

void Xxh3::add(const void* bytes, std::size_t count) {
  XXH3_64bits_update(state_.get(), bytes, count);
}

std::string Xxh3::hex() const {
  return fmt::format("{:016x}", XXH3_64bits_digest(state_.get()));
}

}  // namespace mbn
