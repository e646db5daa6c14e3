// SPDX-License-Identifier: Apache-2.0
//
// Gathers what the report's page shows and hands it over in the form of web/README.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>
#include <mbn/marks.hpp>
#include <mbn/page.hpp>
#include <mbn/report.hpp>
#include <mbn/version.hpp>

#include "api/model_access.hpp"
#include "base/job.hpp"
#include "describe/column_name.hpp"
#include "describe/exemplars.hpp"
#include "page/layer_story.hpp"
#include "page/page_columns.hpp"
#include "page/page_file.hpp"
#include "page/quantise.hpp"
#include "page/sample.hpp"
#include "page/thumbnails.hpp"
#include "report/page_template.hpp"
#include "report/svg_text.hpp"
#include "rows/kinds.hpp"
#include "rows/missing_cells.hpp"

namespace mbn {

namespace {

constexpr std::uint16_t kNoLabel = 65535;
constexpr std::size_t kExemplars = 8;
constexpr std::uint32_t kShownMarks = 5;
constexpr std::uint32_t kSearchedMarks = 30;
// A network needs some rows before its layers have anything to show.
constexpr std::size_t kLeastStoryRows = 4;

// What the network says of every row, and how long its layers took where that is known.
struct RowResults {
  Matrix own_map;
  MatrixView map;
  std::vector<std::int32_t> labels;
  std::vector<float> confidence;
  std::vector<double> layer_seconds;
  std::vector<std::string> warnings;
};

void check_content(RowsView rows, const PageContent& content) {
  const auto check = [&](std::size_t count, const char* what, std::size_t wanted,
                         const char* things) {
    if (count == 0 || count == wanted) return;
    throw InvalidArgument(
        ErrorCode::does_not_fit,
        fmt::format("there are {} {} for {} {}; give one for each", count, what, wanted, things));
  };
  check(content.ids.size(), "ids", rows.rows(), "rows");
  check(content.texts.size(), "texts", rows.rows(), "rows");
  check(content.labels.size(), "labels", rows.rows(), "rows");
  check(content.columns.size(), "column names", rows.columns(), "columns");
  if (rows.rows() == 0) {
    throw InvalidArgument(ErrorCode::too_small, "there are no rows to report on; give at least 1");
  }
}

RowResults results_of(const Model& model, RowsView rows, const RunOptions& run) {
  const ModelData& data = ModelAccess::data(model);
  RowOutputs mapped =
      model.outputs(rows, {.map = !data.map.empty(), .labels = data.centres.rows() != 0}, run);
  RowResults results;
  results.own_map = std::move(mapped.map);
  results.labels = std::move(mapped.labels);
  results.confidence = std::move(mapped.confidence);
  if (results.own_map.rows() == 0) {
    results.own_map = model.map_layer(rows, 0, run);
    results.warnings.emplace_back(
        "The model has no map of its own, so one was laid out for these rows alone: fit it with a "
        "map to place other rows beside them.");
  }
  results.map = results.own_map;
  return results;
}

class PageMaker {
 public:
  PageMaker(const Model& model, RowsView rows, const PageContent& content,
            const PageOptions& options, const RunOptions& run)
      : model_(model),
        data_(ModelAccess::data(model)),
        rows_(rows),
        content_(content),
        options_(options),
        run_(run) {}

  std::string make(RowResults results) {
    results_ = std::move(results);
    clusters_ = static_cast<std::uint32_t>(data_.centres.rows());
    add_map();
    add_sample();
    add_clusters();
    add_labels();
    add_values();
    add_strings();
    add_pictures();
    add_choice();
    add_scores();
    add_foot();
    return page_file(page_template(), header_, arrays_);
  }

 private:
  bool has_clusters() const { return !results_.labels.empty(); }

  void add_map() {
    header_ = {{"title", content_.title.empty() ? "mbn report" : clean_text(content_.title)},
               {"rows", rows_.rows()},
               {"columns", rows_.columns()},
               {"palette", plot_palette()},
               {"scale", plot_scale()}};
    const Quantised places = quantise(results_.map);
    header_["map"] = {{"x", places.range_x}, {"y", places.range_y}};
    arrays_.add("map_x", places.x);
    arrays_.add("map_y", places.y);
  }

