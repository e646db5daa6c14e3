// SPDX-License-Identifier: Apache-2.0
//
// An index in the layout of a model file: the embedding as a tensor, ids and titles as bytes with
// the place where each ends, and the vocabulary, the model or the lsa as the bytes of their own
// files. Each part is read with its own checks, and then all of them are compared with each other.
#include "store/index_file.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <mbn/error.hpp>

#include "store/kind.hpp"
#include "store/lsa_file.hpp"
#include "store/model_file.hpp"
#include "store/vocabulary_json.hpp"

namespace mbn {

namespace {

/// The tensor of the ids; the format keeps the former name.
constexpr const char* kIds = "index.names";

struct Texts {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> ends;
};

Texts pack(const std::vector<std::string>& texts) {
  Texts packed;
  for (const std::string& text : texts) {
    packed.bytes.insert(packed.bytes.end(), text.begin(), text.end());
    if (packed.bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw InvalidArgument(ErrorCode::too_large,
                            "ids or titles have more than 4 GB together; shorten them");
    }
    packed.ends.push_back(static_cast<std::uint32_t>(packed.bytes.size()));
  }
  return packed;
}

std::vector<std::string> unpack(const TensorReader& file, const std::string& name) {
  if (file.find(name) == nullptr) return {};
  const auto bytes = read_vector<std::uint8_t>(file, name);
  const auto ends = read_vector<std::uint32_t>(file, name + "_ends");
  std::vector<std::string> texts;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    if (end < begin || end > bytes.size()) file.fail(fmt::format("'{}' overlap", name));
    texts.emplace_back(bytes.begin() + begin, bytes.begin() + end);
    begin = end;
  }
  if (begin != bytes.size()) file.fail(fmt::format("'{}' do not fill their bytes", name));
  return texts;
}

/// What is to be written points into this.
class Writing {
 public:
  explicit Writing(const IndexData& index) : ids_(pack(index.ids)), titles_(pack(index.titles)) {
    const MatrixView rows = index.embedding;
    tensors.push_back(
        {"index.embedding", TensorType::f32, {rows.rows(), rows.columns()}, rows.row<float>(0)});
    add_texts(kIds, ids_);
    add_texts("index.titles", titles_);
    if (index.vectorizer) {
      const std::string json = vocabulary_to_json(*index.vectorizer);
      vocabulary_.assign(json.begin(), json.end());
      add("vocabulary", vocabulary_);
    }
    if (index.model) add("model", model_ = encode_model(*index.model));
    if (index.lsa) add("lsa", model_ = encode_lsa(*index.lsa));
  }

  std::vector<TensorSource> tensors;

 private:
  void add(const std::string& name, const std::vector<std::uint8_t>& bytes) {
    tensors.push_back({name, TensorType::u8, {bytes.size()}, bytes.data()});
  }
  void add_texts(const std::string& name, const Texts& texts) {
    if (texts.ends.empty()) return;
    add(name, texts.bytes);
    tensors.push_back({name + "_ends", TensorType::u32, {texts.ends.size()}, texts.ends.data()});
  }

  Texts ids_;
  Texts titles_;
  std::vector<std::uint8_t> vocabulary_;
  std::vector<std::uint8_t> model_;
};

/// The bytes of a nested file, or nothing.
std::optional<std::vector<std::uint8_t>> nested(const TensorReader& file, const char* name) {
  if (file.find(name) == nullptr) return std::nullopt;
  return read_vector<std::uint8_t>(file, name);
}

Matrix read_embedding(const TensorReader& file) {
  const TensorInfo& info = find_tensor(file, "index.embedding", TensorType::f32, 2);
  if (info.shape[0] == 0 || info.shape[1] == 0) file.fail("the index has no rows");
  Matrix embedding(info.shape[0], info.shape[1]);
  float* cells = embedding.mutable_row<float>(0);
  file.read(info, cells);
  for (std::size_t i = 0; i < embedding.rows() * embedding.columns(); ++i) {
    if (!(std::abs(cells[i]) <= 1.001F)) file.fail("a row of the embedding has a norm above 1");
  }
  return embedding;
}

}  // namespace

void write_index_file(const std::filesystem::path& path, const IndexData& index, bool overwrite) {
  Writing writing(index);
  write_tensor_file(path, common_metadata("index"), std::move(writing.tensors), overwrite);
}

IndexData read_index_file(const std::filesystem::path& path) {
  return read_index(TensorReader(path));
}

IndexData read_index(const TensorReader& file) {
  check_kind(file, "index", "an index");
  IndexData index;
  index.embedding = read_embedding(file);
  index.ids = unpack(file, kIds);
  index.titles = unpack(file, "index.titles");
  if (const auto bytes = nested(file, "vocabulary")) {
    index.vectorizer = std::make_shared<const VectorizerData>(vocabulary_from_json(
        {reinterpret_cast<const char*>(bytes->data()), bytes->size()}, file.name()));
  }
  if (const auto bytes = nested(file, "model")) {
    index.model = std::make_shared<const ModelData>(decode_model(*bytes));
  }
  if (const auto bytes = nested(file, "lsa")) {
    index.lsa = std::make_shared<const LsaData>(decode_lsa(*bytes));
  }
  try {
    check_index(index);
  } catch (const InvalidArgument& error) {
    file.fail(error.what());
  }
  return index;
}

}  // namespace mbn
