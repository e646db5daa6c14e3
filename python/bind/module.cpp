// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>

#include <mbn/options.hpp>
#include <mbn/version.hpp>

#include "convert.hpp"
#include "parts.hpp"

namespace mbn::python {

void add_options(nb::module_& module) {
  module.def("fit_options", &describe_fit_options, "Every option that decides the answer.");
  module.def("paper_options", &paper_options, "The options of the paper's setting.");
  module.def("compress_options", &describe_compress_options,
             "Every option that decides a student.");
  module.def("run_options", &describe_run_options, "Every option that must not change it.");
  module.def("text_options", &describe_text_options, "Every option that decides what counts say.");
  module.def("lsa_options", &describe_lsa_options,
             "Every option that decides a latent semantic analysis.");
}

}  // namespace mbn::python

NB_MODULE(_core, module) {
  // What a program still holds when it ends is its own business, and the library is silent.
  nanobind::set_leak_warnings(false);
  module.doc() = "The library mbn; the package around it is what people use.";
  module.attr("__version__") = std::string(mbn::version());
  mbn::python::translate_errors();
  // A wrong MBN_TARGET is said at once: the import fails.
  mbn::processor_target();
  module.def(
      "processor_target", &mbn::processor_target,
      "The instruction set in use, by Highway's name, such as 'AVX2'. It is the best that the\n"
      "processor has, unless the environment variable MBN_TARGET named another.");
  mbn::python::add_options(module);
  mbn::python::add_model(module);
  mbn::python::add_fit(module);
  mbn::python::add_student(module);
  mbn::python::add_cluster(module);
  mbn::python::add_evaluate(module);
  mbn::python::add_data(module);
  mbn::python::add_text(module);
  mbn::python::add_lsa(module);
  mbn::python::add_search(module);
  mbn::python::add_report(module);
}
