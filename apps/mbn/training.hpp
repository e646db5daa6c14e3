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

  /// `clusters` is what --clusters is when it is not given.
  void declare(CLI::App& verb, Clusters clusters = Clusters::unknown);
  /// Trains, keeping a checkpoint after every layer when asked, and fills the session's report.
  FitResult train(Session& session, RowsView rows) const;
  /// Removes the checkpoint. Call it when all outputs are safe.
  void discard_checkpoint() const;
};

}  // namespace mbn::tool
