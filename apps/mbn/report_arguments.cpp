// SPDX-License-Identifier: Apache-2.0
#include "report_arguments.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "option_fields.hpp"

namespace mbn::tool {

std::optional<PictureShape> parse_pictures(const std::string& text) {
  std::array<std::uint32_t, 3> sizes{0, 0, 1};
  std::size_t count = 0;
  std::size_t first = 0;
  while (first <= text.size()) {
    const std::size_t last = std::min(text.find('x', first), text.size());
    if (count == sizes.size()) return std::nullopt;
    if (!CLI::detail::lexical_cast(text.substr(first, last - first), sizes[count])) {
      return std::nullopt;
    }
    ++count;
    first = last + 1;
  }
  const bool sound = count >= 2 && sizes[0] > 0 && sizes[1] > 0 && (sizes[2] == 1 || sizes[2] == 3);
  if (!sound) return std::nullopt;
  return PictureShape{sizes[0], sizes[1], sizes[2]};
}

CLI::Option* declare_pictures(CLI::App& verb, std::string& pictures) {
  return verb
      .add_option("--pictures", pictures,
                  "Rows are pictures of so many lines and pixels, as 28x28 or 32x32x3 for red, "
                  "green and blue [as the file says, when it is IDX or an array of pictures]")
      ->check([](const std::string& text) {
        return parse_pictures(text) ? std::string()
                                    : fmt::format("'{}' is not like 28x28 or 32x32x3", text);
      })
      ->type_name("HxW");
}

namespace {

// Several ids of a row are shown as one.
std::vector<std::string> one_id_a_row(const Table& table) {
  const std::size_t rows = table.data().rows();
  if (table.ids.size() <= rows) return table.ids;
  const std::size_t columns = table.ids.size() / rows;
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto first = table.ids.begin() + static_cast<std::ptrdiff_t>(i * columns);
    joined.push_back(
        fmt::format("{}", fmt::join(first, first + static_cast<std::ptrdiff_t>(columns), ", ")));
  }
  return joined;
}

}  // namespace

void ReportArguments::declare(CLI::App& verb) {
  const std::string group = "The page";
  declare_pictures(verb, pictures)->group(group);
  verb.add_option("--captions", captions,
                  "A text for each row, to show and to search: one a line, .csv or .jsonl with a "
                  "column or field 'text'")
      ->group(group);
  check_count(verb.add_option("--page-rows", options.sample,
                              "Rows that are followed through the layers; all when there are no "
                              "more"))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--thumbnails", options.thumbnails,
                  "Bytes (or 500K, 20M) that pictures of rows may take; beyond, only those of "
                  "exemplars are shown")
      ->transform(CLI::AsSizeValue(false))
      ->default_str("20M")
      ->group(group);
}

void ReportArguments::check(Session& session) const {
  if (path.empty()) {
    if (captions.empty() && pictures.empty()) return;
    throw InvalidArgument("--captions and --pictures are for a page; add --report report.html");
  }
  session.check_file_output(path);
  if (std::filesystem::path(path).extension() != ".html") {
    throw InvalidArgument(
        fmt::format("{} does not end like a page; use .html, or --plot for a picture", path));
  }
  check_report_page();
}

PageContent ReportArguments::content(const Session& session, const Table& table,
                                     const std::optional<Labels>& truth, const PlotArguments& plot,
                                     const DataArguments& data) const {
  PageContent content;
  if (path.empty()) return content;
  content.title =
      plot.title.empty() ? std::filesystem::path(data.path).filename().string() : plot.title;
  content.columns = table.columns;
  content.ids = one_id_a_row(table);
  if (truth) {
    content.labels = truth->values;
    content.label_names = plot.label_names.empty() ? truth->names : plot.label_names;
  }
  content.pictures = parse_pictures(pictures).value_or(table.pictures);
  if (!captions.empty()) {
    Documents documents = read_documents(captions, {});
    const std::size_t count = documents.texts.size();
    content.texts = std::move(documents.texts);
    if (count != table.data().rows()) {
      throw InvalidArgument(
          fmt::format("{} has {} texts, but the data has {} rows; give one for each row", captions,
                      count, table.data().rows()));
    }
  }
  content.provenance.emplace_back("command", session.command);
  content.warnings = session.notes();
  return content;
}

}  // namespace mbn::tool
