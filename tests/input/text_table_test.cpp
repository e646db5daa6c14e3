// SPDX-License-Identifier: Apache-2.0
#include "input/text_table.hpp"

#include <unistd.h>

#include <clocale>
#include <thread>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"
#include "input/reader.hpp"

namespace mbn {
namespace {

using files::expect_error;
using files::Folder;
using files::read_bytes;

using Names = std::vector<std::string>;

void expect_rows(const Table& table, const std::vector<std::vector<float>>& rows) {
  ASSERT_EQ(table.rows.rows(), rows.size());
  EXPECT_EQ(table.rows.dense().type(), ElementType::float32);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(table.rows.columns(), rows[i].size());
    for (std::size_t j = 0; j < rows[i].size(); ++j)
      EXPECT_EQ(table.rows.dense().at(i, j), rows[i][j]);
  }
}

TEST(TextTable, ReadsEverySeparator) {
  for (const char* text :
       {"1,2.5\n-3,4e1\n", "1\t2.5\n-3\t4e1\n", "1;2.5\n-3;4e1\n", "1 2.5\n-3 4e1\n",
        "  1   2.5 \n -3\t 4e1\n", "1, 2.5\n -3 ,4e1", "1,2.5\r\n-3,4e1\r\n",
        "\xef\xbb\xbf"
        "1,2.5\n-3,4e1\n",
        "1,2.5\n-3,4e1\n\n\r\n  \n", "\"1\",\"2.5\"\n\"-3\",4e1\n", "\"1\"  \"2.5\" \n-3 4e1 \n",
        "+1,+2.5\n-3,+40\n"}) {
    SCOPED_TRACE(text);
    const Table table = read_bytes(text);
    expect_rows(table, {{1, 2.5}, {-3, 40}});
    EXPECT_TRUE(table.columns.empty());
    EXPECT_FALSE(table.labels);
    EXPECT_TRUE(table.ids.empty());
  }
}

TEST(TextTable, ReadsOneColumnAndOneRow) {
  expect_rows(read_bytes("1\n2\n3"), {{1}, {2}, {3}});
  expect_rows(read_bytes("1,2,3"), {{1, 2, 3}});
}

TEST(TextTable, FindsAHeader) {
  const Table table = read_bytes("\"sepal, length\",\"say \"\"width\"\"\"\n1,2\n");
  expect_rows(table, {{1, 2}});
  EXPECT_EQ(table.columns, (Names{"sepal, length", "say \"width\""}));
}

TEST(TextTable, QuotedCellsMayHoldLineEnds) {
  const Table table = read_bytes("a,\"b\nc\"\r\n1,2\n3,x\n", {.label_column = "2"});
  EXPECT_EQ(table.columns, (Names{"a"}));
  EXPECT_EQ(table.labels->names, (Names{"2", "x"}));
  // The line number counts them.
  expect_error<FormatError>([] { read_bytes("a,\"b\nc\"\n1,2\n3,x\n"); },
                            {"x.csv:4: column 'b?c' (2): 'x' is not a number"});
}

TEST(TextTable, FindsLabelsAndIdsByName) {
  const Table table = read_bytes("name,x,y,kind\nann,1,2,cat\nbob,3,4,ant\ncy,5,6,cat\n",
                                 {.label_column = "kind", .id_column = {"name"}});
  expect_rows(table, {{1, 2}, {3, 4}, {5, 6}});
  EXPECT_EQ(table.columns, (Names{"x", "y"}));
  EXPECT_EQ(table.ids, (Names{"ann", "bob", "cy"}));
  EXPECT_EQ(table.labels->names, (Names{"ant", "cat"}));
  EXPECT_EQ(table.labels->values, (std::vector<std::int32_t>{1, 0, 1}));
}

TEST(TextTable, FindsLabelsAndIdsByNumber) {
  for (const char* last : {"4", "-1"}) {
    const Table table =
        read_bytes("ann,1,2,cat\nbob,3,4,ant\n", {.label_column = last, .id_column = {"1"}});
    expect_rows(table, {{1, 2}, {3, 4}});  // words beside the numbers make no header
    EXPECT_EQ(table.ids, (Names{"ann", "bob"}));
    EXPECT_EQ(table.labels->values, (std::vector<std::int32_t>{1, 0}));
  }
}

TEST(TextTable, ANameInALineOfNumbersMakesItAHeader) {
  const Table table = read_bytes("0,1,2,label\n5,6,7,1\n8,9,10,0\n", {.label_column = "label"});
  expect_rows(table, {{5, 6, 7}, {8, 9, 10}});
  EXPECT_EQ(table.columns, (Names{"0", "1", "2"}));
  EXPECT_EQ(table.labels->values, (std::vector<std::int32_t>{1, 0}));
  EXPECT_TRUE(table.labels->names.empty());
}

TEST(TextTable, KeepsIntegerLabels) {
  const auto labels = [](const char* text) {
    return *read_bytes(text, {.label_column = "2"}).labels;
  };
  EXPECT_EQ(labels("0,5\n0,-7\n0,5\n").values, (std::vector<std::int32_t>{5, -7, 5}));
  EXPECT_EQ(labels("0,1.0\n0,2.0\n").values, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(labels("0,1\n0,b\n0,10\n").names, (Names{"1", "10", "b"}));
  EXPECT_EQ(labels("0,3000000000\n0,1\n").names, (Names{"1", "3000000000"}));
}

TEST(TextTable, SaysTheFileAndThePlaceAsFields) {
  const Folder folder;
  const auto fails = [&](std::string_view text, ErrorCode code, const Place& place) {
    const std::filesystem::path path = folder.put("x.csv", text);
    try {
      read_table(path);
      ADD_FAILURE() << text << " was read";
    } catch (const FormatError& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_EQ(error.path(), path) << error.what();
      EXPECT_EQ(error.place(), place) << error.what();
    }
  };
  fails("1,2\n3,x\n", ErrorCode::bad_value, {.line = 2, .column = 2});
  fails("1,2\n3,4\n5\n", ErrorCode::bad_line, {.line = 3});
  fails("", ErrorCode::too_small, {});
}

TEST(TextTable, RefusesUnknownColumns) {
  const auto read = [](const ReadOptions& options) { read_bytes("a,b,c\n1,2,3\n", options); };
  expect_error<InvalidArgument>([&] { read({.label_column = "kind"}); },
                                {"label_column = kind", "a, b, c"});
  expect_error<InvalidArgument>([&] { read({.id_column = {"kind"}}); }, {"id_column = kind"});
  for (const char* number : {"0", "4", "-4", "99999999999999999999"}) {
    expect_error<InvalidArgument>([&] { read({.label_column = number}); },
                                  {number, "has 3 columns", "1 to 3"});
  }
  expect_error<InvalidArgument>([&] { read({.label_column = "b", .id_column = {"2"}}); },
                                {"both column 2"});
  expect_error<InvalidArgument>([] { read_bytes("a,a,b\n1,2,3\n", {.label_column = "a"}); },
                                {"several columns"});
  expect_error<FormatError>([] { read_bytes("a\n1\n", {.label_column = "a"}); },
                            {"no columns of numbers are left"});
}

TEST(TextTable, NamesTheBadCell) {
  expect_error<FormatError>([] { read_bytes("x,y,z\n1,2,3\n4,5,\n"); },
                            {"x.csv:3: column 'z' (3): the cell is empty"});
  expect_error<FormatError>([] { read_bytes("1,2\n3,abc\n"); },
                            {"x.csv:2: column 2: 'abc' is not a number"});
  expect_error<FormatError>([] { read_bytes("1,2\nNA,4\n"); },
                            {"x.csv:2: column 1: the value is missing ('NA')"});
  expect_error<FormatError>([] { read_bytes("1,2\n3,nan\n"); }, {"the value is missing ('nan')"});
  expect_error<FormatError>([] { read_bytes("1,2\n3,-inf\n"); }, {"'-inf' is not finite"});
  expect_error<FormatError>([] { read_bytes("1,2\n3,1e39\n"); }, {"'1e39' is too large"});
  expect_error<FormatError>([] { read_bytes("1,2\n3,1e999\n"); }, {"'1e999' is too large"});
  expect_error<FormatError>([] { read_bytes("1,2\n3,0x10\n"); }, {"'0x10' is not a number"});
  expect_error<FormatError>([] { read_bytes("1,2\n3,4 5\n"); }, {"'4 5' is not a number"});
  expect_error<FormatError>([] { read_bytes("1,2\n3,+-4\n"); }, {"'+-4' is not a number"});
  expect_error<FormatError>([] { read_bytes("x,y\n1,\n", {.label_column = "y"}); },
                            {"x.csv:2: column 'y' (2): the label is missing"});
}

TEST(TextTable, AMissingCellDoesNotMakeAHeader) {
  for (const char* text : {"1,,3\n4,5,6\n", "1,?,3\n4,5,6\n", "1,NA,3\n4,5,6\n", "1,nan,3\n"}) {
    expect_error<FormatError>([&] { read_bytes(text); }, {"x.csv:1: column 2: "});
  }
}

TEST(TextTable, TinyNumbersAreZero) {
  expect_rows(read_bytes("1e-60,1e-999,0e999,-1e-46\n1e-40,0,0,0\n"),
              {{0, 0, 0, 0}, {1e-40F, 0, 0, 0}});
  expect_rows(read_bytes("0." + std::string(400, '0') + "1,1\n"), {{0, 1}});
  expect_error<FormatError>([] { read_bytes(std::string(400, '9') + ",1\n"); }, {"too large"});
}

TEST(TextTable, RefusesRaggedAndBlankLines) {
  expect_error<FormatError>([] { read_bytes("1,2\n3\n"); },
                            {"x.csv:2: the line has 1 cells, but line 1 has 2"});
  expect_error<FormatError>([] { read_bytes("1,2\n3,4,5\n"); }, {"x.csv:2: the line has 3 cells"});
  expect_error<FormatError>([] { read_bytes("1,2\n\n \n3,4\n"); },
                            {"x.csv:2: the line is empty, but more lines follow"});
}

TEST(TextTable, RefusesEmptyFiles) {
  for (const char* text : {"", "\n", "\n\n  \r\n", "\xef\xbb\xbf"}) {
    expect_error<FormatError>([&] { read_bytes(text); }, {"x.csv", "the file is empty"});
  }
  expect_error<FormatError>([] { read_bytes("a,b\n"); }, {"header line (a, b)", "no row"});
}

TEST(TextTable, RefusesBrokenQuotes) {
  expect_error<FormatError>([] { read_bytes("1,2\n\"3,4\n5,6\n"); },
                            {"x.csv:2: a quote is opened"});
  expect_error<FormatError>([] { read_bytes("\"1\"2,3\n"); }, {"follows a closing quote"});
  // Inside a word a quote is a letter.
  EXPECT_EQ(read_bytes("5\" pipe,1\n", {.id_column = {"1"}}).ids, (Names{"5\" pipe"}));
}

TEST(TextTable, RefusesBinaryFiles) {
  expect_error<FormatError>([] { read_bytes(std::string("\x89PNG\0\0\0", 7)); },
                            {"not a kind of file that is read"});
  expect_error<FormatError>([] { read_bytes(std::string("1\0,\0002\0", 6)); },
                            {"not text in UTF-8"});
}

TEST(TextTable, MessagesCarryNoControlCharacters) {
  try {
    read_bytes("1,2\n3,\x1b[2J\n");
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
  }
}

TEST(TextTable, ReadsNumbersAlikeInEveryLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no German locale";
  const Table table = read_bytes("1.5,2\n");
  std::setlocale(LC_ALL, before.c_str());
  expect_rows(table, {{1.5, 2}});
}

TEST(TextTable, ReadsLongFilesAcrossItsWindow) {
  for (const char* cell : {"123.25", "\"123.25\""}) {
    std::string text;
    for (int i = 0; i < 20000; ++i) {
      text += std::to_string(i) + "," + cell + (i % 3 == 0 ? "\r\n" : "\n");
    }
    const Table table = read_bytes(text);
    ASSERT_EQ(table.rows.rows(), 20000u);
    for (std::size_t i = 0; i < 20000; ++i) {
      ASSERT_EQ(table.rows.dense().at(i, 0), static_cast<float>(i));
      ASSERT_EQ(table.rows.dense().at(i, 1), 123.25F);
    }
  }
}

TEST(TextTable, ReadsLinesLongerThanItsWindow) {
  std::string line = "1";
  for (int i = 0; i < 100000; ++i) line += ",2";
  EXPECT_EQ(read_bytes(line + "\n" + line).rows.dense().shape(), (Shape{2, 100001}));
  const std::string id(300000, 'x');
  EXPECT_EQ(read_bytes("\"" + id + "\",1\n\"" + id + "\"\"\",2", {.id_column = {"1"}}).ids,
            (Names{id, id + "\""}));
}

/// A source that gives one byte at a time, as a slow pipe might.
class SlowSource final : public BufferedSource {
 public:
  SlowSource(std::string name, std::string text)
      : BufferedSource(std::move(name)), text_(std::move(text)) {}
  std::uint64_t limit() const override { return UINT64_MAX; }

 protected:
  std::size_t fill(void* bytes, std::size_t count) override {
    if (position_ == text_.size() || count == 0) return 0;
    std::memcpy(bytes, &text_[position_++], 1);
    return 1;
  }

 private:
  std::string text_;
  std::size_t position_ = 0;
};

TEST(TextTable, ReadsSlowPipes) {
  for (const std::string& text :
       {std::string("\"a\"\"b\",\"c\nd\" \r\n1,\"2\"\r\n\"3\",4\r\n\r\n"),
        files::gzip("\"a\"\"b\",\"c\nd\" \r\n1,\"2\"\r\n\"3\",4\r\n\r\n")}) {
    const Table table = read_table_from(std::make_unique<SlowSource>("pipe", text), {});
    expect_rows(table, {{1, 2}, {3, 4}});
    EXPECT_EQ(table.columns, (Names{"a\"b", "c\nd"}));
  }
  const std::vector<float> cells = {1, 2};
  const Table table = read_table_from(
      std::make_unique<SlowSource>("pipe", files::npy("<f4", "(1, 2)", files::bytes_of(cells))),
      {});
  expect_rows(table, {{1, 2}});
}

TEST(TextTable, ReadsPipesByPath) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    std::string text;
    for (int i = 0; i < 50000; ++i) text += "1,2\n";
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
  });
  EXPECT_EQ(read_matrix("/dev/fd/" + std::to_string(ends[0])).rows(), 50000u);
  writer.join();
  ::close(ends[0]);
}

TEST(TextTable, SaysWhichFileCannotBeOpened) {
  expect_error<IoError>([] { read_table("/no/such/file.csv"); },
                        {"/no/such/file.csv", "No such file or directory"});
  const Folder folder;
  expect_error<IoError>([&] { read_table(folder.path()); }, {"Is a directory"});
}

}  // namespace
}  // namespace mbn
