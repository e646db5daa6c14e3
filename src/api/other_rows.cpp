// SPDX-License-Identifier: Apache-2.0
#include "api/other_rows.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/part_of.hpp"
#include "rows/kinds.hpp"

namespace mbn {

namespace {

std::vector<std::uint32_t> numbers_without(std::size_t rows, std::span<const std::uint32_t> pool) {
  std::vector<std::uint32_t> others;
  others.reserve(rows - pool.size());
  for (std::uint32_t row = 0, next = 0; row < rows; ++row) {
    if (next < pool.size() && pool[next] == row) {
      ++next;
    } else {
      others.push_back(row);
    }
  }
  return others;
}

// What was found for some rows, where they stand among all.
class AllRows {
 public:
  AllRows(std::size_t rows, FitResult& result) : rows_(rows), result_(result) {}

  void put(const RowOutputs& outputs, std::span<const std::uint32_t> numbers) {
    put(outputs.embedding, numbers, all_.embedding);
    put(outputs.map, numbers, all_.map);
    put(outputs.labels, numbers, all_.labels);
    put(outputs.confidence, numbers, all_.confidence);
  }

  void finish() {
    result_.embedding = std::move(all_.embedding);
    result_.map = std::move(all_.map);
    result_.labels = std::move(all_.labels);
    result_.confidence = std::move(all_.confidence);
  }

 private:
  void put(const Matrix& part, std::span<const std::uint32_t> numbers, Matrix& all) const {
    if (part.rows() == 0) return;
    if (all.rows() == 0) all = Matrix(rows_, part.columns());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::copy_n(part.row<float>(i), part.columns(), all.mutable_row<float>(numbers[i]));
    }
  }

  template <class Value>
  void put(const std::vector<Value>& part, std::span<const std::uint32_t> numbers,
           std::vector<Value>& all) const {
    if (part.empty()) return;
    all.resize(rows_);
    for (std::size_t i = 0; i < numbers.size(); ++i) all[numbers[i]] = part[i];
  }

  std::size_t rows_;
  FitResult& result_;
  RowOutputs all_;
};

}  // namespace

void add_other_rows(FitResult& result, RowsView all, std::span<const std::uint32_t> pool,
                    const RunOptions& run) {
  const std::vector<std::uint32_t> others = numbers_without(all.rows(), pool);
  AllRows outputs(all.rows(), result);
  const OutputChoice choice{.embedding = true,
                            .map = result.map.rows() != 0,
                            .labels = !result.labels.empty(),
                            .probabilities = false};
  outputs.put({std::move(result.embedding), std::move(result.map), std::move(result.labels),
               std::move(result.confidence), Matrix()},
              pool);
  constexpr std::size_t kBatchRows = 1 << 16;
  constexpr std::size_t kBatchBytes = std::size_t{1} << 28;
  const std::size_t row_bytes = std::max<std::size_t>(1, all.bytes() / all.rows());
  const std::size_t batch_rows = std::clamp<std::size_t>(kBatchBytes / row_bytes, 1, kBatchRows);
  const auto share = [&](std::size_t done) {
    return static_cast<double>(done) / static_cast<double>(others.size());
  };
  for (std::size_t first = 0; first < others.size(); first += batch_rows) {
    const std::size_t count = std::min(batch_rows, others.size() - first);
    const auto batch = std::span(others).subspan(first, count);
    outputs.put(result.model.outputs(gather(all, batch), choice,
                                     part_of(run, share(first), share(first + count))),
                batch);
  }
  outputs.finish();
}

}  // namespace mbn
