// SPDX-License-Identifier: Apache-2.0
#include "base/packed_texts.hpp"

#include <fmt/format.h>

#include <limits>

#include <mbn/error.hpp>

namespace mbn {

PackedTexts::PackedTexts(const std::vector<std::string>& texts, const char* what) {
  ends_.reserve(texts.size());
  for (const std::string& text : texts) push_back(text, what);
}

void PackedTexts::push_back(std::string_view text, const char* what) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max() - bytes_.size()) {
    throw InvalidArgument(
        ErrorCode::too_large,
        fmt::format("the {} of the collection have more than 4 GB together; shorten them, leave "
                    "them out, or make several indexes",
                    what));
  }
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
}

}  // namespace mbn
