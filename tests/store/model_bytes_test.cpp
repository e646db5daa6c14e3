// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>

#include <mbn/error.hpp>
#include <mbn/model.hpp>

#include "api/model_access.hpp"
#include "store/hand_made.hpp"

namespace mbn {
namespace {

Model hand_made_model() {
  return ModelAccess::make(hand_made::make_model({}));
}

TEST(ModelBytes, AreThoseOfTheFile) {
  EXPECT_EQ(hand_made_model().to_bytes(),
            hand_made::file_bytes(ModelAccess::data(hand_made_model())));
}

TEST(ModelBytes, GiveTheModelBack) {
  const Model model = hand_made_model();
  const Model back = Model::from_bytes(model.to_bytes());
  EXPECT_TRUE(hand_made::same(ModelAccess::data(back), ModelAccess::data(model)));
}

TEST(ModelBytes, AreNotTrusted) {
  std::vector<std::uint8_t> bytes = hand_made_model().to_bytes();
  EXPECT_THROW(Model::from_bytes({}), FormatError);
  EXPECT_THROW(Model::from_bytes(std::span(bytes).first(bytes.size() - 1)), FormatError);
  bytes.back() ^= 1;
  EXPECT_THROW(Model::from_bytes(bytes), FormatError);
}

TEST(ModelBytes, VarianceIsItsShareOfTheTotal) {
  const Model model = hand_made_model();
  const std::vector<double> variance = model.explained_variance();
  const std::vector<double> ratio = model.explained_variance_ratio();
  ASSERT_EQ(variance.size(), model.components());
  for (std::size_t i = 0; i < ratio.size(); ++i) {
    EXPECT_NEAR(variance[i] / variance[0], ratio[i] / ratio[0], 1e-12);
  }
}

}  // namespace
}  // namespace mbn
