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

  void declare(CLI::App& verb);
  /// The options for a table: those given, and those that its kind of data asks for.
  FitOptions options_for(Session& session, const Table& table) const;
  /// Trains, keeping a checkpoint after every layer when asked, and fills the session's report.
  FitResult train(Session& session, const Table& table) const;
  /// Removes the checkpoint. Call it when all outputs are safe.
  void discard_checkpoint() const;

 private:
  const CLI::App* verb_ = nullptr;
};

/// `options` with the weighting that raw counts of genes need, unless one was given to the verb; a
/// note says so.
FitOptions suited_to(Session& session, const Table& table, FitOptions options,
                     const CLI::App& verb);

}  // namespace mbn::tool
