// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <mbn/input.hpp>
#include <mbn/text.hpp>

#include "base/job.hpp"
#include "input/byte_source.hpp"
#include "store/vocabulary_json.hpp"
#include "text/vectorizer.hpp"

namespace mbn {

Vectorizer::Vectorizer(std::shared_ptr<const VectorizerData> data) : data_(std::move(data)) {}

Vectorizer Vectorizer::fit(std::span<const std::string> documents, const TextOptions& options,
                           const RunOptions& run) {
  Job job(run);
  return Vectorizer(
      std::make_shared<const VectorizerData>(fit_vectorizer(documents, options, job)));
}

const TextOptions& Vectorizer::options() const {
  return data_->options;
}
const std::vector<std::string>& Vectorizer::words() const {
  return data_->words;
}
const std::vector<std::uint32_t>& Vectorizer::document_counts() const {
  return data_->document_counts;
}
std::uint64_t Vectorizer::documents() const {
  return data_->documents;
}

SparseMatrix Vectorizer::transform(std::span<const std::string> documents,
                                   const RunOptions& run) const {
  Job job(run);
  return vectorize(*data_, documents, job);
}

std::vector<std::string> Vectorizer::whole_words(std::span<const std::string> documents) const {
  return mbn::whole_words(*data_, documents);
}

std::string Vectorizer::to_json() const {
  return vocabulary_to_json(*data_);
}

Vectorizer Vectorizer::from_json(std::string_view text, std::string_view file) {
  return Vectorizer(std::make_shared<const VectorizerData>(vocabulary_from_json(text, file)));
}

void Vectorizer::save(const std::filesystem::path& path, bool overwrite) const {
  write_text(path, to_json(), {.overwrite = overwrite, .columns = {}, .ids = {}});
}

Vectorizer Vectorizer::load(const std::filesystem::path& path) {
  const auto source = open_source(path.string());
  const auto bytes = mbn::load(*source);
  const auto rest = bytes->rest();
  return from_json({reinterpret_cast<const char*>(rest.data()), rest.size()}, path.string());
}

}  // namespace mbn
