// SPDX-License-Identifier: Apache-2.0
#include <mbn/text.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"

namespace mbn::python {

namespace {

Vectorizer fit(const std::vector<std::string>& texts, const nb::dict& options,
               const nb::dict& run) {
  const TextOptions how = text_options(options);
  return Watch(run)([&](const RunOptions& given) { return Vectorizer::fit(texts, how, given); });
}

nb::object transform(const Vectorizer& vectorizer, const std::vector<std::string>& texts,
                     const nb::dict& run) {
  return to_arrays(
      Watch(run)([&](const RunOptions& given) { return vectorizer.transform(texts, given); }));
}

std::vector<std::string> whole_words(const Vectorizer& vectorizer,
                                     const std::vector<std::string>& texts) {
  const nb::gil_scoped_release released;
  return vectorizer.whole_words(texts);
}

Vectorizer from_json(const std::string& json) {
  return Vectorizer::from_json(json, "the vocabulary");
}

}  // namespace

void add_text(nb::module_& module) {
  using nb::arg;
  nb::class_<Vectorizer>(module, "Vectorizer", "The words of a collection. It never changes.")
      .def_static("fit", &fit, arg("texts"), arg("options"), arg("run"))
      .def("transform", &transform, arg("texts"), arg("run"))
      .def("whole_words", &whole_words, arg("texts"))
      .def_prop_ro("options", [](const Vectorizer& v) { return to_dict(v.options()); })
      .def_prop_ro("words", &Vectorizer::words)
      .def_prop_ro("document_counts",
                   [](const Vectorizer& v) {
                     const auto& counts = v.document_counts();
                     return to_numpy(std::vector<std::int32_t>(counts.begin(), counts.end()));
                   })
      .def_prop_ro("documents", &Vectorizer::documents)
      .def("to_json", &Vectorizer::to_json)
      .def_static("from_json", &from_json, arg("json"))
      .def("save", &Vectorizer::save, arg("path"), arg("overwrite"))
      .def_static("load", &Vectorizer::load, arg("path"))
      .def("__copy__", [](nb::object self) { return self; })
      .def("__deepcopy__", [](nb::object self, const nb::handle& /*memo*/) { return self; });
}

}  // namespace mbn::python
