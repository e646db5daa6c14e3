// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

/// What the module is made of: each part adds its functions and classes.
namespace mbn::python {

namespace nb = nanobind;

void translate_errors();
void add_options(nb::module_& module);
void add_model(nb::module_& module);
void add_fit(nb::module_& module);
void add_student(nb::module_& module);
void add_cluster(nb::module_& module);
void add_evaluate(nb::module_& module);
void add_data(nb::module_& module);
void add_text(nb::module_& module);
void add_lsa(nb::module_& module);
void add_search(nb::module_& module);
void add_report(nb::module_& module);

}  // namespace mbn::python
