// SPDX-License-Identifier: Apache-2.0
//
// The rows go up layer by layer. Each layer's codes are read as the top's are: principal components
// beside the input in the joint space, laid out. Layouts come out turned at random, so from the
// final map downwards each is turned to fit the one above it.
#include "page/layer_story.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "evaluate/layer_correlation.hpp"
#include "map/joint_space.hpp"
#include "map/make_map.hpp"
#include "network/encode.hpp"
#include "network/schedule.hpp"
#include "project/projection.hpp"
#include "rows/gather.hpp"
#include "rows/kinds.hpp"
#include "rows/missing_cells.hpp"
#include "rows/preparation.hpp"

namespace mbn {

namespace {

// Enough for two digits of the error ratio.
constexpr std::size_t kMeasuredRows = 100;
// A part of an ensemble is an ensemble: for a picture so many of its clusterings do, and low
// layers, whose components are slow to find, take a fraction of the time.
constexpr std::size_t kPictureClusterings = 100;

std::uint64_t count_distinct(const CodeMatrix& codes) {
  std::unordered_set<std::string_view> seen;
  const std::size_t bytes = codes.bytes() / std::max<std::size_t>(1, codes.rows());
  codes.visit([&](const auto* cells) {
    const auto* first = reinterpret_cast<const char*>(cells);
    for (std::size_t i = 0; i < codes.rows(); ++i) seen.emplace(first + i * bytes, bytes);
  });
  return seen.size();
}

CodeMatrix first_clusterings(const CodeMatrix& codes, std::size_t count) {
  CodeMatrix first(codes.rows(), std::min(count, codes.clusterings()), codes.centroids());
  codes.visit([&](const auto* from) {
    using Code = std::remove_cvref_t<decltype(*from)>;
    first.visit([&](auto* to) {
      if constexpr (std::is_same_v<Code, std::remove_cvref_t<decltype(*to)>>) {
        for (std::size_t i = 0; i < codes.rows(); ++i) {
          std::copy_n(from + i * codes.clusterings(), first.clusterings(),
                      to + i * first.clusterings());
        }
      }
    });
  });
  return first;
}

// The first two principal components of prepared rows.
Matrix input_places(RowsView prepared, Metric metric, Job& job) {
  Preparation components;
  components.sparse = prepared.is_sparse();
  components.partial = has_missing(prepared);
  components.directions = find_directions(prepared, 2, map_compared_by(metric), job);
  Matrix places(prepared.rows(), 2);
  if (components.directions.empty()) return places;
  const Rows found = prepare_rows(components, prepared, job);
  for (std::size_t i = 0; i < places.rows(); ++i) {
    for (std::size_t c = 0; c < found.columns(); ++c) {
      places.mutable_row<float>(i)[c] = found.view().dense().at(i, c);
    }
  }
  return places;
}

// The first rows, spread evenly, on which the error ratio is measured.
std::vector<std::uint32_t> measured_rows(std::size_t rows) {
  const std::size_t count = std::min(rows, kMeasuredRows);
  std::vector<std::uint32_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<std::uint32_t>(i * rows / count);
  }
  return numbers;
}

// Sends rows up through the layers and tells what each made of them.
class StoryTeller {
 public:
  StoryTeller(const ModelData& model, RowsView rows, Job& job)
      : model_(model),
        given_(as_worked_on(rows, model.preparation.sparse, model.options.metric)),
        prepared_(prepare_rows(model.preparation, given_, job)),
        measured_(measured_rows(rows.rows())),
        job_(job) {}

  NetworkStory tell() {
    NetworkStory story;
    // Codes have no directions; rows with alike distances are near.
    const bool distances = model_.options.metric == Metric::precomputed;
    story.input = input_places(distances ? given_ : prepared_, model_.options.metric, job_);
    CodeMatrix below;
    CodeMatrix codes = encode_bottom(model_.bottom, model_.options.metric, prepared_, 0, job_);
    for (std::size_t layer = 1;; ++layer) {
      const bool top = layer == model_.layer_count();
      story.layers.push_back({top ? Matrix() : lay_out_codes(codes), count_distinct(codes),
                              error_ratio(below, codes, layer)});
      if (top) break;
      below = std::move(codes);
      codes = encode_upper(model_.upper[layer - 1], below, job_);
    }
    story.top = std::move(codes);
    return story;
  }

