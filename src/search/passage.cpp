// SPDX-License-Identifier: Apache-2.0
//
// A window of about two lines slides along the words of the question that stand in the text; it is
// worth the sum of the weights of the different ones in it. It begins a little before the first of
// them, and begins and ends between words.
#include "search/passage.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace mbn {

namespace {

constexpr std::size_t kTitleBytes = 100;
constexpr std::size_t kPassageBytes = 200;
constexpr std::size_t kBefore = 40;
/// Only so much of a long text is looked at.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

struct Match {
  WordPlace place;
  const std::string* stem;
  double weight;
};

bool is_blank(char letter) {
  return static_cast<unsigned char>(letter) <= 0x20 || letter == 0x7F;
}

bool is_inside_character(char letter) {
  return (static_cast<unsigned char>(letter) & 0xC0U) == 0x80U;
}

std::vector<Match> matches_in(std::string_view text, const StemWeights& stems, WordReader& reader) {
  std::vector<Match> matches;
  reader.read_places(text, [&](std::string_view stem, WordPlace place) {
    const auto found = stems.find(stem);
    if (found != stems.end()) matches.push_back({place, &found->first, found->second});
  });
  return matches;
}

/// What the window that begins with a match is worth.
double worth(const std::vector<Match>& matches, std::size_t first) {
  const std::size_t limit = matches[first].place.begin + kPassageBytes - kBefore;
  std::set<const std::string*> seen;
  double sum = 0;
  for (std::size_t i = first; i < matches.size() && matches[i].place.end <= limit; ++i) {
    if (seen.insert(matches[i].stem).second) sum += matches[i].weight;
  }
  return sum;
}

std::size_t best_begin(const std::vector<Match>& matches) {
  double best = -1;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const double now = worth(matches, i);
    if (now <= best) continue;
    best = now;
    begin = matches[i].place.begin;
  }
  return begin;
}

/// A little before `begin`, behind a blank.
std::size_t step_back(std::string_view text, std::size_t begin) {
  if (begin <= kBefore) return 0;
  for (std::size_t at = begin - kBefore; at < begin; ++at) {
    if (is_blank(text[at])) return at + 1;
  }
  return begin;
}

std::size_t window_end(std::string_view text, std::size_t begin) {
  if (text.size() - begin <= kPassageBytes) return text.size();
  std::size_t end = begin + kPassageBytes;
  while (end > begin + kPassageBytes / 2 && !is_blank(text[end])) --end;
  if (!is_blank(text[end])) end = begin + kPassageBytes;
  while (end < text.size() && is_inside_character(text[end])) ++end;
  return end;
}

/// Copies the bytes on one line and notes where the matches are in the copy.
void copy_window(std::string_view text, WordPlace window, const std::vector<Match>& matches,
                 Passage& passage) {
  auto match = std::ranges::find_if(
      matches, [&](const Match& one) { return one.place.begin >= window.begin; });
  std::uint32_t mark_begin = 0;
  for (std::size_t at = window.begin; at <= window.end; ++at) {
    const auto place = static_cast<std::uint32_t>(passage.text.size());
    if (match != matches.end() && at == match->place.end) {
      passage.marks.push_back({mark_begin, place});
      ++match;
    }
    if (match != matches.end() && at == match->place.begin) mark_begin = place;
    if (at == window.end) break;
    if (!is_blank(text[at])) {
      passage.text += text[at];
    } else if (!passage.text.empty() && passage.text.back() != ' ') {
      passage.text += ' ';
    }
  }
  if (passage.text.ends_with(' ')) passage.text.pop_back();
}

}  // namespace

Passage find_passage(std::string_view text, const StemWeights& stems, WordReader& reader) {
  const std::string_view looked_at = text.substr(0, kMostBytes);
  const std::vector<Match> matches = matches_in(looked_at, stems, reader);
  WordPlace window;
  window.begin = matches.empty() ? 0 : step_back(looked_at, best_begin(matches));
  window.end = window_end(looked_at, window.begin);
  Passage passage;
  passage.begins_inside = window.begin > 0;
  passage.ends_inside = window.end < text.size();
  copy_window(looked_at, window, matches, passage);
  return passage;
}

std::string title_of(std::string_view text) {
  std::string title;
  for (const char letter : text) {
    const bool blank = is_blank(letter);
    if (blank && (title.empty() || title.back() == ' ')) continue;
    if (title.size() >= kTitleBytes && !is_inside_character(letter)) break;
    if (title.size() >= kTitleBytes + 3) break;
    title += blank ? ' ' : letter;
  }
  if (title.ends_with(' ')) title.pop_back();
  return title;
}

}  // namespace mbn
