// SPDX-License-Identifier: Apache-2.0
//
// On Linux /proc/meminfo has the memory that is available without swapping, and the cgroup files
// have the limit of a container; the smaller of the two is the answer. Elsewhere the answer is 0,
// which means unknown, and nothing is limited.
#include "base/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>

namespace mbn {

namespace {

std::uint64_t read_number(const char* path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : 0;
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t available = 0;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string word; meminfo >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == "MemAvailable:" && meminfo >> kilobytes) available = kilobytes * 1024;
  }
  const std::uint64_t limit = read_number("/sys/fs/cgroup/memory.max");
  const std::uint64_t used = read_number("/sys/fs/cgroup/memory.current");
  if (limit != 0 && available != 0)
    available = std::min(available, limit > used ? limit - used : 1);
  return available;
}

std::uint64_t usable_memory(std::optional<std::uint64_t> limit) {
  if (limit) return *limit;
  const std::uint64_t free_bytes = available_memory();
  return free_bytes != 0 ? free_bytes : ~std::uint64_t{0};
}

std::string readable_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"bytes", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.3g} {}", value, kUnits[unit]);
}

}  // namespace mbn
