// SPDX-License-Identifier: Apache-2.0
//
// Latent semantic analysis of one column: counts of words become log-tfidf weights, rows of norm 1,
// and their coordinates along the first right singular vectors, of norm 1 again, are the columns.
// Words are taken as they are written, because nobody said in which language; English function
// words are dropped. All is done by what prepares rows for a network (rows/preparation.hpp).
#include "input/text_coding.hpp"

#include <algorithm>
#include <utility>

#include "base/job.hpp"
#include "rows/kinds.hpp"
#include "rows/preparation.hpp"
#include "text/vectorizer.hpp"

namespace mbn {

namespace {

constexpr TextOptions kColumnOptions{.words = kMostWords,
                                     .min_documents = 2,
                                     .language = Language::none,
                                     .stop_words = StopWords::english,
                                     .weighting = Weighting::log_tfidf,
                                     .accents = Accents::fold};

// Readers have no options of a run, and no result depends on threads.
Job job_of_reader() {
  return Job(RunOptions{.threads = 1});
}

VectorizerData vectorizer_of(const TextCoding& coding) {
  VectorizerData vectorizer;
  vectorizer.options = kColumnOptions;
  vectorizer.documents = coding.texts;
  vectorizer.words = coding.words;
  vectorizer.document_counts = coding.texts_with;
  vectorizer.complete();
  return vectorizer;
}

}  // namespace

TextCoding fit_text_coding(std::span<const std::string> texts) {
  Job job = job_of_reader();
  VectorizerData vectorizer = fit_vectorizer(texts, kColumnOptions, job);
  TextCoding coding;
  coding.texts = vectorizer.documents;
  const SparseMatrix rows = vectorize(vectorizer, texts, job);
  coding.words = std::move(vectorizer.words);
  coding.texts_with = std::move(vectorizer.document_counts);
  const auto wanted = static_cast<std::uint32_t>(
      std::min({std::size_t{kTextColumns}, rows.columns, std::max<std::size_t>(1, rows.rows())}));
  const Rows sample = gather(rows, direction_sample(rows.rows(), true));
  const Directions directions = find_directions(sample, wanted, Metric::cosine, job);
  coding.columns = directions.count();
  for (std::size_t i = 0; i < directions.basis.rows(); ++i) {
    const float* row = directions.basis.row<float>(i);
    coding.basis.insert(coding.basis.end(), row, row + coding.columns);
  }
  return coding;
}

Matrix code_texts(const TextCoding& coding, std::span<const std::string> texts) {
  Job job = job_of_reader();
  Preparation preparation;
  preparation.sparse = true;
  preparation.scaler.metric = Metric::cosine;
  preparation.directions.variance.assign(coding.columns, 1);
  preparation.directions.basis = Matrix(coding.words.size(), coding.columns);
  for (std::size_t i = 0; i < coding.words.size(); ++i) {
    std::copy_n(coding.basis.data() + i * coding.columns, coding.columns,
                preparation.directions.basis.mutable_row<float>(i));
  }
  Rows rows = prepare_rows(preparation, vectorize(vectorizer_of(coding), texts, job), job);
  return std::move(rows.dense());
}

}  // namespace mbn