  void add_sample() {
    sample_ = page_sample(results_.map, results_.labels, options_.sample);
    header_["sample"] = {{"rows", sample_.size()}};
    header_["frames"] = PageJson::array();
    header_["layers"] = PageJson::array();
    header_["codes"] = nullptr;
    arrays_.add("sample", sample_);
    if (sample_.size() < kLeastStoryRows) return;
    Matrix final_places(sample_.size(), 2);
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      const std::size_t shown = std::min<std::size_t>(2, results_.map.columns());
      for (std::size_t c = 0; c < shown; ++c) {
        final_places.mutable_row<float>(i)[c] = results_.map.at(sample_[i], c);
      }
    }
    Job job(run_);
    job.stage("layers", 1, story_steps(data_, sample_.size()));
    const Rows sampled = gather(rows_, sample_);
    story_ = tell_story(data_, sampled, final_places, job);
    add_frames();
    add_layers();
    add_codes();
  }

  void add_frame(const std::string& name, std::size_t layer, const Matrix& places) {
    const std::size_t place = header_["frames"].size();
    const Quantised frame = quantise(places);
    arrays_.add(fmt::format("frame_{}_x", place), frame.x);
    arrays_.add(fmt::format("frame_{}_y", place), frame.y);
    header_["frames"].push_back(
        {{"name", name}, {"layer", layer}, {"x", frame.range_x}, {"y", frame.range_y}});
  }

  void add_frames() {
    add_frame("the rows", 0, story_->input);
    const std::size_t top = story_->layers.size();
    for (std::size_t l = 1; l < top; ++l) {
      add_frame(fmt::format("layer {}", l), l, story_->layers[l - 1].places);
    }
    header_["frames"].push_back(
        {{"name", "the map"}, {"layer", top}, {"x", nullptr}, {"y", nullptr}});
  }

  void add_layers() {
    for (std::size_t l = 0; l < story_->layers.size(); ++l) {
      PageJson layer = {{"layer", l + 1},
                        {"centroids", data_.draws(l).centroids},
                        {"seconds", nullptr},
                        {"error_ratio", nullptr},
                        {"distinct_codes", story_->layers[l].distinct_codes}};
      if (l < results_.layer_seconds.size()) layer["seconds"] = results_.layer_seconds[l];
      if (story_->layers[l].error_ratio) layer["error_ratio"] = *story_->layers[l].error_ratio;
      header_["layers"].push_back(std::move(layer));
    }
  }

  void add_codes() {
    const CodeMatrix& codes = story_->top;
    header_["codes"] = {{"layer", data_.layer_count()}, {"clusterings", codes.clusterings()}};
    codes.visit([&](const auto* cells) {
      using Code = std::remove_cvref_t<decltype(*cells)>;
      std::vector<Code> by_clustering(codes.rows() * codes.clusterings());
      auto out = by_clustering.begin();
      for (std::size_t v = 0; v < codes.clusterings(); ++v) {
        for (std::size_t i = 0; i < codes.rows(); ++i) *out++ = cells[i * codes.clusterings() + v];
      }
      arrays_.add("codes", by_clustering);
    });
  }

  void add_clusters() {
    header_["cluster"] = has_clusters();
    header_["clusters"] = PageJson::array();
    if (!has_clusters()) return;
    arrays_.add("cluster",
                std::vector<std::uint16_t>(results_.labels.begin(), results_.labels.end()));
    marks_ =
        cluster_marks(rows_, results_.labels, clusters_, kSearchedMarks, without_progress(run_));
    const auto typical =
        story_ ? find_exemplars(story_->top, sample_, results_.labels, clusters_, kExemplars)
               : std::vector<std::vector<std::uint32_t>>(clusters_);
    std::vector<double> confidence(clusters_);
    for (std::size_t i = 0; i < results_.confidence.size(); ++i) {
      confidence[static_cast<std::size_t>(results_.labels[i])] += double{results_.confidence[i]};
    }
    for (std::uint32_t c = 0; c < clusters_; ++c) {
      PageJson cluster = {{"rows", marks_[c].rows}, {"confidence", nullptr}};
      if (!results_.confidence.empty() && marks_[c].rows > 0) {
        cluster["confidence"] = confidence[c] / static_cast<double>(marks_[c].rows);
      }
      describe_cluster(cluster, marks_[c]);
      cluster["exemplars"] = typical[c];
      shown_rows_.insert(shown_rows_.end(), typical[c].begin(), typical[c].end());
      header_["clusters"].push_back(std::move(cluster));
    }
  }

