// SPDX-License-Identifier: Apache-2.0
#include <mbn/lsa.hpp>

#include <nanobind/stl/filesystem.h>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"

namespace mbn::python {

namespace {

template <class AnyRows>
Lsa fit(const AnyRows& rows, const nb::dict& options, const nb::dict& run) {
  const RowsView view = view_of(rows);
  const LsaOptions wanted = lsa_options(options);
  return Watch(run)([&](const RunOptions& how) { return Lsa::fit(view, wanted, how); });
}

template <class AnyRows>
nb::object transform(const Lsa& lsa, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(Watch(run)([&](const RunOptions& how) { return lsa.transform(view, how); }));
}

void save(const Lsa& lsa, const std::filesystem::path& path, bool overwrite) {
  const nb::gil_scoped_release released;
  lsa.save(path, overwrite);
}

Lsa load(const std::filesystem::path& path) {
  const nb::gil_scoped_release released;
  return Lsa::load(path);
}

nb::bytes to_bytes(const Lsa& lsa) {
  const std::vector<std::uint8_t> bytes = lsa.to_bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

Lsa from_bytes(const nb::bytes& bytes) {
  return Lsa::from_bytes({static_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace

void add_lsa(nb::module_& module) {
  using nb::arg;
  nb::class_<Lsa>(module, "Lsa", "Latent semantic analysis of some rows. It never changes.")
      .def_static("fit", &fit<SparseRows>, arg("rows"), arg("options"), arg("run"))
      .def_static("fit", &fit<Rows>, arg("rows"), arg("options"), arg("run"))
      .def("transform", &transform<SparseRows>, arg("rows"), arg("run"))
      .def("transform", &transform<Rows>, arg("rows"), arg("run"))
      .def("save", &save, arg("path"), arg("overwrite"))
      .def_static("load", &load, arg("path"))
      .def("to_bytes", &to_bytes)
      .def_static("from_bytes", &from_bytes, arg("data"))
      .def_prop_ro("options", [](const Lsa& lsa) { return to_dict(lsa.options()); })
      .def_prop_ro("training_rows", &Lsa::training_rows)
      .def_prop_ro("columns", &Lsa::columns)
      .def_prop_ro("components", &Lsa::components)
      .def_prop_ro("singular_values",
                   [](const Lsa& lsa) { return to_numpy(lsa.singular_values()); })
      .def_prop_ro("loadings",
                   [](const Lsa& lsa) { return to_numpy(Matrix::copy_of(lsa.loadings())); })
      .def("__copy__", [](nb::object self) { return self; })
      .def("__deepcopy__", [](nb::object self, const nb::handle& /*memo*/) { return self; });
}

}  // namespace mbn::python
