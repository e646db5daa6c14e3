// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace mbn {

/// Memory for arrays that are read at random places. It starts on a cache line. Large arrays ask
/// the system for huge pages, because with pages of 4 kB most such reads miss the TLB. Where huge
/// pages are not available, it is ordinary memory.
template <class T>
struct LargeArrayAllocator {
  using value_type = T;

  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kLargePage = std::size_t{1} << 21;

  LargeArrayAllocator() = default;
  template <class Other>
  LargeArrayAllocator(const LargeArrayAllocator<Other>&) {}

  static constexpr std::align_val_t alignment(std::size_t count) {
    return std::align_val_t{count * sizeof(T) >= 2 * kLargePage ? kLargePage : kLine};
  }

  T* allocate(std::size_t count) {
    void* memory = ::operator new(count * sizeof(T), alignment(count));
#ifdef MADV_HUGEPAGE
    // Whole pages only. This is advice: results do not depend on it.
    const std::size_t bytes = count * sizeof(T) / kLargePage * kLargePage;
    if (alignment(count) == std::align_val_t{kLargePage}) ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) noexcept {
    ::operator delete(memory, alignment(count));
  }

  friend bool operator==(const LargeArrayAllocator&, const LargeArrayAllocator&) {
    return true;
  }
};

template <class T>
using LargeArray = std::vector<T, LargeArrayAllocator<T>>;

}  // namespace mbn