  // Single pixels and single distances say nothing to a person.
  bool has_columns() const {
    return content_.pictures.empty() && data_.options.metric != Metric::precomputed;
  }

  void describe_cluster(PageJson& cluster, ClusterMarks marks) const {
    cluster["sentence"] = nullptr;
    cluster["marks"] = PageJson::array();
    if (!has_columns()) return;
    marks.marks.resize(std::min<std::size_t>(marks.marks.size(), kShownMarks));
    const std::string sentence = describe(marks, content_.columns, rows_.is_sparse(), data_.coding);
    if (!sentence.empty()) cluster["sentence"] = sentence;
    for (const Mark& mark : marks.marks) {
      cluster["marks"].push_back({{"column", column_name(content_.columns, mark.column)},
                                  {"effect", mark.effect},
                                  {"inside", mark.inside},
                                  {"outside", mark.outside}});
    }
  }

  void add_labels() {
    header_["label"] = nullptr;
    if (content_.labels.empty()) return;
    std::vector<std::int32_t> classes(content_.labels);
    std::ranges::sort(classes);
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
    std::erase_if(classes, [](std::int32_t label) { return label < 0; });
    std::vector<std::uint16_t> places;
    for (const std::int32_t label : content_.labels) {
      const auto found = std::ranges::lower_bound(classes, label) - classes.begin();
      places.push_back(label < 0 || found >= kNoLabel ? kNoLabel
                                                      : static_cast<std::uint16_t>(found));
    }
    PageJson names = PageJson::array();
    for (const std::int32_t label : classes) {
      const auto place = static_cast<std::size_t>(label);
      names.push_back(place < content_.label_names.size() ? content_.label_names[place]
                                                          : std::to_string(label));
    }
    header_["label"] = {{"name", "label"}, {"names", std::move(names)}};
    arrays_.add("label", places);
  }

  void add_values() {
    PageJson values = PageJson::array();
    if (!results_.confidence.empty()) {
      std::vector<std::uint8_t> confidence;
      for (const float share : results_.confidence) {
        confidence.push_back(static_cast<std::uint8_t>(std::lround(255 * double{share})));
      }
      arrays_.add("confidence", confidence);
      values.push_back(value_entry("confidence", "confidence", "confidence", 1.0 / 255));
    }
    if (worth_measuring_outliers()) {
      const PackedColumn scores = pack_column(model_.outlier_scores(rows_, run_));
      scores.add_to(arrays_, "outlier");
      values.push_back(value_entry("outlier score", "outlier", "outlier"));
    }
    if (has_columns()) add_columns_to(values);
    header_["values"] = std::move(values);
  }

  // Every row is compared with every kept row.
  bool worth_measuring_outliers() {
    // Where cells may be missing, the search is plain.
    const double most = has_missing(data_.bottom.kept) ? 2e10 : 4e11;
    const double products = static_cast<double>(rows_.rows()) *
                            static_cast<double>(data_.bottom.kept.rows()) *
                            static_cast<double>(data_.bottom.kept.columns());
    if (products <= most) return true;
    results_.warnings.emplace_back(
        "Outlier scores are left out: they would take long for so many rows.");
    return false;
  }

  void add_columns_to(PageJson& values) {
    constexpr std::uint64_t kLeast = 1'000'000;
    constexpr std::uint64_t kPerRow = 3;
    const std::uint64_t bytes = options_.column_bytes != 0
                                    ? options_.column_bytes
                                    : std::max<std::uint64_t>(kLeast, kPerRow * rows_.rows());
    const std::size_t shown = add_columns(rows_, content_.columns, marks_, bytes, values, arrays_);
    if (shown == rows_.columns()) return;
    results_.warnings.push_back(
        fmt::format("{} of {} columns are on this page: {}.", grouped_number(shown),
                    grouped_number(rows_.columns()),
                    has_clusters() ? "those that tell the clusters apart best" : "the first"));
  }

