// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <mbn/fit.hpp>
#include <mbn/model.hpp>
#include <mbn/picture_shape.hpp>
#include <mbn/rows.hpp>

namespace mbn {

/// What is known of the rows besides their numbers. Each list has one item per row or is empty.
struct PageContent {
  std::string title;
  std::vector<std::string> columns;  ///< names; one per column or none
  std::vector<std::string> ids;
  std::vector<std::string> texts;
  std::vector<std::int32_t> labels;  ///< true classes, to look at; negative: none
  std::vector<std::string> label_names;
  PictureShape pictures;  ///< when rows are pictures
  /// Lines for the foot of the page, such as "command" and what it was.
  std::vector<std::pair<std::string, std::string>> provenance;
  std::vector<std::string> warnings;  ///< whole sentences, such as FitResult::notes
};

struct PageOptions {
  /// Rows that have a place after every layer and codes to compare; all when there are no more.
  std::uint32_t sample = 5000;
  /// Bytes of the page that pictures of rows may take; beyond, only exemplars have theirs.
  std::uint64_t thumbnails = 20'000'000;
  /// Bytes of the page that columns may take; beyond, those stay that tell clusters apart best.
  /// 0: a megabyte, and more when there are more than 350,000 rows.
  std::uint64_t column_bytes = 0;
};

/// One HTML page on which a person explores the rows: their map, what every layer made of them, the
/// clusters and what sets each apart, which rows agree. It opens from disk and loads nothing. The
/// rows are the model's own or new ones. The same input gives the same bytes. Unsupported when this
/// build has no page (it takes npm to build it).
std::string report_page(const Model& model, RowsView rows, const PageContent& content = {},
                        const PageOptions& options = {}, const RunOptions& run = {});

/// The page of the training rows after a fit, without embedding them again; with the seconds that
/// every layer took.
std::string report_page(const FitResult& result, RowsView rows, const PageContent& content = {},
                        const PageOptions& options = {}, const RunOptions& run = {});

/// Whether this build has the page, and InvalidArgument when it has none.
bool has_report_page();
void check_report_page();

}  // namespace mbn
