// SPDX-License-Identifier: Apache-2.0
#include "input/documents.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <mbn/error.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using Words = std::vector<std::string>;

std::unique_ptr<ByteSource> source_of(const std::string& text, const std::string& name) {
  auto bytes = std::make_shared<std::string>(text);
  const std::span<const std::byte> all(reinterpret_cast<const std::byte*>(bytes->data()),
                                       bytes->size());
  return std::make_unique<MemorySource>(name, std::move(bytes), all);
}

Documents read(const std::string& text, const std::string& name,
               const DocumentOptions& options = {}) {
  return read_documents_from(source_of(text, name), options);
}

TEST(Documents, LinesAreDocumentsAndEmptyOnesCount) {
  const Documents documents = read("one\r\n\ntwo words\nlast", "docs.txt");
  EXPECT_EQ(documents.texts, (Words{"one", "", "two words", "last"}));
  EXPECT_EQ(documents.ids, (Words{"1", "2", "3", "4"}));
  EXPECT_EQ(read("", "docs.txt").size(), 0u);
  EXPECT_EQ(read("\n", "docs.txt").texts, Words{""});
  EXPECT_EQ(read("\xef\xbb\xbfmark\n", "docs.txt").texts, Words{"mark"});
  EXPECT_EQ(read(files::gzip("a\nb\n"), "docs.txt.gz").texts, (Words{"a", "b"}));
}

TEST(Documents, LongLinesAreWhole) {
  const std::string long_line(10'000'000, 'x');
  const Documents documents = read("a\n" + long_line + "\nb\n", "docs");
  ASSERT_EQ(documents.size(), 3u);
  EXPECT_EQ(documents.texts[1], long_line);
  EXPECT_EQ(documents.texts[2], "b");
}

TEST(Documents, CsvByNameAndNumber) {
  const std::string csv = "id,text,n\na,\"one, two\",1\nb,,2\nc,\"line\nend \xff\",3\n";
  const Documents documents = read(csv, "d.csv", {.id_column = "id"});
  EXPECT_EQ(documents.texts, (Words{"one, two", "", "line\nend \xff"}));
  EXPECT_EQ(documents.ids, (Words{"a", "b", "c"}));
  EXPECT_EQ(read(csv, "d.csv", {.text_column = "-3"}).texts, (Words{"a", "b", "c"}));
  EXPECT_EQ(read(csv, "d", {.format = DocumentFormat::csv, .text_column = "3"}).ids,
            (Words{"1", "2", "3"}));
  files::expect_error<InvalidArgument>([&] { read(csv, "d.csv", {.text_column = "body"}); },
                                       {"text_column = body", "d.csv", "id, text, n"});
  files::expect_error<InvalidArgument>([&] { read(csv, "d.csv", {.text_column = "4"}); },
                                       {"from 1 to 3"});
  files::expect_error<FormatError>([] { read("text,n\na,1\nb\n", "d.csv"); },
                                   {"d.csv:3", "1 cells", "has 2"});
}

TEST(Documents, JsonLines) {
  const std::string json =
      "{\"text\": \"caf\\u00e9\", \"id\": 7}\n\n{\"id\": \"x\", \"text\": null}\n";
  const Documents documents = read(json, "d.jsonl", {.id_column = "id"});
  EXPECT_EQ(documents.texts, (Words{"café", ""}));
  EXPECT_EQ(documents.ids, (Words{"7", "x"}));
  const auto refuse = [](const std::string& text, const char* part) {
    files::expect_error<FormatError>([&] { read("{\"text\":\"\"}\n" + text, "d.jsonl"); },
                                     {"d.jsonl:2", part});
  };
  refuse("{\"txt\": \"\"}", "no field 'text'");
  refuse("{\"text\": []}", "not a text");
  refuse("[1]", "not a JSON object");
  refuse("{\"text\": \"\xff\"}", "UTF-8");
  refuse("{\"text\": \"cut", "not a JSON object");
  refuse(std::string(100000, '['), "not a JSON object");
}

TEST(Documents, FoldersBySortedPath) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "mbn-documents";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "b");
  std::ofstream(folder / "c.txt") << "third\nfile";
  std::ofstream(folder / "b" / "x") << "second";
  std::ofstream(folder / "a.csv") << "text,is,not,split";
  const Documents documents = read_documents(folder);
  EXPECT_EQ(documents.ids, (Words{"a.csv", "b/x", "c.txt"}));
  EXPECT_EQ(documents.texts, (Words{"text,is,not,split", "second", "third\nfile"}));
  std::filesystem::remove_all(folder);
  files::expect_error<IoError>([&] { read_documents(folder); }, {"mbn-documents"});
}

}  // namespace
}  // namespace mbn
