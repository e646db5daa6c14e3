// SPDX-License-Identifier: Apache-2.0
//
// Every different text gets a number when it is first seen. Only at the end is it known whether all
// texts are integers (then they are the labels) or not (then the texts are sorted, by their bytes,
// and the place in that order is the label), so the first numbers are renamed once, per text.
#include "input/label_collector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include <mbn/error.hpp>

#include "input/parse_number.hpp"

namespace mbn {

void LabelCollector::add(std::string_view text) {
  codes_.push_back(code_of(text));
}

void LabelCollector::add_first(std::string_view text) {
  codes_.insert(codes_.begin(), code_of(text));
}

std::int32_t LabelCollector::code_of(std::string_view text) {
  if (texts_.size() == std::numeric_limits<std::int32_t>::max()) {
    throw FormatError(ErrorCode::too_large,
                      "there are more than 2147483647 different labels; is this the right column?");
  }
  const auto [place, is_new] =
      numbers_.try_emplace(std::string(text), static_cast<std::int32_t>(texts_.size()));
  if (is_new) texts_.emplace_back(text);
  return place->second;
}

bool LabelCollector::all_integers() const {
  return std::all_of(texts_.begin(), texts_.end(),
                     [](const std::string& text) { return parse_label(text).has_value(); });
}

Labels LabelCollector::finish() const {
  Labels labels;
  std::vector<std::int32_t> value_of(texts_.size());
  if (all_integers()) {
    std::transform(texts_.begin(), texts_.end(), value_of.begin(),
                   [](const std::string& text) { return *parse_label(text); });
  } else {
    std::vector<std::int32_t> order(texts_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::int32_t a, std::int32_t b) { return texts_[a] < texts_[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      value_of[order[i]] = static_cast<std::int32_t>(i);
      labels.names.push_back(texts_[order[i]]);
    }
  }
  labels.values.reserve(codes_.size());
  for (const std::int32_t code : codes_) labels.values.push_back(value_of[code]);
  return labels;
}

}  // namespace mbn
