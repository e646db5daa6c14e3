// SPDX-License-Identifier: Apache-2.0
#include <mbn/index.hpp>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <mbn/evaluate.hpp>
#include <mbn/known_items.hpp>
#include <mbn/neighbours.hpp>

#include "convert.hpp"
#include "parts.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace mbn::python {

namespace {

using Lists = std::vector<std::vector<Hit>>;

nb::object id_of(const Index& index, std::size_t row) {
  if (row >= index.rows()) throw nb::index_error("the index has fewer rows");
  return decoded(index.id(row));
}

nb::object title_of(const Index& index, std::size_t row) {
  if (row >= index.rows()) throw nb::index_error("the index has fewer rows");
  return decoded(index.title(row));
}

nb::list to_list(const Lists& lists) {
  nb::list all;
  for (const std::vector<Hit>& hits : lists) {
    nb::list list;
    for (const Hit& hit : hits) list.append(nb::make_tuple(hit.row, hit.score));
    all.append(list);
  }
  return all;
}

/// (index, notes)
nb::tuple build(const std::vector<std::string>& texts, const std::vector<std::string>& ids,
                const std::vector<std::string>& titles, const std::string& method,
                const nb::dict& text, const nb::dict& fit, bool keep_texts, const nb::dict& run) {
  IndexOptions options;
  options.method = choice<Method>("method", method);
  options.text = text_options(text);
  options.fit = fit_options(fit);
  options.texts = keep_texts;
  const Documents documents{texts, ids, titles};
  std::vector<Note> notes;
  Index index = Watch(run)([&](RunOptions how) {
    how.note = [&notes](const Note& note) { notes.push_back(note); };
    return Index::build(documents, options, how);
  });
  nb::list told;
  for (const Note& note : notes) told.append(in_python_words(note.message));
  return nb::make_tuple(std::move(index), told);
}

Index make(const Rows& embedding, const std::vector<std::string>& ids) {
  IndexParts parts;
  parts.embedding = Matrix::copy_of(view_of(embedding));
  parts.ids = ids;
  return Index::make(std::move(parts));
}

template <class AnyRows>
nb::object embed(const Index& index, const AnyRows& rows, const nb::dict& run) {
  const RowsView view = view_of(rows);
  return to_numpy(Watch(run)([&](const RunOptions& how) { return index.embed(view, how); }));
}

nb::list search(const Index& index, const Rows& embedded, std::uint32_t top, const nb::dict& run) {
  const MatrixView view = view_of(embedded);
  return to_list(Watch(run)([&](const RunOptions& how) { return index.search(view, top, how); }));
}

std::optional<Method> method_or_none(const nb::object& method) {
  if (method.is_none()) return std::nullopt;
  return choice<Method>("method", nb::cast<std::string>(method));
}

nb::list search_text(const Index& index, const std::vector<std::string>& texts, std::uint32_t top,
                     const nb::object& method, const nb::dict& run) {
  const std::optional<Method> wanted = method_or_none(method);
  return to_list(Watch(run)(
      [&](const RunOptions& how) { return index.search_text(texts, top, how, wanted); }));
}

/// The documents most like a row, as a list of one list.
nb::list like(const Index& index, std::uint32_t row, std::uint32_t top, const nb::object& method,
              const nb::dict& run) {
  const std::optional<Method> wanted = method_or_none(method);
  Lists lists(1);
  lists[0] = Watch(run)([&](const RunOptions& how) { return index.like(row, top, how, wanted); });
  return to_list(lists);
}

/// (passage, marks, words): bytes of the passage are marked, so it stays bytes.
nb::tuple passage(const Index& index, std::size_t row, const std::string& question) {
  const Passage found = index.passage(row, question);
  nb::list marks;
  for (const Passage::Mark& mark : found.marks) marks.append(nb::make_tuple(mark.begin, mark.end));
  nb::list words;
  for (const std::string& word : found.words) words.append(decoded(word));
  return nb::make_tuple(nb::bytes(found.text.data(), found.text.size()), marks, words);
}

Index added(const Index& index, const std::vector<std::string>& texts,
            const std::vector<std::string>& ids, const std::vector<std::string>& titles,
            const nb::dict& run) {
  const Documents documents{texts, ids, titles};
  return Watch(run)([&](const RunOptions& how) { return index.added(documents, how); });
}

Index removed(const Index& index, const std::vector<std::string>& ids) {
  const nb::gil_scoped_release released;
  return index.removed(ids);
}

nb::dict known_items(const Index& index, const std::vector<std::string>& questions,
                     const std::vector<std::string>& ids, const nb::object& method,
                     const nb::dict& run) {
  const Documents asked{questions, ids};
  const std::optional<Method> wanted = method_or_none(method);
  const KnownItemScores scores = Watch(run)(
      [&](const RunOptions& how) { return score_known_items(index, asked, wanted, how); });
  nb::dict entry;
  entry["questions"] = scores.questions;
  entry["unanswered"] = scores.unanswered;
  entry["mean_reciprocal_rank"] = scores.mean_reciprocal_rank;
  entry["recall_at_1"] = scores.recall_at_1;
  entry["recall_at_10"] = scores.recall_at_10;
  return entry;
}

nb::object cluster_of(const Index& index, std::size_t row) {
  const auto cluster = index.cluster(row);
  return cluster ? nb::cast(*cluster) : nb::none();
}

nb::object row_of(const Index& index, const std::string& id) {
  const auto row = index.find(id);
  return row ? nb::cast(*row) : nb::none();
}

nb::dict score(const Rows& embedding, const SparseRows& labels, const Labels32& groups,
               std::uint32_t deepest, const nb::dict& run) {
  const MatrixView map = view_of(embedding);
  const RetrievalCurve curve = Watch(run)([&](const RunOptions& how) {
    return score_retrieval(map, labels.view(), {.deepest = deepest, .groups = span_of(groups)},
                           how);
  });
  nb::dict entry;
  entry["retrieved"] =
      to_numpy(std::vector<std::int32_t>(curve.retrieved.begin(), curve.retrieved.end()));
  entry["accuracy"] = to_numpy(curve.accuracy);
  entry["queries"] = curve.queries;
  entry["labelled"] = curve.labelled;
  return entry;
}

std::string method_of(const Index& index) {
  return index.methods().empty() ? "none" : std::string(name_of(index.method()));
}

std::vector<std::string> methods_of(const Index& index) {
  std::vector<std::string> names;
  for (const Method method : index.methods()) names.emplace_back(name_of(method));
  return names;
}

nb::object vectorizer_of(const Index& index) {
  return index.vectorizer() == nullptr ? nb::none() : nb::cast(*index.vectorizer());
}

nb::object model_of(const Index& index) {
  return index.model() == nullptr ? nb::none() : nb::cast(*index.model());
}

void save(const Index& index, const std::filesystem::path& path, bool overwrite) {
  const nb::gil_scoped_release released;
  index.save(path, overwrite);
}

Index load(const std::filesystem::path& path) {
  const nb::gil_scoped_release released;
  return Index::load(path);
}

/// (distances, rows): queries x count, and the same one after the other.
nb::tuple find(const Neighbours& neighbours, const Rows& queries, std::uint32_t count,
               const nb::dict& run) {
  const MatrixView view = view_of(queries);
  NearestRows nearest =
      Watch(run)([&](const RunOptions& how) { return neighbours.find(view, count, how); });
  const std::vector<std::int32_t> rows(nearest.rows.begin(), nearest.rows.end());
  return nb::make_tuple(to_numpy(std::move(nearest.distances)), to_numpy(rows));
}

}  // namespace

