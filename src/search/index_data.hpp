// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <mbn/matrix.hpp>

#include "network/model_data.hpp"
#include "project/lsa_data.hpp"
#include "text/vectorizer_data.hpp"

namespace mbn {

/// Everything an index is. Plain data: `Index` gives it behaviour, `store/` a file. What embeds a
/// query is shared, and null when there is none.
struct IndexData {
  Matrix embedding;                 ///< rows of norm 1, or zeros
  std::vector<std::string> ids;     ///< one per row, or none at all
  std::vector<std::string> titles;  ///< one per row, or none at all
  std::shared_ptr<const VectorizerData> vectorizer;
  std::shared_ptr<const ModelData> model;
  std::shared_ptr<const LsaData> lsa;
};

/// InvalidArgument when the parts do not fit each other.
void check_index(const IndexData& index);

}  // namespace mbn
