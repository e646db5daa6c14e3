// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mbn/file_kind.hpp>
#include <mbn/generate.hpp>
#include <mbn/input.hpp>
#include <mbn/text.hpp>

#include "convert.hpp"
#include "parts.hpp"

namespace mbn::python {

namespace {

nb::dict to_dict(Table table) {
  nb::dict entry;
  // A mapped file is read-only memory; Python gets its own copy.
  entry["rows"] = to_numpy(Matrix::copy_of(table.data().dense()));
  entry["sparse"] = table.rows.is_sparse() ? to_arrays(std::move(table.rows.sparse())) : nb::none();
  entry["columns"] = table.columns;
  entry["ids"] = table.ids;
  entry["labels"] = table.labels ? to_numpy(std::move(table.labels->values)) : nb::none();
  entry["label_names"] = table.labels ? nb::cast(table.labels->names) : nb::none();
  return entry;
}

nb::dict make_toy(const std::string& kind, std::uint64_t rows, std::uint32_t columns,
                  std::uint32_t clusters, std::uint64_t seed) {
  return to_dict(generate({choice<ToyKind>("kind", kind), rows, columns, clusters, seed}));
}

nb::dict read(const std::filesystem::path& path, const std::string& label_column,
              const std::string& id_column, const std::string& array) {
  Table table;
  {
    const nb::gil_scoped_release released;
    table =
        read_table(path, {.label_column = label_column, .id_column = id_column, .array = array});
  }
  return to_dict(std::move(table));
}

nb::list all_decoded(const std::vector<std::string>& texts) {
  nb::list list;
  for (const std::string& text : texts) list.append(decoded(text));
  return list;
}

nb::dict documents_of(const std::filesystem::path& path, const std::string& format,
                      const std::string& text_column, const std::string& id_column) {
  const DocumentOptions options{choice<DocumentFormat>("format", format), text_column, id_column};
  Documents documents;
  {
    const nb::gil_scoped_release released;
    documents = read_documents(path, options);
  }
  nb::dict entry;
  entry["texts"] = all_decoded(documents.texts);
  entry["ids"] = all_decoded(documents.ids);
  return entry;
}

std::string kind_of(const std::filesystem::path& path) {
  return std::string(name_of(file_kind(path)));
}

}  // namespace

void add_data(nb::module_& module) {
  using nb::arg;
  module.def("generate", &make_toy, arg("kind"), arg("rows"), arg("columns"), arg("clusters"),
             arg("seed"));
  module.def("read_documents", &documents_of, arg("path"), arg("format"), arg("text_column"),
             arg("id_column"));
  module.def("file_kind", &kind_of, arg("path"));
  module.def("read", &read, arg("path"), arg("label_column"), arg("id_column"), arg("array"));
}

}  // namespace mbn::python
