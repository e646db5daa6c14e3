// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <mbn/marks.hpp>
#include <mbn/rows.hpp>

#include "page/page_arrays.hpp"

namespace mbn {

/// Adds the columns of the data to the page, in their own order, with an entry in `values` for
/// each: those that tell clusters apart best, then the first ones, until `bytes` of the page are
/// taken. Returns how many there are.
std::size_t add_columns(RowsView rows, std::span<const std::string> names,
                        const std::vector<ClusterMarks>& clusters, std::uint64_t bytes,
                        PageJson& values, PageArrays& arrays);

/// An entry of the header's `values`.
PageJson value_entry(const std::string& name, const char* kind, const std::string& array,
                     double step = 1);

}  // namespace mbn
