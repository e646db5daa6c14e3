// SPDX-License-Identifier: Apache-2.0
//
// Highway compiles each kernel for several instruction sets ("targets") and keeps in one
// process-wide variable which of them are used. The default is the best that the processor has. The
// environment variable MBN_TARGET names another one, for tests and comparisons. This is the only
// place in the library that reads the environment (docs/adr/0016-processor-targets.md).
#include "kernels/targets.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/version.hpp>

namespace mbn {

namespace {

// A lower bit is a better target.
std::vector<std::string> names_of(std::int64_t targets) {
  std::vector<std::string> names;
  for (; targets != 0; targets &= targets - 1) {
    names.emplace_back(hwy::TargetName(targets & -targets));
  }
  return names;
}

std::int64_t target_called(std::string_view name, std::int64_t among) {
  for (; among != 0; among &= among - 1) {
    if (hwy::TargetName(among & -among) == name) return among & -among;
  }
  return 0;
}

// The targets that this processor supports, read before DisableTargets hides them, and the one in
// use.
struct Targets {
  std::int64_t supported = (hwy::SupportedTargets() & HWY_TARGETS) | HWY_STATIC_TARGET;
  std::int64_t used = supported & -supported;

  Targets() {
    const char* const asked = std::getenv("MBN_TARGET");
    if (asked == nullptr || *asked == '\0') return;
    used = target_called(asked, supported);
    if (used == 0) {
      throw InvalidArgument(
          ErrorCode::unknown_choice,
          fmt::format(
              "the environment variable MBN_TARGET is '{}', {}; set it to one of {}, or to nothing",
              asked,
              target_called(asked, HWY_TARGETS) != 0 ? "which this processor cannot run"
                                                     : "which is no target of this library",
              fmt::join(names_of(supported), ", ")));
    }
    hwy::DisableTargets(~used);
    hwy::GetChosenTarget().Update(used);
  }
};

const Targets& targets() {
  static const Targets found;
  return found;
}

}  // namespace

void use_asked_target() {
  targets();
}

std::vector<std::string> compiled_targets() {
  return names_of(HWY_TARGETS);
}

std::vector<std::string> processor_targets() {
  return names_of(targets().supported);
}

std::string processor_target() {
  return hwy::TargetName(targets().used);
}

}  // namespace mbn
