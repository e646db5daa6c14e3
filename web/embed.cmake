# SPDX-License-Identifier: Apache-2.0
#
# Writes the page as C++:  cmake -DPAGE=page.html -DOUTPUT=page_template.cpp -P embed.cmake
# Bytes as numbers, because a string literal of this length is not portable. Without PAGE there is no page.
set(body "std::string_view page_template() { return {}; }\n")
if(PAGE)
  file(READ "${PAGE}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n" bytes "${bytes}")
  set(body "namespace {\nconstexpr unsigned char kPage[] = {\n${bytes}};\n}  // namespace\n
std::string_view page_template() {
  return {reinterpret_cast<const char*>(kPage), sizeof kPage};
}
")
endif()
file(WRITE "${OUTPUT}" "// Made by web/embed.cmake.
#include \"report/page_template.hpp\"

namespace mbn {

${body}
}  // namespace mbn
")
