// SPDX-License-Identifier: Apache-2.0
#include <mbn/compress.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"

namespace mbn::python {

namespace {

nb::dict fidelity_dict(const Fidelity& fidelity) {
  nb::dict entry;
  entry["rows"] = fidelity.rows;
  entry["r2"] = fidelity.r2;
  entry["labels"] = fidelity.labels ? nb::cast(*fidelity.labels) : nb::none();
  return entry;
}

nb::dict info(const Student& student) {
  const StudentInfo& known = student.info();
  nb::dict entry;
  entry["column_names"] = known.column_names;
  entry["column_means"] = known.column_means;
  entry["coding"] = nb::cast(known.coding);
  entry["sizes"] = known.sizes;
  entry["weights"] = known.weights;
  entry["options"] = to_dict(known.options);
  entry["teacher_options"] = to_dict(known.teacher_options);
  entry["teacher_checksum"] = known.teacher_checksum;
  entry["training_rows"] = known.training_rows;
  entry["epochs"] = known.epochs;
  entry["best_epoch"] = known.best_epoch;
  entry["validation"] = fidelity_dict(known.validation);
  entry["training"] =
      known.training.rows > 0 ? nb::object(fidelity_dict(known.training)) : nb::none();
  return entry;
}

template <class AnyRows>
nb::object transform(const Student& student, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(
      Watch(run)([&](const RunOptions& options) { return student.transform(view, options); }));
}

template <class AnyRows>
nb::object predict(const Student& student, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(
      Watch(run)([&](const RunOptions& options) { return student.predict(view, options); }));
}

template <class AnyRows>
nb::dict teach(const Model& model, const AnyRows& rows, const nb::dict& options,
               const nb::dict& run) {
  const RowsView view = view_of(rows);
  const CompressOptions wanted = compress_options(options);
  CompressResult result =
      Watch(run).or_best([&](const RunOptions& how) { return compress(model, view, wanted, how); });
  nb::dict entry;
  entry["stopped"] = result.stopped;
  entry["training_loss"] = result.training_loss;
  entry["validation_loss"] = result.validation_loss;
  entry["student"] = nb::cast(std::move(result.student));
  return entry;
}

void save(const Student& student, const std::filesystem::path& path, bool overwrite) {
  const nb::gil_scoped_release released;
  student.save(path, overwrite);
}

Student load(const std::filesystem::path& path) {
  const nb::gil_scoped_release released;
  return Student::load(path);
}

nb::bytes to_bytes(const Student& student) {
  const std::vector<std::uint8_t> bytes = student.to_bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

Student from_bytes(const nb::bytes& bytes) {
  return Student::from_bytes({static_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace

void add_student(nb::module_& module) {
  using nb::arg;
  nb::class_<Student>(module, "Student", "A small network that does what a model does.")
      .def("transform", &transform<SparseRows>, arg("rows"), arg("run"))
      .def("transform", &transform<Rows>, arg("rows"), arg("run"))
      .def("predict", &predict<SparseRows>, arg("rows"), arg("run"))
      .def("predict", &predict<Rows>, arg("rows"), arg("run"))
      .def("save", &save, arg("path"), arg("overwrite"))
      .def_static("load", &load, arg("path"))
      .def("to_bytes", &to_bytes)
      .def_static("from_bytes", &from_bytes, arg("data"))
      .def_prop_ro("info", &info)
      .def_prop_ro("columns", &Student::columns)
      .def_prop_ro("outputs", &Student::outputs);
  module.def("compress", &teach<SparseRows>, arg("model"), arg("rows"), arg("options"), arg("run"));
  module.def("compress", &teach<Rows>, arg("model"), arg("rows"), arg("options"), arg("run"));
}

}  // namespace mbn::python
