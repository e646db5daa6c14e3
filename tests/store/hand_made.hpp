// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "network/model_data.hpp"
#include "store/tensor_file.hpp"

/// Models made by formula, not by a fit: small, valid, the same on every machine, and independent
/// of what the rest of the library does.
namespace mbn::hand_made {

struct Recipe {
  bool sparse = false;
  ElementType type = ElementType::float32;
  Metric metric = Metric::euclidean;
  Scale scale = Scale::none;
  std::uint32_t clusterings = 3;
  std::uint32_t columns = 5;
  std::vector<std::uint32_t> centroids = {8, 4, 2};  ///< one per layer
  std::uint32_t clusters = 2;
  std::uint32_t components = 2;
  std::uint32_t inputs_per_feature = 2;  ///< of so many inputs one is drawn
};

ModelData make_model(const Recipe& recipe);
/// A fit of the same recipe that stands after its last layer.
Checkpoint make_checkpoint(const Recipe& recipe);

bool same(MatrixView a, MatrixView b);
bool same(const ModelData& a, const ModelData& b);
bool same(const Checkpoint& a, const Checkpoint& b);

/// A folder of its own for each test, removed at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path file(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::vector<std::uint8_t> bytes_of_file(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes);

/// What the file of a model or checkpoint holds.
std::vector<std::uint8_t> file_bytes(const ModelData& model);
std::vector<std::uint8_t> file_bytes(const Checkpoint& checkpoint);

/// Header length, header and data put together without any care.
std::vector<std::uint8_t> raw_file(const std::string& header, const std::string& data = "");

/// The message of the FormatError that `body` throws; empty when it throws nothing.
std::string format_error(const std::function<void()>& body);

}  // namespace mbn::hand_made
