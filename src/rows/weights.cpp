// SPDX-License-Identifier: Apache-2.0
//
// With c the count in a column and N rows, n of which are not zero there:
//
//   log        ln(1 + c)
//   tfidf      c (ln((1 + N) / (1 + n)) + 1), rows scaled to norm 1
//   log-tfidf  (1 + ln c) (ln((1 + N) / (1 + n)) + 1), rows scaled to norm 1
//   cells      ln(1 + c s / (sum of the row)), with s the median sum of the training rows
#include "rows/weights.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <mbn/error.hpp>

#include "base/logarithm.hpp"
#include "rows/unit_norm.hpp"

namespace mbn {

namespace {

// Calls body(row, column, value) for every value that is not zero.
template <class Body>
void for_each_nonzero(RowsView rows, const Body& body) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (rows.is_sparse()) {
      const auto indices = rows.sparse().indices(i);
      const auto values = rows.sparse().values(i);
      for (std::size_t n = 0; n < indices.size(); ++n) {
        if (values[n] != 0) body(i, indices[n], values[n]);
      }
    } else {
      for (std::size_t j = 0; j < rows.columns(); ++j) {
        if (const float value = rows.dense().at(i, j); value != 0) body(i, j, value);
      }
    }
  }
}

[[noreturn]] void refuse_value(std::size_t row, std::size_t column, float value,
                               Weighting weighting) {
  const std::string seen = fmt::to_string(value);
  throw InvalidArgument(
      ErrorCode::out_of_range,
      {fmt::format("row {}, column {} (counted from 1) is ", row + 1, column + 1),
       option_value(seen), ", but ", option("weighting", std::string(name_of(weighting))),
       " is for counts, which are 0 or more; leave it out for other data"},
      {.option = "weighting", .value = seen, .place = {.row = row + 1, .column = column + 1}});
}

double median_size(RowsView rows) {
  std::vector<double> sums(rows.rows());
  for_each_nonzero(rows,
                   [&](std::size_t i, std::size_t, float value) { sums[i] += double{value}; });
  std::erase(sums, 0.0);
  if (sums.empty()) return 1;
  const auto middle = sums.begin() + static_cast<std::ptrdiff_t>(sums.size() / 2);
  std::nth_element(sums.begin(), middle, sums.end());
  return *middle;
}

double weight_of(const Weights& weights, std::size_t column, double count, double factor) {
  switch (weights.weighting) {
    case Weighting::counts:
      break;
    case Weighting::logarithm:
      return natural_log(1 + count);
    case Weighting::tfidf:
      return count * weights.frequency[column];
    case Weighting::log_tfidf:
      // Counts below 1, which are no counts of words, must not become negative.
      return (count < 1 ? count : 1 + natural_log(count)) * weights.frequency[column];
    case Weighting::cells:
      return natural_log(1 + count * factor);
  }
  return count;
}

}  // namespace

void require_counts(RowsView rows, Weighting weighting) {
  if (weighting == Weighting::counts) return;
  for_each_nonzero(rows, [&](std::size_t i, std::size_t j, float value) {
    if (value < 0) refuse_value(i, j, value, weighting);
  });
}

bool are_counts(SparseView rows) {
  bool differ = false;
  float first = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (const float value : rows.values(i)) {
      if (value < 0 || value != std::floor(value)) return false;
      if (value == 0) continue;
      if (first == 0) first = value;
      differ = differ || value != first;
    }
  }
  return differ;
}

double inverse_document_frequency(std::uint64_t documents, std::uint64_t with_the_word) {
  return natural_log((1 + static_cast<double>(documents)) /
                     (1 + static_cast<double>(with_the_word))) +
         1;
}

Weights find_weights(RowsView rows, Weighting weighting, Job& job) {
  Weights weights{weighting, {}, 0};
  if (weights.is_identity()) return weights;
  job.check();
  std::vector<std::uint64_t> documents(rows.columns());
  require_counts(rows, weighting);
  for_each_nonzero(rows, [&](std::size_t, std::size_t j, float) { ++documents[j]; });
  if (weighting == Weighting::cells) weights.size = median_size(rows);
  if (!has_frequencies(weighting)) return weights;
  for (const std::uint64_t count : documents) {
    weights.frequency.push_back(inverse_document_frequency(rows.rows(), count));
  }
  return weights;
}

void weigh_row(const Weights& weights, std::span<const std::uint32_t> columns,
               std::span<float> values) {
  if (weights.is_identity()) return;
  double factor = 1;
  if (weights.weighting == Weighting::cells) {
    double sum = 0;
    for (const float value : values) sum += double{value};
    factor = sum > 0 ? weights.size / sum : 1;
  }
  for (std::size_t n = 0; n < values.size(); ++n) {
    if (values[n] == 0) continue;
    const std::size_t column = columns.empty() ? n : columns[n];
    values[n] = static_cast<float>(weight_of(weights, column, double{values[n]}, factor));
  }
  if (has_frequencies(weights.weighting)) {
    divide_by_norm(values.data(), values.size(), norm(values.data(), values.size()));
  }
}

}  // namespace mbn
