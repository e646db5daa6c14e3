// SPDX-License-Identifier: Apache-2.0
#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;

using Names = std::vector<std::string>;
using Values = std::vector<std::int32_t>;

Labels read_bytes(std::string_view text) {
  const Folder folder;
  return read_labels(folder.put("y.txt", text));
}

TEST(TextLabels, KeepsIntegers) {
  for (const char* text : {"3\n-1\n3\n", "3\r\n-1\r\n3", "label\n3\n-1\n3\n", "3.0\n-1e0\n+3\n\n",
                           "a,3\nb,-1\nc,3\n", "id;class\na;3\nb;-1\nc;3\n", "\"3\"\n-1\n3\n"}) {
    SCOPED_TRACE(text);
    const Labels labels = read_bytes(text);
    EXPECT_EQ(labels.values, (Values{3, -1, 3}));
    EXPECT_TRUE(labels.names.empty());
  }
  EXPECT_EQ(read_bytes(files::gzip("1\n2\n")).values, (Values{1, 2}));
}

TEST(TextLabels, NumbersWordsInSortedOrder) {
  const Labels labels = read_bytes("Iris versicolor\nIris setosa\nIris versicolor\n");
  EXPECT_EQ(labels.names, (Names{"Iris setosa", "Iris versicolor"}));
  EXPECT_EQ(labels.values, (Values{1, 0, 1}));
  EXPECT_EQ(read_bytes("10\nb\n9\n").names, (Names{"10", "9", "b"}));
  EXPECT_EQ(read_bytes("0.5\n1\n2\n").names, (Names{"0.5", "1", "2"}));
  EXPECT_EQ(read_bytes("\"a, b\"\n\"c \"\"d\"\"\"\n").names, (Names{"a, b", "c \"d\""}));
}

TEST(TextLabels, SkipsAHeaderOnlyAboveIntegers) {
  EXPECT_EQ(read_bytes("class\na\nb\n").values.size(), 3u);
  EXPECT_EQ(read_bytes("class\n1\n2\n").values.size(), 2u);
  EXPECT_EQ(read_bytes("class\n").values.size(), 1u);
}

TEST(TextLabels, RefusesWhatIsMissing) {
  expect_error<FormatError>([] { read_bytes(""); }, {"y.txt", "the file is empty"});
  expect_error<FormatError>([] { read_bytes("a,1\nb,\n"); }, {"y.txt:2: the label is missing"});
  expect_error<FormatError>([] { read_bytes("1\n\n2\n"); }, {"y.txt:2: the line is empty"});
  expect_error<FormatError>([] { read_bytes("a,1\nb\n"); }, {"y.txt:2: the line has 1 cells"});
  expect_error<IoError>([] { read_labels("/no/such/file"); }, {"No such file"});
}

}  // namespace
}  // namespace mbn
