// SPDX-License-Identifier: Apache-2.0
#include "page/page_arrays.hpp"

namespace mbn {

std::string page_json_text(const PageJson& json) {
  return json.dump(-1, ' ', false, PageJson::error_handler_t::replace);
}

void PageArrays::place(const std::string& name, const char* type, std::size_t length) {
  constexpr std::size_t kAlignment = 8;
  bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment);
  directory_[name] = {{"type", type}, {"offset", bytes_.size()}, {"length", length}};
}

void PageArrays::add_strings(const std::string& name, std::span<const std::string> strings) {
  PageJson list = PageJson::array();
  for (const std::string& text : strings) list.push_back(text);
  const std::string text = page_json_text(list);
  place(name, "json", text.size());
  bytes_ += text;
}

}  // namespace mbn
