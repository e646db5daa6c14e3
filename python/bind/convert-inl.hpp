// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <mbn/error.hpp>
#include <mbn/options.hpp>

namespace mbn::python {

template <class Enum>
Enum choice(std::string_view option, std::string_view name) {
  constexpr auto kNames = enum_names<Enum>();
  std::string all;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Enum>(i);
    all += (i == 0 ? "'" : ", '") + std::string(kNames[i]) + "'";
  }
  throw InvalidArgument(std::string(option) + " is '" + std::string(name) +
                        "'; it must be one of " + all);
}

}  // namespace mbn::python
