// SPDX-License-Identifier: Apache-2.0
//
// Exact search at an upper layer without any table, for a few rows: making the index of the walk
// takes longer than encoding a thousand rows by it. The agreement s of a row with a kept row on all
// features bounds the agreement on the drawn ones (kernels/agreement_walk.cpp). So
//
//  1. one pass through the codes of the kept rows counts s for all of them;
//  2. each clustering goes through the rows that it drew, in drawn order, and counts on the drawn
//     features only where s is above the best so far. In drawn order a tie is never better.
#include <algorithm>
#include <vector>

#include "kernels/equal_codes.hpp"
#include "upper/upper_engine.hpp"
#include "upper/upper_engines.hpp"

namespace mbn {

namespace {

// So many kept rows stay in the cache while each of the rows is compared with them.
constexpr std::size_t kKeptPerTask = 1024;

class ScanUpper final : public UpperEngine {
 public:
  ScanUpper(const CodeMatrix& kept, const Draws& draws) : kept_(kept), draws_(draws) {}

  void encode(const CodeMatrix& rows, CodeMatrix& codes, Job& job) const override {
    rows.visit([&]<class Code>(const Code* input) {
      kept_.visit([&]<class Other>(const Other* kept) {
        // Both are codes of the same layer, so the types are equal.
        if constexpr (std::is_same_v<Code, Other>) scan(rows.rows(), input, kept, codes, job);
      });
    });
  }

 private:
  template <class Code>
  void scan(std::size_t rows, const Code* input, const Code* kept, CodeMatrix& codes,
            Job& job) const {
    const std::size_t features = kept_.clusterings();
    std::vector<std::uint16_t> equal(rows * kept_.rows());
    job.parallel(blocks(kept_.rows(), kKeptPerTask), [&](std::size_t task, unsigned) {
      const std::size_t first = task * kKeptPerTask;
      const std::size_t count = std::min(kKeptPerTask, kept_.rows() - first);
      for (std::size_t i = 0; i < rows; ++i) {
        count_equal(input + i * features, kept + first * features, count, features,
                    equal.data() + i * kept_.rows() + first);
      }
    });
    job.parallel(draws_.clusterings, [&](std::size_t clustering, unsigned) {
      codes.visit([&]<class Output>(Output* output) {
        for (std::size_t i = 0; i < rows; ++i) {
          output[i * draws_.clusterings + clustering] = static_cast<Output>(
              winner(clustering, input + i * features, kept, equal.data() + i * kept_.rows()));
        }
      });
    });
  }

  template <class Code>
  std::uint32_t winner(std::size_t clustering, const Code* row, const Code* kept,
                       const std::uint16_t* equal) const {
    const auto drawn = draws_.rows_of(clustering);
    const auto columns = draws_.columns_of(clustering);
    std::uint32_t best = 0;
    std::size_t most = 0;
    for (std::uint32_t code = 0; code < drawn.size(); ++code) {
      if (equal[drawn[code]] <= most) continue;
      const Code* other = kept + drawn[code] * kept_.clusterings();
      std::size_t agreement = 0;
      for (const std::uint32_t f : columns) agreement += row[f] == other[f] ? 1 : 0;
      if (agreement <= most) continue;
      most = agreement;
      best = code;
    }
    return best;
  }

  const CodeMatrix& kept_;
  const Draws& draws_;
};

}  // namespace

std::unique_ptr<UpperEngine> make_scan_upper(const CodeMatrix& kept, const Draws& draws) {
  return std::make_unique<ScanUpper>(kept, draws);
}

}  // namespace mbn
