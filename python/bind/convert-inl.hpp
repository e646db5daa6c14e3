// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <mbn/error.hpp>
#include <mbn/options.hpp>

namespace mbn::python {

template <class Enum>
Enum choice(std::string_view option, std::string_view name) {
  if (const auto found = value_named<Enum>(name)) return *found;
  std::string all;
  for (const std::string_view known : enum_names<Enum>()) {
    all += (all.empty() ? "'" : ", '") + std::string(known) + "'";
  }
  throw InvalidArgument(std::string(option) + " is '" + std::string(name) +
                        "'; it must be one of " + all);
}

}  // namespace mbn::python
