// SPDX-License-Identifier: Apache-2.0
#include "search/index_data.hpp"

#include <fmt/format.h>

#include <limits>

#include <mbn/error.hpp>

namespace mbn {

namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw InvalidArgument(problem);
}

}  // namespace

void check_index(const IndexData& index) {
  const std::size_t rows = index.embedding.rows();
  if (rows == 0 || index.embedding.columns() == 0 ||
      rows > std::numeric_limits<std::uint32_t>::max()) {
    refuse(fmt::format("an index needs rows, but the embedding is {} x {}", rows,
                       index.embedding.columns()));
  }
  for (const auto* texts : {&index.ids, &index.titles}) {
    if (!texts->empty() && texts->size() != rows) {
      refuse(fmt::format("there are {} {} for {} rows; give one per row or none", texts->size(),
                         texts == &index.ids ? "ids" : "titles", rows));
    }
  }
  if (index.model && index.lsa) refuse("an index has a model or an lsa, not both; leave one out");
  const bool embeds = index.model || index.lsa;
  const std::uint64_t components = index.model ? index.model->projection.components
                                   : index.lsa ? index.lsa->options.components
                                               : 0;
  if (embeds && components != index.embedding.columns()) {
    refuse(
        fmt::format("the embedding has {} columns, but the model gives {}; embed the rows with "
                    "this model",
                    index.embedding.columns(), components));
  }
  if (!index.vectorizer) return;
  const std::uint64_t columns = index.model ? index.model->columns
                                : index.lsa ? index.lsa->columns()
                                            : 0;
  if (columns != index.vectorizer->words.size()) {
    refuse(
        fmt::format("the vocabulary has {} words, but the model takes {} columns; they belong "
                    "to different collections",
                    index.vectorizer->words.size(), columns));
  }
}

}  // namespace mbn
