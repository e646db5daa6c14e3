// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace mbn {

/// A word as a shell takes it: in quotes where it needs some.
std::string shell_word(std::string_view word);

/// A command that runs a Python program, which finds the file as `sys.argv[1]`. The program must
/// hold no double quotes, dollars or backslashes.
std::string python_line(std::string_view program, std::string_view file);

}  // namespace mbn
