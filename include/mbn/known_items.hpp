// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <mbn/index.hpp>

namespace mbn {

/// How well an index finds the one document that each question is about.
struct KnownItemScores {
  std::uint64_t questions = 0;
  std::uint64_t unanswered = 0;     ///< questions without a known word; they score 0
  double mean_reciprocal_rank = 0;  ///< of the document; 0 beyond rank 1,000
  double recall_at_1 = 0;           ///< share of questions whose document is the first answer
  double recall_at_10 = 0;          ///< or among the first ten
};

/// A test without judges: each question (a title, a short description) is asked, and the document
/// whose id it has (its body) is the right answer. The documents must not hold the questions.
/// InvalidArgument when an id is not in the index, or there are no questions.
KnownItemScores score_known_items(const Index& index, const Documents& questions,
                                  std::optional<Method> method = std::nullopt,
                                  const RunOptions& run = {});

}  // namespace mbn
