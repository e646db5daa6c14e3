// SPDX-License-Identifier: Apache-2.0
//
// The version is set in one place, CMakeLists.txt, and reaches the code as a macro.
#include <mbn/version.hpp>

namespace mbn {

std::string_view version() {
  return MBN_VERSION;
}

}  // namespace mbn
