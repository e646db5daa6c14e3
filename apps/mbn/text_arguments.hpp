// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "session.hpp"

namespace mbn::tool {

/// The documents of a verb and how to read them.
struct DocumentArguments {
  std::vector<std::string> paths;
  DocumentOptions options;

  void declare(CLI::App& verb);
  /// All documents, in the order of the paths. InvalidArgument when there are none.
  Documents read() const;
};

/// How texts become counts.
void declare_text_options(CLI::App& verb, TextOptions& options);

/// True when the ending names an array: .npy or .npz.
bool is_array_path(const std::string& path);

}  // namespace mbn::tool
