// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "page/page_arrays.hpp"

namespace mbn {

/// The finished page: the template with its title, and header and arrays packed into it.
/// FormatError when the template does not have both marks.
std::string page_file(std::string_view page_template, const PageJson& header,
                      const PageArrays& arrays);

/// About how many bytes of the finished page so many bytes of an array take.
std::size_t packed_size(std::string_view bytes);

}  // namespace mbn
