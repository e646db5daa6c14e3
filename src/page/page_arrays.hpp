// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace mbn {

using PageJson = nlohmann::ordered_json;

/// The arrays of a page, one after the other, and where each lies: web/README.md.
class PageArrays {
 public:
  template <class Number>
  void add(const std::string& name, std::span<const Number> numbers) {
    static_assert(std::endian::native == std::endian::little);
    place(name, type_name(Number{}), numbers.size());
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  }
  template <class Number>
  void add(const std::string& name, const std::vector<Number>& numbers) {
    add(name, std::span<const Number>(numbers));
  }
  /// Text that need not be UTF-8: what is not is replaced.
  void add_strings(const std::string& name, std::span<const std::string> strings);

  const PageJson& directory() const { return directory_; }
  const std::string& bytes() const { return bytes_; }

 private:
  static const char* type_name(std::uint8_t) { return "u8"; }
  static const char* type_name(std::uint16_t) { return "u16"; }
  static const char* type_name(std::uint32_t) { return "u32"; }
  static const char* type_name(float) { return "f32"; }
  void place(const std::string& name, const char* type, std::size_t length);

  PageJson directory_ = PageJson::object();
  std::string bytes_;
};

/// JSON as text; bytes that are not UTF-8 become replacement characters.
std::string page_json_text(const PageJson& json);

}  // namespace mbn
