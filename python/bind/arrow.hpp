// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <nanobind/nanobind.h>

#include <mbn/input.hpp>

namespace mbn::python {

/// The columns of what `__arrow_c_stream__` returned: a capsule of Arrow's C stream interface,
/// whose batches hold one array for each column. Nothing of Arrow is linked. TypeError for a column
/// of a type that is neither a number, a boolean, a text, a date nor a dictionary of texts.
std::vector<FrameColumn> arrow_columns(const nanobind::capsule& stream);

}  // namespace mbn::python