void add_search(nb::module_& module) {
  using nb::arg;
  nb::class_<Index>(module, "Index", "A collection that answers questions. It never changes.")
      .def_static("build", &build, arg("texts"), arg("ids"), arg("titles"), arg("method"),
                  arg("text"), arg("fit"), arg("keep_texts"), arg("run"))
      .def_static("make", &make, arg("embedding"), arg("ids"))
      .def_prop_ro("rows", &Index::rows)
      .def_prop_ro("components", &Index::components)
      .def_prop_ro("method", &method_of)
      .def_prop_ro("methods", &methods_of)
      .def_prop_ro("words", &Index::words)
      .def_prop_ro("vectorizer", &vectorizer_of)
      .def_prop_ro("model", &model_of)
      .def("id", &id_of, arg("row"))
      .def("title", &title_of, arg("row"))
      .def_prop_ro("embedding",
                   [](const Index& index) { return to_numpy(Matrix::copy_of(index.embedding())); })
      .def("embed", &embed<SparseRows>, arg("rows"), arg("run"))
      .def("embed", &embed<Rows>, arg("rows"), arg("run"))
      .def("search", &search, arg("embedded"), arg("top"), arg("run"))
      .def("search_text", &search_text, arg("texts"), arg("top"), arg("method").none(), arg("run"))
      .def("like", &like, arg("row"), arg("top"), arg("method").none(), arg("run"))
      .def("passage", &passage, arg("row"), arg("question"))
      .def("cluster", &cluster_of, arg("row"))
      .def("find", &row_of, arg("id"))
      .def("added", &added, arg("texts"), arg("ids"), arg("titles"), arg("run"))
      .def("removed", &removed, arg("ids"))
      .def("score_known_items", &known_items, arg("questions"), arg("ids"), arg("method").none(),
           arg("run"))
      .def("save", &save, arg("path"), arg("overwrite"))
      .def_static("load", &load, arg("path"));
  nb::class_<Neighbours>(module, "Neighbours", "The rows nearest to others. It never changes.")
      .def(
          "__init__",
          [](Neighbours* self, const Rows& rows) { new (self) Neighbours(view_of(rows)); },
          arg("rows"))
      .def_prop_ro("rows", &Neighbours::rows)
      .def("find", &find, arg("queries"), arg("count"), arg("run"));
  module.def("score_retrieval", &score, arg("embedding"), arg("labels"), arg("groups"),
             arg("deepest"), arg("run"));
}

}  // namespace mbn::python
