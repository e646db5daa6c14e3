// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "arguments.hpp"

namespace mbn::tool {

/// What `evaluate --retrieval` takes besides embeddings and labels.
struct RetrievalArguments {
  PartArguments part;
  std::string groups;
  std::string curve;
  std::string plot;
  std::uint32_t deepest = RetrievalOptions{}.deepest;

  void declare(CLI::App& verb);
};

/// One curve per embedding, each against the same labels.
void evaluate_retrieval(Session& session, const std::vector<std::string>& embeddings,
                        const std::string& truth, const RetrievalArguments& arguments);

}  // namespace mbn::tool
