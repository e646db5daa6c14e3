// SPDX-License-Identifier: Apache-2.0
#include "input/matlab_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <mbn/error.hpp>

#include "input/printable.hpp"

namespace mbn {

std::string chosen_matlab_array(const std::vector<std::string>& names, const std::string& wanted) {
  const auto has = [&](const std::string& name) { return std::ranges::count(names, name) > 0; };
  if (!wanted.empty() && has(wanted)) return wanted;
  if (wanted.empty()) {
    for (const char* usual : {"X", "data", "fea"}) {
      if (has(usual)) return usual;
    }
    if (names.size() == 1) return names.front();
  }
  constexpr std::size_t kMostNames = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    list += fmt::format("{}{}", i > 0 ? ", " : "", printable(names[i]));
  }
  if (names.empty()) list = "none";
  const std::string problem =
      wanted.empty()
          ? std::string("there is not one matrix of numbers, and none is called X, data or fea")
          : fmt::format("there is no matrix '{}' of numbers", printable(wanted));
  throw InvalidArgument(ErrorCode::not_found,
                        fmt::format("{}; the matrices are: {}", problem, list),
                        {.option = "array", .value = wanted});
}

}  // namespace mbn