 private:
  Matrix lay_out_codes(const CodeMatrix& all) {
    const CodeMatrix codes = first_clusterings(all, kPictureClusterings);
    MapRequest request = map_request(model_.options);
    request.dimensions = 2;
    const Projection projection = fit_projection(codes, map_components(model_.options),
                                                 Solver::automatic, model_.options.seed, job_);
    return make_map(prepared_, project(projection, codes, job_), request, job_).places;
  }

  std::optional<double> error_ratio(const CodeMatrix& below, const CodeMatrix& codes,
                                    std::size_t layer) {
    if (layer == 1 && (model_.bottom.is_sparse() || given_.is_sparse())) return std::nullopt;
    const CodeMatrix few = codes.gather(measured_);
    const auto number = static_cast<std::uint32_t>(layer);
    if (layer == 1) {
      const Matrix rows = gather_rows(given_.view().dense(), measured_);
      return measure_correlation(model_, rows, nullptr, few, number, job_).error_ratio;
    }
    const CodeMatrix few_below = below.gather(measured_);
    return measure_correlation(model_, Matrix(measured_.size(), 1), &few_below, few, number, job_)
        .error_ratio;
  }

  const ModelData& model_;
  Rows given_;
  Rows prepared_;
  std::vector<std::uint32_t> measured_;
  Job& job_;
};

using Pair = std::array<double, 2>;

Pair mean_of(MatrixView places) {
  Pair mean{};
  for (std::size_t i = 0; i < places.rows(); ++i) {
    for (std::size_t c = 0; c < 2; ++c) mean[c] += double{places.at(i, c)};
  }
  for (double& value : mean) value /= static_cast<double>(places.rows());
  return mean;
}

}  // namespace

Matrix turned_to_fit(MatrixView places, MatrixView target) {
  const Pair from = mean_of(places);
  const Pair to = mean_of(target);
  // Sums of products of x and y of both: the best turn by an angle follows from them, once as it
  // is and once mirrored.
  double xx = 0;
  double xy = 0;
  double yx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < places.rows(); ++i) {
    const Pair a{places.at(i, 0) - from[0], places.at(i, 1) - from[1]};
    const Pair b{target.at(i, 0) - to[0], target.at(i, 1) - to[1]};
    xx += a[0] * b[0];
    xy += a[0] * b[1];
    yx += a[1] * b[0];
    yy += a[1] * b[1];
  }
  const double plain = std::hypot(xx + yy, xy - yx);
  const double mirrored = std::hypot(xx - yy, xy + yx);
  const double flip = mirrored > plain ? -1 : 1;
  const double length = std::max(plain, mirrored);
  const double cosine = length > 0 ? (xx + flip * yy) / length : 1;
  const double sine = length > 0 ? (xy - flip * yx) / length : 0;
  Matrix turned(places.rows(), 2);
  for (std::size_t i = 0; i < places.rows(); ++i) {
    const double x = places.at(i, 0) - from[0];
    const double y = flip * (places.at(i, 1) - from[1]);
    turned.mutable_row<float>(i)[0] = static_cast<float>(cosine * x - sine * y + to[0]);
    turned.mutable_row<float>(i)[1] = static_cast<float>(sine * x + cosine * y + to[1]);
  }
  return turned;
}

NetworkStory tell_story(const ModelData& model, RowsView rows, MatrixView final_places, Job& job) {
  NetworkStory story = StoryTeller(model, rows, job).tell();
  MatrixView above = final_places;
  for (std::size_t layer = story.layers.size() - 1; layer-- > 0;) {
    story.layers[layer].places = turned_to_fit(story.layers[layer].places, above);
    above = story.layers[layer].places;
  }
  story.input = turned_to_fit(story.input, above);
  return story;
}

std::size_t story_steps(const ModelData& model, std::size_t rows) {
  return (model.layer_count() - 1) * make_map_steps(rows);
}

}  // namespace mbn
