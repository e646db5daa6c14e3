// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <mbn/text_options.hpp>

#include "rows/weights.hpp"

namespace mbn {

/// Lets a hash table of strings be searched by a string_view without a copy.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

/// The words of a collection. Plain data: `Vectorizer` gives it behaviour, `store/` a file.
struct VectorizerData {
  TextOptions options;
  std::uint64_t documents = 0;
  std::vector<std::string> words;
  std::vector<std::uint32_t> document_counts;

  /// Derived by `complete` from what is above.
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> columns;
  Weights weights;

  void complete();
};

}  // namespace mbn
