// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include <mbn/file_kind.hpp>
#include <mbn/generate.hpp>
#include <mbn/input.hpp>
#include <mbn/text.hpp>

#include "arrow.hpp"
#include "convert.hpp"
#include "parts.hpp"
#include "words.hpp"

namespace mbn::python {

namespace {

/// One text for each row, or a tuple of them when there are several id columns.
nb::list ids_of(const Table& table) {
  const std::size_t width = std::max<std::size_t>(1, table.id_names.size());
  nb::list ids;
  for (std::size_t i = 0; i + width <= table.ids.size(); i += width) {
    if (width == 1) {
      ids.append(decoded(table.ids[i]));
      continue;
    }
    nb::list several;
    for (std::size_t j = 0; j < width; ++j) several.append(decoded(table.ids[i + j]));
    ids.append(nb::tuple(several));
  }
  return ids;
}

nb::dict to_dict(Table table) {
  nb::dict entry;
  // A mapped file is read-only memory; Python gets its own copy.
  entry["rows"] = to_numpy(Matrix::copy_of(table.data().dense()));
  entry["sparse"] = table.rows.is_sparse() ? to_arrays(std::move(table.rows.sparse())) : nb::none();
  entry["columns"] = table.columns;
  entry["ids"] = ids_of(table);
  nb::list notes;
  for (const Note& note : table.notes) notes.append(in_python_words(note.message));
  entry["notes"] = notes;
  entry["means"] = nb::cast(table.means);
  entry["gene_counts"] = table.gene_counts;
  entry["kept"] = nb::cast(table.kept);
  entry["coding"] = nb::cast(table.coding);
  entry["labels"] = table.labels ? to_numpy(std::move(table.labels->values)) : nb::none();
  entry["label_names"] = table.labels ? nb::cast(table.labels->names) : nb::none();
  return entry;
}

nb::dict make_toy(const std::string& kind, std::uint64_t rows, std::uint32_t columns,
                  std::uint32_t clusters, std::uint64_t seed) {
  return to_dict(generate({choice<ToyKind>("kind", kind), rows, columns, clusters, seed}));
}

using Words = std::vector<std::string>;

/// How columns become numbers: a coding, an empty one when all are numbers, or None.
using Coding = std::optional<TableCoding>;

nb::dict read(const std::filesystem::path& path, const std::string& label_column,
              const Words& id_column, const Words& columns, const Words& drop,
              const std::string& decimal, const Words& types, const Coding& coding,
              const std::string& missing, const std::vector<double>& means, bool transpose,
              const std::string& array, std::uint32_t size, bool colour) {
  const auto numbers = choice<Decimal>("decimal", decimal);
  const auto holes = choice<Missing>("missing", missing);
  const bool given = holes == Missing::mean && !means.empty();
  Table table;
  {
    const nb::gil_scoped_release released;
    table = read_table(path, {.label_column = label_column,
                              .id_column = id_column,
                              .columns = columns,
                              .drop = drop,
                              .decimal = numbers,
                              .missing = given ? Missing::keep : holes,
                              .types = types,
                              .coding = coding,
                              .transpose = transpose,
                              .array = array,
                              .size = size,
                              .colour = colour});
    if (given) {
      table = fill_missing(std::move(table), means, path);
      table.means = means;
    }
  }
  return to_dict(std::move(table));
}

/// A column as (name, numbers or texts, kind or None).
FrameColumn frame_column(const nb::tuple& given) {
  FrameColumn column;
  column.name = nb::cast<std::string>(given[0]);
  if (nb::isinstance<nb::list>(given[1])) {
    column.texts = nb::cast<std::vector<std::string>>(given[1]);
  } else {
    using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    const auto numbers = nb::cast<Numbers>(given[1]);
    column.numbers.assign(numbers.data(), numbers.data() + numbers.size());
  }
  if (!given[2].is_none()) {
    column.kind = choice<ColumnKind>("kind", nb::cast<std::string>(given[2]));
  }
  return column;
}

/// A table in memory: a list of such columns, or a capsule of an Arrow stream.
nb::dict code(const nb::object& frame, const Words& columns, const Words& drop, const Words& types,
              const Coding& coding, const std::string& missing, const std::vector<double>& means,
              const std::string& name) {
  std::vector<FrameColumn> cells;
  if (nb::isinstance<nb::list>(frame)) {
    for (const nb::handle& column : nb::cast<nb::list>(frame)) {
      cells.push_back(frame_column(nb::cast<nb::tuple>(column)));
    }
  } else {
    cells = arrow_columns(nb::cast<nb::capsule>(frame));
  }
  const auto holes = choice<Missing>("missing", missing);
  const bool given = holes == Missing::mean && !means.empty();
  Table table;
  {
    const nb::gil_scoped_release released;
    table = code_frame(std::move(cells),
                       {.columns = columns,
                        .drop = drop,
                        .missing = given ? Missing::keep : holes,
                        .types = types,
                        .coding = coding},
                       name);
    if (given) {
      table = fill_missing(std::move(table), means, name);
      table.means = means;
    }
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
  module.def("read", &read, arg("path"), arg("label_column"), arg("id_column"), arg("columns"),
             arg("drop"), arg("decimal"), arg("types"), arg("coding").none(), arg("missing"),
             arg("means"), arg("transpose"), arg("array"), arg("size"), arg("colour"));
  module.def("code", &code, arg("frame"), arg("columns"), arg("drop"), arg("types"),
             arg("coding").none(), arg("missing"), arg("means"), arg("name"));
  nb::class_<ColumnCoding>(module, "ColumnCoding")
      .def_ro("name", &ColumnCoding::name)
      .def_ro("levels", &ColumnCoding::levels)
      .def_prop_ro("columns", &ColumnCoding::width)
      .def_prop_ro("kind",
                   [](const ColumnCoding& column) { return std::string(name_of(column.kind)); })
      .def("__repr__", [](const ColumnCoding& column) {
        return "<" + column.name + ": " + std::string(name_of(column.kind)) + ">";
      });
}

}  // namespace mbn::python
