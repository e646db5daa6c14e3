// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "session.hpp"

namespace mbn::tool {

/// What `evaluate --known-items` takes besides an index.
struct KnownItemArguments {
  std::string questions;
  DocumentOptions options;
  std::optional<Method> method;

  void declare(CLI::App& verb);
};

/// Asks every question, at most `sample` of them (0: all), in every way that the index has.
void evaluate_known_items(Session& session, const std::string& index,
                          const KnownItemArguments& arguments, std::uint32_t sample);

}  // namespace mbn::tool
