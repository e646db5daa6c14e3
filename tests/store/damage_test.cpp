// SPDX-License-Identifier: Apache-2.0
//
// Files that were damaged on the way: no byte may change, vanish or appear unnoticed.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <mbn/error.hpp>

#include "base/random.hpp"
#include "store/hand_made.hpp"
#include "store/model_file.hpp"
#include "store/model_reader.hpp"

namespace mbn {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Small, but with every kind of tensor.
const hand_made::Recipe kRecipe{
    .scale = Scale::standard, .clusterings = 2, .columns = 3, .centroids = {4, 2}};

std::string model_error(const Bytes& bytes) {
  return hand_made::format_error([&] { read_model(TensorReader(bytes, "m.mbn")); });
}

std::string checkpoint_error(const Bytes& bytes) {
  return hand_made::format_error([&] { read_checkpoint(TensorReader(bytes, "c.mbn")); });
}

template <class ErrorOf>
void expect_every_flip_is_seen(Bytes bytes, const ErrorOf& error_of) {
  ASSERT_EQ(error_of(bytes), "");
  Random random(5, Purpose::sample);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::uint8_t kept = bytes[i];
    for (const unsigned change : {0xffU, 1U << random.below(8)}) {
      bytes[i] = static_cast<std::uint8_t>(kept ^ change);
      ASSERT_NE(error_of(bytes), "") << "byte " << i << " xor " << change;
    }
    bytes[i] = kept;
  }
}

template <class ErrorOf>
void expect_every_truncation_is_seen(const Bytes& bytes, const ErrorOf& error_of) {
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const Bytes shorter(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    ASSERT_NE(error_of(shorter), "") << length << " bytes";
  }
}

TEST(Damage, EveryFlippedByteOfAModelIsSeen) {
  expect_every_flip_is_seen(hand_made::file_bytes(hand_made::make_model(kRecipe)), model_error);
}

TEST(Damage, EveryFlippedByteOfACheckpointIsSeen) {
  expect_every_flip_is_seen(hand_made::file_bytes(hand_made::make_checkpoint(kRecipe)),
                            checkpoint_error);
}

TEST(Damage, EveryTruncationOfAModelIsSeen) {
  expect_every_truncation_is_seen(hand_made::file_bytes(hand_made::make_model(kRecipe)),
                                  model_error);
}

TEST(Damage, EveryTruncationOfACheckpointIsSeen) {
  expect_every_truncation_is_seen(hand_made::file_bytes(hand_made::make_checkpoint(kRecipe)),
                                  checkpoint_error);
}

TEST(Damage, TruncatedFileOnDiskIsSeenToo) {
  const hand_made::Folder folder;
  const Bytes bytes = hand_made::file_bytes(hand_made::make_model(kRecipe));
  hand_made::write_bytes(folder.file("m.mbn"), {bytes.begin(), bytes.end() - 1});
  const std::string message =
      hand_made::format_error([&] { read_model_file(folder.file("m.mbn")); });
  EXPECT_NE(message.find("m.mbn: tensor"), std::string::npos) << message;
  EXPECT_NE(message.find("cut short"), std::string::npos) << message;
}

TEST(Damage, AppendedByteIsSeen) {
  Bytes bytes = hand_made::file_bytes(hand_made::make_model(kRecipe));
  bytes.push_back(0);
  EXPECT_EQ(model_error(bytes), "m.mbn: 1 bytes follow the last tensor; the file is damaged");
}

TEST(Damage, MessagesTellWhichTensor) {
  Bytes bytes = hand_made::file_bytes(hand_made::make_model(kRecipe));
  const TensorReader file(bytes, "m.mbn");
  const std::size_t data = bytes.size() - file.tensors().back().end;
  bytes[data + file.find("bottom.pool")->begin] ^= 1;
  EXPECT_EQ(model_error(bytes),
            "m.mbn: tensor 'bottom.pool' does not match its checksum; the file is damaged: copy or "
            "write it again");
}

TEST(Damage, ScrambledPiecesAreSeen) {
  const Bytes whole = hand_made::file_bytes(hand_made::make_model(kRecipe));
  const bool passed = rc::check("overwriting a stretch of a file is seen", [&] {
    Bytes bytes = whole;
    const auto first = *rc::gen::inRange<std::size_t>(0, bytes.size());
    const auto stretch = *rc::gen::arbitrary<Bytes>();
    for (std::size_t i = 0; i < stretch.size() && first + i < bytes.size(); ++i) {
      bytes[first + i] = stretch[i];
    }
    RC_PRE(bytes != whole);
    RC_ASSERT(!model_error(bytes).empty());
  });
  EXPECT_TRUE(passed);
}

}  // namespace
}  // namespace mbn
