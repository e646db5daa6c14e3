// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "option_fields.hpp"
#include "session.hpp"

namespace mbn::tool {

/// What `fit`, `embed` and `cluster` have in common.
struct TrainingArguments {
  FitOptions options;
  std::string checkpoint;
  const CLI::App* verb = nullptr;  ///< tells what was given

  void declare(CLI::App& app);
  /// Trains, keeping a checkpoint after every layer when asked, and fills the session's report.
  FitResult train(Session& session, const Table& table) const;
  /// Removes the checkpoint. Call it when all outputs are safe.
  void discard_checkpoint() const;
};

}  // namespace mbn::tool
