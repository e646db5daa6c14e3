// SPDX-License-Identifier: Apache-2.0
//
// Every document gets a score. Fusion is
//
//   (1 - s) BM25 / max BM25 + s cosine
//
// Numbers beat ranks here: by reciprocal ranks, a document that only one method likes drops out of
// the first ten, however much better it is than the next (docs/adr/0036-search.md). One question is
// shared by all threads, many questions are handed out.
#include "search/rank.hpp"

#include <algorithm>
#include <functional>

#include "search/cosine.hpp"

namespace mbn {

namespace {

/// s, the share of the cosine in a fused score.
constexpr double kCosineShare = 0.1;
constexpr std::size_t kRowsPerTask = 4096;
/// What is shown as 0 to four digits is no answer.
constexpr double kLeastScore = 5e-5;

class Ranker {
 public:
  explicit Ranker(const Collection& collection)
      : collection_(collection),
        rows_(collection.lexicon != nullptr ? collection.lexicon->size()
                                            : collection.embedding.rows()) {}

  /// With a job, its threads share the scan of the embedding.
  std::vector<Hit> best(const Question& question, std::size_t top, Job* job) {
    const bool has_words = collection_.lexicon != nullptr && !question.words.empty();
    const bool has_direction = collection_.embedding.columns() > 0 && !question.direction.empty();
    if (!has_words && !has_direction) return {};
    if (has_words) {
      by_words_.resize(rows_);
      bm25_scores(*collection_.lexicon, question.words, by_words_);
    }
    if (has_direction) scan(question.direction, job);
    const bool fused = collection_.lexicon != nullptr && collection_.embedding.columns() > 0;
    if (fused) return pick(question, top, fused_score(has_words, has_direction));
    if (has_direction) return pick(question, top, [this](std::size_t i) { return by_place_[i]; });
    return pick(question, top, [this](std::size_t i) {
      return by_words_[i] > 0 ? static_cast<float>(by_words_[i]) : kNoAnswer;
    });
  }

 private:
  using Score = std::function<float(std::size_t)>;
  static constexpr float kNoAnswer = -2;

  void scan(const std::vector<float>& direction, Job* job) {
    by_place_.resize(rows_);
    const std::size_t tasks = blocks(rows_, kRowsPerTask);
    const auto part = [&](std::size_t task, unsigned) {
      const std::size_t first = task * kRowsPerTask;
      const std::size_t count = std::min(kRowsPerTask, rows_ - first);
      cosines(direction.data(), collection_.embedding.slice(first, count), &by_place_[first]);
    };
    if (job != nullptr) return job->parallel(tasks, part);
    for (std::size_t task = 0; task < tasks; ++task) part(task, 0);
  }

  Score fused_score(bool has_words, bool has_direction) const {
    const double best = has_words ? *std::ranges::max_element(by_words_) : 0;
    const double words = best > 0 ? (1 - kCosineShare) / best : 0;
    return [this, words, has_words, has_direction](std::size_t i) {
      const double by_words = has_words ? words * by_words_[i] : 0;
      const double by_place = has_direction ? kCosineShare * double{by_place_[i]} : 0;
      // A document that shares no word with the question and does not lie its way has nothing to do
      // with it.
      const bool related = by_words > 0 || by_place >= kLeastScore;
      return related ? static_cast<float>(by_words + by_place) : kNoAnswer;
    };
  }

  std::vector<Hit> pick(const Question& question, std::size_t top, const Score& score) const {
    BestHits hits(top);
    for (std::size_t i = 0; i < rows_; ++i) {
      const auto row = static_cast<std::uint32_t>(i);
      const float now = score(i);
      if (now != kNoAnswer && row != question.self) hits.offer({row, now});
    }
    return hits.take();
  }

  const Collection& collection_;
  std::size_t rows_;
  std::vector<double> by_words_;
  std::vector<float> by_place_;
};

}  // namespace

std::vector<std::vector<Hit>> rank(const Collection& collection,
                                   const std::vector<Question>& questions, std::size_t top,
                                   Job& job) {
  std::vector<std::vector<Hit>> answers(questions.size());
  if (questions.size() < job.threads()) {
    Ranker ranker(collection);
    for (std::size_t q = 0; q < questions.size(); ++q) {
      answers[q] = ranker.best(questions[q], top, &job);
    }
    return answers;
  }
  std::vector<Ranker> rankers(job.threads(), Ranker(collection));
  job.stage("searching", 1, questions.size());
  job.parallel(questions.size(), [&](std::size_t q, unsigned worker) {
    answers[q] = rankers[worker].best(questions[q], top, nullptr);
  });
  return answers;
}

}  // namespace mbn
