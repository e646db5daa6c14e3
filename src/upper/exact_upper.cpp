// SPDX-License-Identifier: Apache-2.0
//
// Exact search at an upper layer: a row gets the code of the drawn row with the highest agreement,
//
//     argmax_j  #{drawn features f : code_f(drawn row j) = code_f(row)},
//
// ties to the lower code.
//
// For one clustering, an inverted index lists for each drawn feature and each code the drawn rows
// that have it. For each drawn feature of a row, one list is read and the counters of its drawn
// rows are increased. Most pairs of rows agree in no feature, so this is far less work than
// centroids x features comparisons. A row that agrees with no drawn row gets code 0, by the rule
// for ties.
//
// Clusterings are independent: each is one task.
#include <algorithm>
#include <vector>

#include "upper/upper_engine.hpp"

namespace mbn {

namespace {

struct Index {
  std::vector<std::uint32_t> starts;   // features x (codes below + 1), into the feature's members
  std::vector<std::uint32_t> members;  // features x drawn rows, grouped by code
  std::vector<std::uint32_t> next;     // codes below + 1: where the next member of a code goes
  std::vector<std::int16_t> counts;    // agreement of each drawn row
};

class ExactUpper final : public UpperEngine {
 public:
  ExactUpper(const CodeMatrix& kept, const Draws& draws) : kept_(kept), draws_(draws) {}

  void encode(const CodeMatrix& rows, CodeMatrix& codes, Job& job) const override {
    std::vector<Index> spaces(job.threads());
    job.parallel(draws_.clusterings, [&](std::size_t clustering, unsigned worker) {
      Index& index = spaces[worker];
      build(clustering, index);
      rows.visit([&](const auto* input) {
        codes.visit(
            [&](auto* output) { encode_all(clustering, rows.rows(), input, output, index, job); });
      });
    });
  }

 private:
  // A counting sort of the drawn rows by code, for each drawn feature.
  void build(std::size_t clustering, Index& index) const {
    const auto columns = draws_.columns_of(clustering);
    const auto drawn = draws_.rows_of(clustering);
    const std::size_t stride = kept_.centroids() + 1;
    index.starts.assign(columns.size() * stride, 0);
    index.members.resize(columns.size() * drawn.size());
    index.counts.resize(drawn.size());
    kept_.visit([&](const auto* cells) {
      const auto code = [&](std::size_t row, std::size_t column) {
        return static_cast<std::size_t>(cells[row * kept_.clusterings() + column]);
      };
      for (std::size_t f = 0; f < columns.size(); ++f) {
        std::uint32_t* starts = index.starts.data() + f * stride;
        std::uint32_t* members = index.members.data() + f * drawn.size();
        for (const std::uint32_t row : drawn) ++starts[code(row, columns[f]) + 1];
        for (std::size_t c = 1; c < stride; ++c) starts[c] += starts[c - 1];
        index.next.assign(starts, starts + stride);
        for (std::uint32_t j = 0; j < drawn.size(); ++j) {
          members[index.next[code(drawn[j], columns[f])]++] = j;
        }
      }
    });
  }

  template <class Input, class Output>
  void encode_all(std::size_t clustering, std::size_t rows, const Input* input, Output* output,
                  Index& index, Job& job) const {
    constexpr std::size_t kRowsBetweenChecks = 4096;
    const std::size_t clusterings = draws_.clusterings;
    for (std::size_t i = 0; i < rows; ++i) {
      if (i % kRowsBetweenChecks == 0) job.check();
      output[i * clusterings + clustering] =
          static_cast<Output>(most_agreeing(clustering, input + i * kept_.clusterings(), index));
    }
  }

  template <class Input>
  std::uint32_t most_agreeing(std::size_t clustering, const Input* row, Index& index) const {
    const auto columns = draws_.columns_of(clustering);
    const std::size_t stride = kept_.centroids() + 1;
    std::int16_t* counts = index.counts.data();
    std::fill(index.counts.begin(), index.counts.end(), std::int16_t{0});
    for (std::size_t f = 0; f < columns.size(); ++f) {
      const std::uint32_t* start = index.starts.data() + f * stride + row[columns[f]];
      const std::uint32_t* members = index.members.data() + f * draws_.centroids;
      for (std::uint32_t m = start[0]; m < start[1]; ++m) ++counts[members[m]];
    }
    std::int16_t most = 0;
    for (const std::int16_t count : index.counts) most = std::max(most, count);
    const auto first = std::find(index.counts.begin(), index.counts.end(), most);
    return static_cast<std::uint32_t>(first - index.counts.begin());
  }

  const CodeMatrix& kept_;
  const Draws& draws_;
};

}  // namespace

std::unique_ptr<UpperEngine> make_exact_upper(const CodeMatrix& kept, const Draws& draws) {
  return std::make_unique<ExactUpper>(kept, draws);
}

std::uint64_t exact_upper_bytes(std::uint64_t centroids, std::uint64_t features,
                                std::uint64_t centroids_below) {
  return sizeof(std::uint32_t) * features * (centroids_below + 1 + centroids) +
         sizeof(std::int16_t) * centroids;
}

}  // namespace mbn
