// SPDX-License-Identifier: Apache-2.0
#include "store/guarded_json.hpp"

#include <gtest/gtest.h>

namespace mbn {
namespace {

TEST(GuardedJson, ReadsWhatIsWithinItsLimits) {
  const auto json = parse_guarded_json(R"({"a":[1,2],"b":{"a":3}})", {.depth = 2});
  ASSERT_TRUE(json);
  EXPECT_EQ(json->at("a").at(1), 2);
  EXPECT_EQ(json->at("b").at("a"), 3);
  EXPECT_EQ(parse_guarded_json<nlohmann::ordered_json>(R"({"z":1,"a":2})", {})->dump(),
            R"({"z":1,"a":2})");
  EXPECT_TRUE(parse_guarded_json("7", {.depth = 0}));
}

TEST(GuardedJson, RefusesWhatIsTooLongOrTooDeep) {
  EXPECT_TRUE(parse_guarded_json("[1,2]", {.bytes = 5}));
  EXPECT_FALSE(parse_guarded_json("[1,2]", {.bytes = 4}));
  EXPECT_FALSE(parse_guarded_json("[[[1]]]", {.depth = 2}));
  EXPECT_FALSE(parse_guarded_json(R"({"a":{"b":{}}})", {.depth = 2}));
  EXPECT_FALSE(parse_guarded_json("[]", {.depth = 0}));
  EXPECT_FALSE(parse_guarded_json(std::string(100000, '['), {}));
  EXPECT_FALSE(parse_guarded_json(std::string(5000, '[') + std::string(5000, ']'), {}));
}

TEST(GuardedJson, RefusesANameThatStandsTwiceInOneObject) {
  EXPECT_FALSE(parse_guarded_json(R"({"a":1,"a":2})", {}));
  EXPECT_FALSE(parse_guarded_json(R"({"b":{"a":1,"a":2}})", {}));
  EXPECT_FALSE(parse_guarded_json(R"({"a":{"b":1},"c":2,"a":3})", {}));
  EXPECT_TRUE(parse_guarded_json(R"([{"a":1},{"a":2}])", {}));
  EXPECT_TRUE(parse_guarded_json(R"({"a":{"a":1}})", {}));
}

TEST(GuardedJson, RefusesWhatIsNotJson) {
  for (const char* text : {"", "{", "[1,]", "{} {}", "nan", "{\"a\":\"\xff\"}"}) {
    EXPECT_FALSE(parse_guarded_json(text, {})) << text;
  }
}

}  // namespace
}  // namespace mbn
