// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "batches.hpp"
#include "option_fields.hpp"
#include "session.hpp"

namespace mbn::tool {

/// What `fit`, `embed` and `cluster` have in common.
struct TrainingArguments {
  FitOptions options;
  std::string checkpoint;
  BatchArguments batch;
  const CLI::App* verb = nullptr;  ///< tells what was given

  void declare(CLI::App& app);
  /// Trains, keeping a checkpoint after every layer when asked, and fills the session's report.
  /// `all` is the number of all rows where the table holds those of the pool only.
  FitResult train(Session& session, const Table& table, std::uint64_t all = 0) const;
  /// How the other rows go through the network afterwards.
  BatchArguments batches() const;
  /// Removes the checkpoint. Call it when all outputs are safe.
  void discard_checkpoint() const;
};

}  // namespace mbn::tool
