// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <mbn/sparse.hpp>

#include "base/job.hpp"
#include "text/vectorizer_data.hpp"

namespace mbn {

/// Vectorizer::fit.
VectorizerData fit_vectorizer(std::span<const std::string> documents, const TextOptions& options,
                              Job& job);

/// Vectorizer::transform.
SparseMatrix vectorize(const VectorizerData& vectorizer, std::span<const std::string> documents,
                       Job& job);

/// Vectorizer::whole_words.
std::vector<std::string> whole_words(const VectorizerData& vectorizer,
                                     std::span<const std::string> documents);

}  // namespace mbn
