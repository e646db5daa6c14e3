// SPDX-License-Identifier: Apache-2.0
//
// Tables on their way out of a quarantine, and streams that do not make sense.
#include "input/array_stream.hpp"

#include <gtest/gtest.h>

#include <functional>

#include <mbn/error.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;

using Names = std::vector<std::string>;
using Fill = std::function<void(ArrayStreamWriter&)>;

Table sent(const Fill& fill) {
  Quarantine source("file", 1000, 1 << 20, [&](QuarantineOutput& output) {
    ArrayStreamWriter out(output);
    fill(out);
  });
  bool has_nan = false;
  Table table = read_array_stream(source, &has_nan);
  source.finish();
  return table;
}

template <class Number>
void send(ArrayStreamWriter& out, StreamPart part, NumberType type,
          const std::vector<Number>& numbers, std::vector<std::uint64_t> shape = {}) {
  if (shape.empty()) shape = {numbers.size()};
  out.begin(part, {.type = type, .shape = shape});
  out.numbers(numbers.data(), numbers.size() * sizeof(Number));
}

void send_rows(ArrayStreamWriter& out) {
  send<float>(out, StreamPart::rows, NumberType::float32, {1, 2, 3, 4, 5, 6}, {3, 2});
}

TEST(ArrayStream, DenseRowsWithNames) {
  const Table table = sent([](ArrayStreamWriter& out) {
    send_rows(out);
    out.names(StreamPart::row_names, {"a", "", "c"});
    out.names(StreamPart::column_names, {"x", "y"});
    out.gene_counts();
    out.end();
  });
  EXPECT_EQ(table.rows.dense().at(2, 1), 6.0F);
  EXPECT_EQ(table.ids, (Names{"a", "", "c"}));
  EXPECT_EQ(table.columns, (Names{"x", "y"}));
  EXPECT_TRUE(table.gene_counts);
}

TEST(ArrayStream, SparseRows) {
  for (const bool by_column : {false, true}) {
    const Table table = sent([by_column](ArrayStreamWriter& out) {
      out.compression(by_column, 2, 2);
      send<std::int64_t>(out, StreamPart::starts, NumberType::int64, {0, 2, 3});
      send<std::uint16_t>(out, StreamPart::indices, NumberType::uint16, {0, 1, 1});
      send<double>(out, StreamPart::values, NumberType::float64, {1, 2.5, 3});
      out.gene_counts();
      out.end();
    });
    EXPECT_EQ(table.rows.sparse().starts, (by_column ? std::vector<std::uint64_t>{0, 1, 3}
                                                     : std::vector<std::uint64_t>{0, 2, 3}));
    EXPECT_FALSE(table.gene_counts) << "2.5 is no count";
  }
}

TEST(ArrayStream, ErrorsArePassedOn) {
  expect_error<InvalidArgument>(
      [] {
        sent([](ArrayStreamWriter& out) {
          out.error(InvalidArgument(ErrorCode::not_found, "no such array"), true);
        });
      },
      {"file: no such array", "array"});
  expect_error<FormatError>(
      [] {
        sent([](ArrayStreamWriter& out) {
          out.error(FormatError(ErrorCode::unsupported, "not read"), false);
        });
      },
      {"file: not read"});
}

TEST(ArrayStream, WhatDoesNotFitIsRefused) {
  const auto expect_refused = [](const Fill& fill, const std::vector<std::string>& words) {
    expect_error<FormatError>([&] { sent(fill); }, words);
  };
  expect_refused([](ArrayStreamWriter& out) { out.end(); }, {"holds no rows"});
  expect_refused([](ArrayStreamWriter& out) { send_rows(out); }, {"ends inside its arrays"});
  expect_refused(
      [](ArrayStreamWriter& out) {
        send_rows(out);
        out.names(StreamPart::row_names, {"a"});
        out.end();
      },
      {"1 names for 3 rows"});
  expect_refused(
      [](ArrayStreamWriter& out) {
        out.begin(StreamPart::rows, {.type = NumberType::float32, .shape = {1U << 30, 1U << 30}});
      },
      {"damaged"});
  // An error inside an array cannot be told from its numbers, so that the array is cut short.
  expect_refused(
      [](ArrayStreamWriter& out) {
        out.begin(StreamPart::rows, {.type = NumberType::uint8, .shape = {2, 20}});
        out.error(
            FormatError(ErrorCode::damaged, "a message longer than all of the array's numbers"),
            false);
      },
      {"ends inside the array"});
}

}  // namespace
}  // namespace mbn