  void add_strings() {
    header_["ids"] = !content_.ids.empty();
    if (!content_.ids.empty()) arrays_.add_strings("ids", content_.ids);
    header_["texts"] = !content_.texts.empty();
    if (content_.texts.empty()) return;
    // Long texts are cut, so that all of them stay within some megabytes.
    constexpr std::size_t kAllCharacters = 16'000'000;
    const std::size_t most =
        std::clamp<std::size_t>(kAllCharacters / content_.texts.size(), 60, 400);
    std::vector<std::string> texts;
    for (const std::string& text : content_.texts) texts.push_back(shortened(text, most));
    arrays_.add_strings("texts", texts);
  }

  void add_pictures() {
    header_["pictures"] = nullptr;
    const Thumbnails pictures =
        make_thumbnails(rows_, content_.pictures, shown_rows_, options_.thumbnails);
    if (pictures.empty()) return;
    header_["pictures"] = {{"width", pictures.shape.width},
                           {"height", pictures.shape.height},
                           {"channels", pictures.shape.channels},
                           {"all", pictures.rows.empty()}};
    arrays_.add("pictures", pictures.pixels);
    if (pictures.rows.empty()) return;
    arrays_.add("picture_rows", pictures.rows);
    results_.warnings.emplace_back(
        "Only exemplars of the clusters have their pictures here: those of all rows would make the "
        "page too large.");
  }

  void add_choice() {
    header_["choice"] = nullptr;
    const Selection& selection = data_.selection;
    if (selection.empty()) return;
    PageJson counts = PageJson::array();
    for (const ClusterCount& count : selection.counts) {
      counts.push_back({{"clusters", count.clusters},
                        {"stability", count.stability()},
                        {"chosen", count.clusters == selection.clusters}});
    }
    header_["choice"] = {{"text", describe(selection).text()}, {"counts", std::move(counts)}};
  }

  void add_scores() {
    header_["scores"] = PageJson::array();
    if (content_.labels.empty() || !has_clusters()) return;
    const ClusterScores scores = score_clusters(results_.labels, content_.labels);
    const auto add = [&](const char* name, double share) {
      header_["scores"].push_back({name, fmt::format("{:.1f} %", 100 * share)});
    };
    add("NMI", scores.nmi);
    add("accuracy", scores.accuracy);
    add("adjusted Rand index", scores.ari);
    add("purity", scores.purity);
  }

  void add_foot() {
    header_["provenance"] = PageJson::array();
    for (const auto& [name, text] : content_.provenance) {
      header_["provenance"].push_back({name, text});
    }
    header_["provenance"].push_back({"mbn", std::string(version())});
    header_["provenance"].push_back({"model", model_.checksum()});
    header_["provenance"].push_back({"seed", std::to_string(data_.options.seed)});
    header_["warnings"] = content_.warnings;
    for (const std::string& warning : results_.warnings) header_["warnings"].push_back(warning);
  }

  const Model& model_;
  const ModelData& data_;
  RowsView rows_;
  const PageContent& content_;
  PageOptions options_;
  RunOptions run_;

  RowResults results_;
  std::uint32_t clusters_ = 0;
  std::vector<std::uint32_t> sample_;
  std::optional<NetworkStory> story_;
  std::vector<ClusterMarks> marks_;
  std::vector<std::uint32_t> shown_rows_;
  PageJson header_;
  PageArrays arrays_;
};

}  // namespace

void check_report_page() {
  if (has_report_page()) return;
  throw InvalidArgument(
      ErrorCode::unsupported,
      {"this build of mbn has no page for reports: build it where npm is installed, or draw the "
       "map with ",
       option("plot", "map.svg")});
}

bool has_report_page() {
  return !page_template().empty();
}

std::string report_page(const Model& model, RowsView rows, const PageContent& content,
                        const PageOptions& options, const RunOptions& run) {
  check_report_page();
  check_content(rows, content);
  return PageMaker(model, rows, content, options, run).make(results_of(model, rows, run));
}

std::string report_page(const FitResult& result, RowsView rows, const PageContent& content,
                        const PageOptions& options, const RunOptions& run) {
  check_report_page();
  check_content(rows, content);
  RowResults results;
  if (result.map.rows() == rows.rows()) {
    results.map = result.map;
    results.labels = result.labels;
    results.confidence = result.confidence;
  } else {
    results = results_of(result.model, rows, run);
  }
  results.layer_seconds = result.layer_seconds;
  return PageMaker(result.model, rows, content, options, run).make(std::move(results));
}

}  // namespace mbn
