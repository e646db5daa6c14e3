// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <mbn/hit.hpp>
#include <mbn/matrix.hpp>

#include "base/packed_texts.hpp"
#include "network/model_data.hpp"
#include "project/lsa_data.hpp"
#include "search/lexicon.hpp"
#include "text/vectorizer_data.hpp"

namespace mbn {

/// Everything an index is. Plain data: `Index` gives it behaviour, `store/` a file. What embeds a
/// query is shared, and null when there is none.
struct IndexData {
  Method method = Method::mbn;  ///< what answers unless told otherwise
  Matrix embedding;             ///< rows of norm 1, or zeros: by the network, or else by the lsa
  Matrix lsa_embedding;         ///< by the lsa, where there is a network too
  PackedTexts ids;              ///< one per row, or none at all
  PackedTexts titles;           ///< one per row, or none at all
  PackedTexts texts;            ///< one per row, or none at all
  std::vector<std::uint32_t> clusters;  ///< one per row, or none at all
  std::shared_ptr<const Lexicon> lexicon;
  std::shared_ptr<const VectorizerData> vectorizer;
  std::shared_ptr<const ModelData> model;
  std::shared_ptr<const LsaData> lsa;

  std::size_t rows() const { return lexicon ? lexicon->size() : embedding.rows(); }
  /// The embedding by the lsa; its rows() are 0 without one.
  const Matrix& by_lsa() const { return model ? lsa_embedding : embedding; }
  bool has(Method wanted) const;
};

/// InvalidArgument when the parts do not fit each other.
void check_index(const IndexData& index);

}  // namespace mbn
