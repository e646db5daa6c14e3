// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <mbn/describe.hpp>
#include <mbn/page.hpp>
#include <mbn/report.hpp>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"

namespace mbn::python {

namespace {

using Strings = std::vector<std::string>;

template <class Value>
Value entry(const nb::dict& values, const char* name) {
  return nb::cast<Value>(values[name]);
}

PageContent content_of(const nb::dict& values) {
  PageContent content;
  content.title = entry<std::string>(values, "title");
  content.columns = entry<Strings>(values, "columns");
  content.ids = entry<Strings>(values, "ids");
  content.texts = entry<Strings>(values, "texts");
  content.labels = entry<std::vector<std::int32_t>>(values, "labels");
  content.label_names = entry<Strings>(values, "label_names");
  const auto shape = entry<std::vector<std::uint32_t>>(values, "pictures");
  if (shape.size() == 3) content.pictures = {shape[0], shape[1], shape[2]};
  content.provenance =
      entry<std::vector<std::pair<std::string, std::string>>>(values, "provenance");
  content.warnings = entry<Strings>(values, "warnings");
  return content;
}

template <class AnyRows>
nb::str page_of(const Model& model, const AnyRows& rows, const nb::dict& content,
                std::uint32_t sample, std::uint64_t thumbnails, const nb::dict& run) {
  const RowsView view = view_of(rows);
  const PageContent known = content_of(content);
  const PageOptions options{.sample = sample, .thumbnails = thumbnails, .column_bytes = 0};
  const std::string page = Watch(run)([&](const RunOptions& run_options) {
    return report_page(model, view, known, options, run_options);
  });
  return nb::str(page.data(), page.size());
}

template <class AnyRows>
nb::list described(const Model& model, const AnyRows& rows, const Strings& columns,
                   std::uint32_t marks, std::uint32_t exemplars, bool means, const nb::dict& run) {
  const RowsView view = view_of(rows);
  const auto clusters = Watch(run)([&](const RunOptions& options) {
    return describe_clusters(model, view, columns,
                             {.marks = marks, .exemplars = exemplars, .means = means}, options);
  });
  nb::list list;
  for (const ClusterDescription& cluster : clusters) {
    nb::list found;
    for (const Mark& mark : cluster.marks) {
      found.append(nb::make_tuple(mark.column, mark.effect, mark.inside, mark.outside));
    }
    list.append(nb::make_tuple(cluster.rows, cluster.confidence, cluster.sentence, found,
                               cluster.exemplars, cluster.mean));
  }
  return list;
}

}  // namespace

void add_report(nb::module_& module) {
  module.def("plot_palette", &plot_palette, "The colours of labels 0, 1, ... as '#rrggbb'.");
  module.def("plot_scale", &plot_scale,
             "The colours of continuous values as '#rrggbb', from the lowest to the highest.");
  module.def(
      "write_text",
      [](const std::string& path, std::string_view text, bool overwrite) {
        write_text(path, text, {.overwrite = overwrite, .columns = {}, .ids = {}});
      },
      nb::arg("path"), nb::arg("text"), nb::arg("overwrite"));
  module.def("has_report_page", &has_report_page, "Whether this build has the report's page.");
  using nb::arg;
  module.def("describe_clusters", &described<SparseRows>, arg("model"), arg("rows"), arg("columns"),
             arg("marks"), arg("exemplars"), arg("means"), arg("run"));
  module.def("describe_clusters", &described<Rows>, arg("model"), arg("rows"), arg("columns"),
             arg("marks"), arg("exemplars"), arg("means"), arg("run"));
  module.def("report_page", &page_of<SparseRows>, arg("model"), arg("rows"), arg("content"),
             arg("sample"), arg("thumbnails"), arg("run"));
  module.def("report_page", &page_of<Rows>, arg("model"), arg("rows"), arg("content"),
             arg("sample"), arg("thumbnails"), arg("run"));
}

}  // namespace mbn::python
