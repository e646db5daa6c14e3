// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <mbn/error.hpp>
#include <mbn/options.hpp>

namespace mbn::python {

template <class Enum>
Enum choice(std::string_view argument, std::string_view name) {
  if (const auto found = value_named<Enum>(name)) return *found;
  std::string all;
  for (const std::string_view known : enum_names<Enum>()) {
    all += (all.empty() ? "'" : ", '") + std::string(known) + "'";
  }
  throw InvalidArgument(
      ErrorCode::unknown_choice,
      {option(argument), " is '" + std::string(name) + "'; it must be one of " + all},
      {.option = std::string(argument), .value = std::string(name)});
}

}  // namespace mbn::python
