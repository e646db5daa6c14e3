// SPDX-License-Identifier: Apache-2.0
//
// Every kind is a ToyShape: class shares and a way to draw one row of a class. Here rows are
// counted out to the classes, drawn class by class, and put into random places.
//
// Counting out: class c with share p_c gets one row first, then its part of the others, rounded
// down; what is left goes to the largest fractions ("largest remainder"), the lower class of
// ties. With fewer rows than classes, the first classes get one row each.
//
// Rows are drawn in blocks, each from a random stream of its own, so a stream cannot run out
// however many rows there are. Row g of the class order lands at place[g], a random permutation
// from another stream.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <mbn/error.hpp>
#include <mbn/generate.hpp>

#include "generate/shapes.hpp"

namespace mbn {

namespace {

constexpr std::size_t kBlockRows = 4096;
constexpr std::uint32_t kMostClusters = 10000;

void require_valid(const GenerateOptions& options) {
  constexpr std::uint64_t kMostRows = std::numeric_limits<std::uint32_t>::max();
  if (options.rows < 1 || options.rows > kMostRows) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option("rows"), fmt::format(" is {}; give 1 to {}", options.rows, kMostRows)},
        {.option = "rows", .value = std::to_string(options.rows)});
  }
  if (static_cast<std::size_t>(options.kind) >= enum_names<ToyKind>().size()) {
    throw InvalidArgument(ErrorCode::unknown_choice,
                          fmt::format("there is no toy data of kind number {}; give one of ToyKind",
                                      static_cast<unsigned>(options.kind)),
                          {.option = "kind"});
  }
  if (options.kind != ToyKind::gaussians) return;
  if (options.columns < 1) {
    throw InvalidArgument(ErrorCode::out_of_range, {option("columns"), " is 0; give at least 1"},
                          {.option = "columns", .value = "0"});
  }
  if (options.clusters < 1 || options.clusters > kMostClusters) {
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option("clusters"), fmt::format(" is {}; give 1 to {}", options.clusters, kMostClusters)},
        {.option = "clusters", .value = std::to_string(options.clusters)});
  }
}

std::vector<std::size_t> count_out(std::size_t rows, const std::vector<double>& shares) {
  std::vector<std::size_t> counts(shares.size());
  std::size_t given = 0;
  for (std::size_t& count : counts) {
    if (given == rows) return counts;
    count = 1;
    ++given;
  }
  const auto others = static_cast<double>(rows - given);
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  std::vector<double> fractions(shares.size());
  for (std::size_t c = 0; c < shares.size(); ++c) {
    const double wanted = others * shares[c] / total;
    const auto whole = static_cast<std::size_t>(std::floor(wanted));
    fractions[c] = wanted - std::floor(wanted);
    counts[c] += whole;
    given += whole;
  }
  std::vector<std::size_t> by_fraction(shares.size());
  std::iota(by_fraction.begin(), by_fraction.end(), std::size_t{0});
  std::stable_sort(by_fraction.begin(), by_fraction.end(),
                   [&](std::size_t a, std::size_t b) { return fractions[a] > fractions[b]; });
  for (std::size_t i = 0; given < rows; ++i, ++given) ++counts[by_fraction[i % shares.size()]];
  return counts;
}

/// The label of every row in class order.
std::vector<std::int32_t> labels_in_order(const GenerateOptions& options, const ToyShape& shape) {
  std::vector<std::size_t> counts;
  if (options.kind == ToyKind::outlier && options.rows > 2) {
    counts = count_out(options.rows - 1, {shape.shares()[0], shape.shares()[1]});
    counts.push_back(1);
  } else {
    counts = count_out(options.rows, shape.shares());
  }
  std::vector<std::int32_t> labels;
  labels.reserve(options.rows);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    labels.insert(labels.end(), counts[c], static_cast<std::int32_t>(c));
  }
  return labels;
}

std::vector<std::string> column_names(std::size_t columns) {
  std::vector<std::string> names{"x", "y", "z"};
  if (columns > names.size()) {
    names.clear();
    for (std::size_t c = 1; c <= columns; ++c) names.push_back(fmt::format("x{}", c));
  }
  names.resize(columns);
  return names;
}

}  // namespace

Table generate(const GenerateOptions& options) {
  require_valid(options);
  const auto shape = options.kind == ToyKind::gaussians
                         ? make_gaussians(options.columns, options.clusters, options.seed)
                         : make_drawing(options.kind);
  const std::vector<std::int32_t> in_order = labels_in_order(options, *shape);
  const auto rows = static_cast<std::uint32_t>(options.rows);
  Random order = generate_stream(options.seed, GenerateStream::order);
  const std::vector<std::uint32_t> place = draw_without_replacement(order, rows, rows);

  Table table;
  table.rows = Matrix(rows, shape->columns());
  table.columns = column_names(shape->columns());
  table.labels.emplace();
  table.labels->values.resize(rows);
  for (std::size_t first = 0; first < rows; first += kBlockRows) {
    Random random = generate_stream(options.seed, GenerateStream::rows,
                                    static_cast<std::uint32_t>(first / kBlockRows));
    const std::size_t last = std::min<std::size_t>(rows, first + kBlockRows);
    for (std::size_t g = first; g < last; ++g) {
      shape->draw(static_cast<std::uint32_t>(in_order[g]), random,
                  table.rows.dense().mutable_row<float>(place[g]));
      table.labels->values[place[g]] = in_order[g];
    }
  }
  return table;
}

}  // namespace mbn
