// SPDX-License-Identifier: Apache-2.0
//
// An index in the layout of a model file: the embedding as a tensor, ids, titles and texts as bytes
// with the place where each ends, the lexicon as the lists of its words one after the other, and
// the vocabulary, the model and the lsa as the bytes of their own files. Each part is read with its
// own checks, and then all of them are compared with each other.
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

PackedTexts read_texts(const TensorReader& file, const std::string& name) {
  if (file.find(name + "_ends") == nullptr) return {};
  const auto ends = read_vector<std::uint32_t>(file, name + "_ends");
  std::vector<char> bytes;
  if (file.find(name) != nullptr) {
    const TensorInfo& info = find_tensor(file, name, TensorType::u8, 1);
    bytes.resize(info.shape[0]);
    file.read(info, bytes.data());
  }
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    if (end < begin || end > bytes.size()) file.fail(fmt::format("'{}' overlap", name));
    begin = end;
  }
  if (begin != bytes.size()) file.fail(fmt::format("'{}' do not fill their bytes", name));
  return {std::move(bytes), ends};
}

/// What is to be written points into this.
class Writing {
 public:
  explicit Writing(const IndexData& index) {
    add_rows("index.embedding", index.embedding);
    add_rows("index.lsa_embedding", index.lsa_embedding);
    add_texts(kIds, index.ids);
    add_texts("index.titles", index.titles);
    add_texts("index.texts", index.texts);
    add("index.clusters", TensorType::u32, index.clusters);
    if (index.lexicon) add_lexicon(*index.lexicon);
    if (index.vectorizer) {
      const std::string json = vocabulary_to_json(*index.vectorizer);
      vocabulary_.assign(json.begin(), json.end());
      add("vocabulary", TensorType::u8, vocabulary_);
    }
    if (index.model) add("model", TensorType::u8, model_ = encode_model(*index.model));
    if (index.lsa) add("lsa", TensorType::u8, lsa_ = encode_lsa(*index.lsa));
  }

  std::vector<TensorSource> tensors;

 private:
  /// A tensor without elements is left out.
  template <class T>
  void add(const std::string& name, TensorType type, const std::vector<T>& values) {
    if (!values.empty()) tensors.push_back({name, type, {values.size()}, values.data()});
  }
  void add_rows(const std::string& name, MatrixView rows) {
    if (rows.rows() == 0 || rows.columns() == 0) return;
    tensors.push_back({name, TensorType::f32, {rows.rows(), rows.columns()}, rows.row<float>(0)});
  }
  void add_texts(const std::string& name, const PackedTexts& texts) {
    add(name, TensorType::u8, texts.bytes());
    add(name + "_ends", TensorType::u32, texts.ends());
  }
  void add_lexicon(const Lexicon& lexicon) {
    add_texts("lexicon.words", lexicon.words);
    for (std::size_t word = 0; word < lexicon.words.size(); ++word) {
      list_sizes_.push_back(
          static_cast<std::uint32_t>(lexicon.documents_with(static_cast<std::uint32_t>(word))));
    }
    add("lexicon.list_sizes", TensorType::u32, list_sizes_);
    add("lexicon.documents", TensorType::u32, lexicon.documents);
    add("lexicon.counts", TensorType::u8, lexicon.counts);
    add("lexicon.lengths", TensorType::u32, lexicon.lengths);
  }

  std::vector<std::uint32_t> list_sizes_;
  std::vector<std::uint8_t> vocabulary_;
  std::vector<std::uint8_t> model_;
  std::vector<std::uint8_t> lsa_;
};

/// The bytes of a nested file, or nothing.
std::optional<std::vector<std::uint8_t>> nested(const TensorReader& file, const char* name) {
  if (file.find(name) == nullptr) return std::nullopt;
  return read_vector<std::uint8_t>(file, name);
}

Matrix read_rows(const TensorReader& file, const char* name) {
  const TensorInfo& info = find_tensor(file, name, TensorType::f32, 2);
  if (info.shape[0] == 0 || info.shape[1] == 0) file.fail("the index has no rows");
  Matrix embedding(info.shape[0], info.shape[1]);
  float* cells = embedding.mutable_row<float>(0);
  file.read(info, cells);
  const std::size_t count = embedding.rows() * embedding.columns();
  bool sound = true;  // no branch in the loop: there are millions
  for (std::size_t i = 0; i < count; ++i) sound &= std::abs(cells[i]) <= 1.001F;
  if (!sound) file.fail("a row of the embedding has a norm above 1");
  return embedding;
}

/// All of a tensor that is left out when it has no elements.
template <class T>
std::vector<T> read_if_there(const TensorReader& file, const char* name) {
  return file.find(name) != nullptr ? read_vector<T>(file, name) : std::vector<T>();
}

std::shared_ptr<const Lexicon> read_lexicon(const TensorReader& file) {
  Lexicon lexicon;
  lexicon.words = read_texts(file, "lexicon.words");
  const auto sizes = read_if_there<std::uint32_t>(file, "lexicon.list_sizes");
  lexicon.starts.reserve(sizes.size() + 1);
  for (const std::uint32_t size : sizes) lexicon.starts.push_back(lexicon.starts.back() + size);
  lexicon.documents = read_if_there<std::uint32_t>(file, "lexicon.documents");
  lexicon.counts = read_if_there<std::uint8_t>(file, "lexicon.counts");
  lexicon.lengths = read_vector<std::uint32_t>(file, "lexicon.lengths");
  check_lexicon(lexicon);
  return std::make_shared<const Lexicon>(std::move(lexicon));
}

Method read_method(const TensorReader& file, const IndexData& index) {
  if (!index.lexicon) return index.lsa ? Method::lsa : Method::mbn;
  const std::string& name = read_text(file, "method");
  const auto method = value_named<Method>(name);
  if (!method || !index.has(*method)) {
    file.fail(
        fmt::format("'method' in the metadata is {}, which this index cannot do", in_quotes(name)));
  }
  return *method;
}

IndexData read_parts(const TensorReader& file) {
  IndexData index;
  const bool lexical = file.find("lexicon.lengths") != nullptr;
  if (!lexical || file.find("index.embedding") != nullptr) {
    index.embedding = read_rows(file, "index.embedding");
  }
  if (file.find("index.lsa_embedding") != nullptr) {
    index.lsa_embedding = read_rows(file, "index.lsa_embedding");
  }
  index.ids = read_texts(file, kIds);
  index.titles = read_texts(file, "index.titles");
  index.texts = read_texts(file, "index.texts");
  index.clusters = read_if_there<std::uint32_t>(file, "index.clusters");
  if (lexical) index.lexicon = read_lexicon(file);
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
  check_index(index);
  index.method = read_method(file, index);
  return index;
}

}  // namespace

void write_index_file(const std::filesystem::path& path, const IndexData& index, bool overwrite) {
  Writing writing(index);
  Metadata metadata = common_metadata("index", index.lexicon ? kIndexVersion : 1);
  if (index.lexicon) metadata["method"] = name_of(index.method);
  write_tensor_file(path, std::move(metadata), std::move(writing.tensors), overwrite);
}

IndexData read_index_file(const std::filesystem::path& path) {
  return read_index(TensorReader(path));
}

IndexData read_index(const TensorReader& file) {
  check_kind(file, "index", "an index");
  try {
    return read_parts(file);
  } catch (const InvalidArgument& error) {
    file.fail(error.what());
  }
}

}  // namespace mbn
