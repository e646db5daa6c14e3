// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace mbn::tool {

/// PictureShape of "28x28" or "32x32x3"; nothing for any other text.
std::optional<PictureShape> parse_pictures(const std::string& text);
/// `--pictures`, which takes such a text.
CLI::Option* declare_pictures(CLI::App& verb, std::string& pictures);

/// The report's page and what to show on it: for `report`, and for `cluster` and `map` with
/// --report.
struct ReportArguments {
  std::string path;
  std::string captions;
  std::string pictures;
  PageOptions options;

  /// Everything but the file's own name, which verbs call differently.
  void declare(CLI::App& verb);
  /// Refuses, before any work, a page that could not be made or written.
  void check(Session& session) const;
  /// What is known of the table's rows. The title is `title`, or the name of the data's file.
  PageContent content(const Session& session, const Table& table,
                      const std::optional<Labels>& truth, const PlotArguments& plot,
                      const DataArguments& data) const;
  /// Writes the page when one was asked for.
  template <class Source>
  void write(Session& session, const Source& source, const Table& table,
             const PageContent& content) const {
    if (path.empty()) return;
    write_text(path, report_page(source, table.data(), content, options, session.run),
               session.write_options());
    session.wrote("report", path);
  }
};

}  // namespace mbn::tool
