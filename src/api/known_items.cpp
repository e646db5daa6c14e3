// SPDX-License-Identifier: Apache-2.0
#include <mbn/known_items.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <mbn/error.hpp>

namespace mbn {

namespace {

constexpr std::uint32_t kDeepest = 1000;
constexpr std::size_t kTogether = 256;

std::unordered_map<std::string, std::uint32_t> rows_by_id(const Index& index) {
  std::unordered_map<std::string, std::uint32_t> rows;
  for (std::uint32_t row = 0; row < index.rows(); ++row) rows.emplace(index.id(row), row);
  return rows;
}

void add_answer(KnownItemScores& scores, const std::vector<Hit>& hits, std::uint32_t answer) {
  if (hits.empty()) ++scores.unanswered;
  const auto found = std::ranges::find(hits, answer, &Hit::row);
  if (found == hits.end()) return;
  const auto rank = static_cast<std::size_t>(found - hits.begin()) + 1;
  scores.mean_reciprocal_rank += 1.0 / static_cast<double>(rank);
  if (rank == 1) ++scores.recall_at_1;
  if (rank <= 10) ++scores.recall_at_10;
}

}  // namespace

KnownItemScores score_known_items(const Index& index, const Documents& questions,
                                  std::optional<Method> method, const RunOptions& run) {
  if (questions.size() == 0 || questions.ids.size() != questions.size()) {
    throw InvalidArgument(ErrorCode::too_small,
                          fmt::format("there are {} questions with {} ids; give at least one, each "
                                      "with the id of its document",
                                      questions.size(), questions.ids.size()));
  }
  const auto rows = rows_by_id(index);
  KnownItemScores scores;
  scores.questions = questions.size();
  for (std::size_t first = 0; first < questions.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, questions.size() - first);
    const auto answers =
        index.search_text(std::span(questions.texts).subspan(first, count), kDeepest, run, method);
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = rows.find(questions.ids[first + i]);
      if (found == rows.end()) {
        throw InvalidArgument(
            ErrorCode::not_found,
            fmt::format("the question {} is about '{}', which is not in the index", first + i + 1,
                        questions.ids[first + i]));
      }
      add_answer(scores, answers[i], found->second);
    }
  }
  const auto all = static_cast<double>(questions.size());
  scores.mean_reciprocal_rank /= all;
  scores.recall_at_1 /= all;
  scores.recall_at_10 /= all;
  return scores;
}

}  // namespace mbn
