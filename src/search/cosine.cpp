// SPDX-License-Identifier: Apache-2.0
//
// The cosine of rows of unit norm is their inner product. Sums run over eight lanes that are added
// in a fixed order at the end: the compiler vectorizes them without reordering additions, so every
// machine gets the same bytes. Four queries are compared with a row while it is in the cache, which
// changes no sum.
#include "search/cosine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>

#include "rows/gather.hpp"
#include "rows/unit_norm.hpp"

namespace mbn {

namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kTogether = 4;

template <std::size_t Count>
void inner_products(const std::array<const float*, kTogether>& queries, const float* row,
                    std::size_t columns, std::array<float, kTogether>& out) {
  std::array<std::array<float, kLanes>, Count> sums{};
  std::size_t column = 0;
  for (; column + kLanes <= columns; column += kLanes) {
    for (std::size_t q = 0; q < Count; ++q) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sums[q][lane] += queries[q][column + lane] * row[column + lane];
      }
    }
  }
  for (std::size_t q = 0; q < Count; ++q) {
    const auto& s = sums[q];
    float sum = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    for (std::size_t rest = column; rest < columns; ++rest) sum += queries[q][rest] * row[rest];
    out[q] = sum;
  }
}

struct QueryGroup {
  std::size_t first = 0;
  std::size_t count = 0;
  std::array<const float*, kTogether> rows{};
  std::vector<BestHits> best;
};

void scan(QueryGroup& group, MatrixView rows,
          const std::function<bool(std::size_t, std::uint32_t)>& accept) {
  std::array<float, kTogether> scores{};
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (group.count == kTogether) {
      inner_products<kTogether>(group.rows, rows.row<float>(i), rows.columns(), scores);
    } else {
      for (std::size_t q = 0; q < group.count; ++q) {
        std::array<float, kTogether> one{};
        inner_products<1>({group.rows[q]}, rows.row<float>(i), rows.columns(), one);
        scores[q] = one[0];
      }
    }
    const auto row = static_cast<std::uint32_t>(i);
    for (std::size_t q = 0; q < group.count; ++q) {
      if (accept && !accept(group.first + q, row)) continue;
      group.best[q].offer({row, scores[q]});
    }
  }
}

}  // namespace

Matrix unit_rows(MatrixView rows, const char* what) {
  Matrix result(rows.rows(), rows.columns());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    float* const out = result.mutable_row<float>(i);
    copy_row(rows, i, out);
    const double length = norm(out, rows.columns());
    if (!std::isfinite(length)) {
      throw InvalidArgument(
          ErrorCode::not_finite,
          fmt::format("row {} of {} holds a number that is not finite; clean the rows", i, what),
          {.place = {.row = i + 1}});
    }
    divide_by_norm(out, rows.columns(), length);
  }
  return result;
}

void cosines(const float* query, MatrixView rows, float* out) {
  std::array<float, kTogether> one{};
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    inner_products<1>({query}, rows.row<float>(i), rows.columns(), one);
    out[i] = one[0];
  }
}

void BestHits::make_heap() {
  std::make_heap(hits_.begin(), hits_.end(), is_better);
}

void BestHits::replace_worst(Hit hit) {
  std::pop_heap(hits_.begin(), hits_.end(), is_better);
  hits_.back() = hit;
  std::push_heap(hits_.begin(), hits_.end(), is_better);
}

std::vector<Hit> BestHits::take() {
  std::vector<Hit> hits = std::exchange(hits_, {});
  std::sort(hits.begin(), hits.end(), is_better);
  return hits;
}

void for_each_best(const Matrix& queries, MatrixView rows, std::size_t top,
                   const std::function<bool(std::size_t, std::uint32_t)>& accept,
                   const std::function<void(std::size_t, std::vector<Hit>)>& body, Job& job) {
  const std::size_t tasks = blocks(queries.rows(), kTogether);
  job.stage("searching", 1, tasks);
  job.parallel(tasks, [&](std::size_t task, unsigned) {
    QueryGroup group;
    group.first = task * kTogether;
    group.count = std::min(kTogether, queries.rows() - group.first);
    group.best.assign(group.count, BestHits(top));
    for (std::size_t q = 0; q < group.count; ++q) {
      group.rows[q] = queries.row<float>(group.first + q);
    }
    scan(group, rows, accept);
    for (std::size_t q = 0; q < group.count; ++q) body(group.first + q, group.best[q].take());
  });
}

}  // namespace mbn
