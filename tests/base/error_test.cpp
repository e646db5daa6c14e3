// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cerrno>
#include <set>
#include <string>

#include <mbn/mbn.hpp>

namespace mbn {
namespace {

const Message kMessage{"sparse rows; leave out ",  option("scale"), " or give ",
                       option("metric", "cosine"), ", not ",        option_value("nan")};

TEST(Message, TheWordingOfTheLibraryIsNeutral) {
  EXPECT_EQ(kMessage.text(), "sparse rows; leave out scale or give metric = cosine, not nan");
  EXPECT_EQ(Message("plain").text(), "plain");
  EXPECT_EQ(Message(std::string("plain")).text(), "plain");
  EXPECT_EQ(Message().text(), "");
}

TEST(Message, AFrontEndWordsOptionsAndNothingElse) {
  std::string asked;
  const std::string text = kMessage.text([&](std::string_view name, std::string_view value) {
    asked += "(" + std::string(name) + "|" + std::string(value) + ")";
    return "<" + std::string(name) + ">";
  });
  EXPECT_EQ(text, "sparse rows; leave out <scale> or give <metric>, not <>");
  EXPECT_EQ(asked, "(scale|)(metric|cosine)(|nan)");
}

TEST(Message, WordsThatLookLikeAnOptionAreWords) {
  const Message message{"the file scale = standard.npy of ", option("scale")};
  EXPECT_EQ(message.text([](auto, auto) { return "X"; }), "the file scale = standard.npy of X");
}

TEST(Message, CanBeAppendedTo) {
  Message message{"a ", option("b")};
  message += {" c ", option("d", "1")};
  EXPECT_EQ(message.text(), "a b c d = 1");
  EXPECT_EQ(message, (Message{"a ", option("b"), " c ", option("d", "1")}));
}

TEST(Message, AutoOnItsOwnIsAZeroInTheStructs) {
  EXPECT_EQ((Message{"or ", option_value("auto")}).text(), "or auto");
}

TEST(Error, CarriesItsFields) {
  const FormatError error(
      ErrorCode::bad_value, "f.csv:3: 'x' is not a number",
      {.value = "x", .path = "f.csv", .place = {.line = 3, .column = 2}, .system_code = 0});
  EXPECT_STREQ(error.what(), "f.csv:3: 'x' is not a number");
  EXPECT_EQ(error.code(), ErrorCode::bad_value);
  EXPECT_EQ(error.value(), "x");
  EXPECT_EQ(error.path(), "f.csv");
  EXPECT_EQ(error.place(), (Place{.line = 3, .column = 2}));
  EXPECT_EQ(error.option(), "");
  EXPECT_EQ(error.system_code(), 0);
  const Error copy = error;  // NOLINT: a slice on purpose
  EXPECT_EQ(copy.path(), "f.csv");
}

TEST(Error, PlainTextHasTheCodeOfItsKind) {
  EXPECT_EQ(InvalidArgument("x").code(), ErrorCode::invalid);
  EXPECT_EQ(IoError("x").code(), ErrorCode::system);
  EXPECT_EQ(FormatError("x").code(), ErrorCode::damaged);
  EXPECT_EQ(MemoryLimitExceeded("x").code(), ErrorCode::memory);
  EXPECT_EQ(Cancelled().code(), ErrorCode::cancelled);
}

TEST(Error, ASystemCodeHasACode) {
  const auto code = [](int number) { return IoError(number, "x", "f").code(); };
  EXPECT_EQ(code(ENOENT), ErrorCode::file_missing);
  EXPECT_EQ(code(EEXIST), ErrorCode::file_exists);
  EXPECT_EQ(code(EROFS), ErrorCode::permission);
  EXPECT_EQ(code(ENOSPC), ErrorCode::no_space);
  EXPECT_EQ(code(EISDIR), ErrorCode::not_a_file);
  EXPECT_EQ(code(EIO), ErrorCode::system);
  const IoError error(EACCES, "x", "f");
  EXPECT_EQ(error.system_code(), EACCES);
  EXPECT_EQ(error.path(), "f");
}

TEST(Error, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(ErrorCode::cancelled); ++i) {
    names.insert(name_of(static_cast<ErrorCode>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorCode::cancelled) + 1);
  EXPECT_EQ(name_of(ErrorCode::no_clusters), "no_clusters");
  EXPECT_EQ(name_of(ErrorCode::memory), "memory");
  EXPECT_EQ(name_of(NoteCode::slow_bottom), "slow_bottom");
}

/// What the library throws, checked by its fields, not by its text.
template <class Kind, class Body>
void expect(Body&& body, ErrorCode code, const std::string& about, const std::string& seen) {
  try {
    body();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Kind& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.option(), about) << error.what();
    EXPECT_EQ(error.value(), seen) << error.what();
  }
}

TEST(Error, OptionsOutOfRangeAreFields) {
  expect<InvalidArgument>([] { validate(FitOptions{.decay = 1.5}); }, ErrorCode::out_of_range,
                          "decay", "1.5");
  expect<InvalidArgument>([] { validate(FitOptions{.metric = static_cast<Metric>(9)}); },
                          ErrorCode::unknown_choice, "metric", "9");
  expect<InvalidArgument>(
      [] {
        plan({10, 2, ElementType::float32}, {.clusters = 11});
      },
      ErrorCode::out_of_range, "clusters", "11");
  expect<MemoryLimitExceeded>(
      [] {
        plan({100000, 2, ElementType::float32}, {}, {.memory_limit = 1000});
      },
      ErrorCode::memory, "memory_limit", "1000");
}

TEST(Error, FilesAndPlacesAreFields) {
  try {
    read_table("no/such.csv");
    FAIL() << "read";
  } catch (const IoError& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_missing);
    EXPECT_EQ(error.system_code(), ENOENT);
    EXPECT_EQ(error.path(), "no/such.csv");
  }
  try {
    const std::string text = "not a model";
    Model::from_bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    FAIL() << "read";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_this_format) << error.what();
  }
}

}  // namespace
}  // namespace mbn
