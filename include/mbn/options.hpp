// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <mbn/error.hpp>
#include <mbn/message.hpp>

namespace mbn {

/// The distance between two rows at the bottom layer, on the drawn features only.
enum class Metric : std::uint8_t {
  euclidean,
  cosine,
  correlation,  ///< the cosine of rows from which their mean over all columns was subtracted
  manhattan,    ///< sum |a - b|
  chi_squared,  ///< sum (a - b)^2 / (a + b), for values of 0 or more
  hellinger,    ///< Euclidean between the square roots of rows brought to sum 1
  hamming,      ///< the share of unequal values
  jaccard,      ///< between sets: the columns that are not zero
  precomputed,  ///< rows are distances to the training rows, one column for each of them
};
/// What happens to every column before the network sees it.
enum class Scale : std::uint8_t { none, standard, minmax, automatic };
/// What becomes of counts (words of a document, genes of a cell) before all else.
enum class Weighting : std::uint8_t { counts, logarithm, tfidf, log_tfidf, cells };
/// How the nearest drawn rows are found at the bottom layer.
enum class Engine : std::uint8_t { automatic, exact };
/// What becomes of rows in which values are missing (NaN).
enum class MissingValues : std::uint8_t { refuse, partial };
/// How the principal components of the top codes are computed.
enum class Solver : std::uint8_t { automatic, kernel, em, lanczos };

/// The number of clusters: `unknown` (no labels), to `find`, or a number. The two words are the
/// same in the tool, in Python and in files.
class Clusters {
 public:
  static const Clusters unknown;
  static const Clusters find;

  constexpr Clusters() = default;
  constexpr Clusters(std::uint32_t count)  // NOLINT: implicit, so that `.clusters = 10` reads well
      : state_(State::number), count_(count) {}

  constexpr bool is_number() const { return state_ == State::number; }
  /// InvalidArgument when it is not a number.
  std::uint32_t count() const;
  constexpr std::uint32_t count_or(std::uint32_t otherwise) const {
    return is_number() ? count_ : otherwise;
  }

  /// "unknown", "find" or "10".
  std::string text() const;
  /// Clusters::find for "find", nothing for what is neither of the two words.
  static constexpr std::optional<Clusters> named(std::string_view word);
  static constexpr std::string_view words() { return "find|unknown"; }

  constexpr bool operator==(const Clusters&) const = default;

 private:
  enum class State : std::uint8_t { unknown, find, number };
  constexpr explicit Clusters(State state) : state_(state) {}

  State state_ = State::unknown;
  std::uint32_t count_ = 0;
};

inline constexpr Clusters Clusters::unknown{State::unknown};
inline constexpr Clusters Clusters::find{State::find};

constexpr std::optional<Clusters> Clusters::named(std::string_view word) {
  if (word == "unknown") return unknown;
  if (word == "find") return find;
  return std::nullopt;
}

/// How many principal directions of the rows the network works on: as many as a rule says
/// (`automatic`), `none` (the columns themselves), or a number. The words are "auto" and "none".
class DirectionCount {
 public:
  static const DirectionCount automatic;
  static const DirectionCount none;

  constexpr DirectionCount() = default;
  constexpr DirectionCount(std::uint32_t count)  // NOLINT: implicit, for `.directions = 50`
      : state_(State::number), count_(count) {}

  constexpr bool is_number() const { return state_ == State::number; }
  constexpr std::uint32_t count_or(std::uint32_t otherwise) const {
    return is_number() ? count_ : otherwise;
  }

  /// "auto", "none" or "50".
  std::string text() const;
  /// DirectionCount::none for "none", nothing for what is neither of the two words.
  static constexpr std::optional<DirectionCount> named(std::string_view word);
  static constexpr std::string_view words() { return "auto|none"; }

  constexpr bool operator==(const DirectionCount&) const = default;

 private:
  enum class State : std::uint8_t { automatic, none, number };
  constexpr explicit DirectionCount(State state) : state_(state) {}

  State state_ = State::automatic;
  std::uint32_t count_ = 0;
};

inline constexpr DirectionCount DirectionCount::automatic{State::automatic};
inline constexpr DirectionCount DirectionCount::none{State::none};

constexpr std::optional<DirectionCount> DirectionCount::named(std::string_view word) {
  if (word == "auto") return automatic;
  if (word == "none") return none;
  return std::nullopt;
}

/// A number or one of two words: Clusters and DirectionCount.
template <class Value>
concept WordOrCount = requires(const Value& value) {
  { Value::named("") } -> std::same_as<std::optional<Value>>;
  { value.is_number() } -> std::same_as<bool>;
};

/// Columns that belong together: `count` of them from `first` on.
struct ColumnBlock {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  /// Their deviation together with Scale::standard, where that of a column of numbers is 1.
  float weight = 0.5F;

  bool operator==(const ColumnBlock&) const = default;
};

/// Up to how many clusters `Clusters::find` looks for, unless told.
inline constexpr std::uint32_t kMostClusters = 30;

/// Everything that decides the answer. Stored in the model: the same data and the same FitOptions
/// give the same bytes on any number of threads.
struct FitOptions {
  std::optional<std::uint32_t> clusterings = std::nullopt;
  std::optional<double> feature_fraction = std::nullopt;
  std::optional<double> decay = std::nullopt;
  std::optional<std::uint32_t> centroids = std::nullopt;
  Clusters clusters = Clusters::unknown;
  std::uint32_t most_clusters = kMostClusters;
  std::optional<std::uint32_t> components = std::nullopt;
  Metric metric = Metric::euclidean;
  Weighting weighting = Weighting::counts;
  Scale scale = Scale::automatic;
  DirectionCount directions = DirectionCount::automatic;
  MissingValues missing = MissingValues::refuse;
  Engine engine = Engine::automatic;
  double excess = 0.05;
  std::optional<double> recall = std::nullopt;
  std::optional<std::uint32_t> pool = std::nullopt;
  Solver solver = Solver::automatic;
  std::uint32_t restarts = 50;
  std::uint32_t map = 0;
  std::uint32_t neighbours = 15;
  std::uint64_t seed = 0;
  /// Columns that come from one category or text (`blocks_of` a table's coding), ascending: they
  /// are scaled as one column, and drawn as one as far as a clustering has room. What is said about
  /// a table, and no option of its own: a model keeps it with the coding of its columns.
  std::vector<ColumnBlock> blocks = {};

  /// The setting of the paper: 400 clusterings on columns as they are, decay 0.5, no limit on the
  /// rows to draw from. It decides the options in kPaperFields.
  static FitOptions paper();

  bool operator==(const FitOptions&) const = default;
};

inline constexpr std::array<std::string_view, 7> kPaperFields = {
    "clusterings", "feature_fraction", "decay", "weighting", "scale", "directions", "pool"};

/// How much of the work is done. `overall` runs from 0 to 1 over the whole job.
struct Progress {
  std::string_view stage;
  std::uint32_t layer = 0;   ///< 1-based; 0 outside the layers
  std::uint32_t layers = 0;  ///< how many there will be; 0 when unknown
  double overall = 0;
};

/// How the work is done. Nothing here may change a result.
struct RunOptions {
  std::optional<std::uint32_t> threads = std::nullopt;
  std::optional<std::uint64_t> memory_limit = std::nullopt;
  /// Called now and then, one call at a time, from any thread. Must return soon.
  std::function<void(const Progress&)> progress = nullptr;
  /// Called with advice about the data, for a person; never an error.
  std::function<void(const Note&)> note = nullptr;
  /// Set it to true, from a signal handler or another thread, and the work stops with `Cancelled`.
  const std::atomic<bool>* cancel = nullptr;
};

/// One option as every front end sees it: the command line, the model's header, the documentation.
struct Field {
  std::string_view name;
  /// What a larger value or another choice does.
  std::string_view help;
  double minimum = 0;
  double maximum = 0;
  /// The rule when no value is given: `std::nullopt` ("auto"), Clusters::unknown or an empty list.
  std::string_view automatic = {};
  /// The limits themselves are not allowed (0 < decay < 1). `minimum` of a double never is.
  bool open = false;
  /// What the option was called in files of earlier versions, which are still read.
  std::string_view former_name = {};
  /// A share that may be its lower limit (dropout 0); other shares are above it.
  bool with_minimum = false;
};

/// The names of an enumeration's values, in order of declaration.
template <class Enum>
constexpr auto enum_names();
template <>
constexpr auto enum_names<Metric>() {
  return std::array<std::string_view, 9>{"euclidean", "cosine",      "correlation",
                                         "manhattan", "chi-squared", "hellinger",
                                         "hamming",   "jaccard",     "precomputed"};
}
template <>
constexpr auto enum_names<Scale>() {
  return std::array<std::string_view, 4>{"none", "standard", "minmax", "auto"};
}
template <>
constexpr auto enum_names<Weighting>() {
  return std::array<std::string_view, 5>{"counts", "log", "tfidf", "log-tfidf", "cells"};
}
template <>
constexpr auto enum_names<Engine>() {
  return std::array<std::string_view, 2>{"auto", "exact"};
}
template <>
constexpr auto enum_names<MissingValues>() {
  return std::array<std::string_view, 2>{"refuse", "partial"};
}
template <>
constexpr auto enum_names<Solver>() {
  return std::array<std::string_view, 4>{"auto", "kernel", "em", "lanczos"};
}

/// "cosine" for Metric::cosine.
template <class Enum>
constexpr std::string_view name_of(Enum value) {
  return enum_names<Enum>().at(static_cast<std::size_t>(value));
}

/// Metric::cosine for "cosine", nothing for a name that no value has.
template <class Enum>
constexpr std::optional<Enum> value_named(std::string_view name) {
  constexpr auto kNames = enum_names<Enum>();
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

/// Rows to draw from, at most, unless told.
inline constexpr std::uint32_t kMostPoolRows = 100'000;
inline constexpr std::string_view kFeatureFractionRule = "0.5; 1 for 3 columns or fewer";
inline constexpr std::string_view kDecayRule =
    "chosen from 0.1, 0.2, 0.3, 0.5, 0.7 and 0.9; 0.5 when clusters are unknown";
inline constexpr std::string_view kPoolRule = "all rows, but 100000 of them at most";
inline constexpr std::string_view kClusteringsRule =
    "400; 200 for more than 10000 rows (but 400 with tf-idf), 150 for more than 20000";
inline constexpr std::string_view kDirectionsRule =
    "64 for 200 columns or more, 100 with tf-idf; none for fewer columns, for sparse counts "
    "without a weighting, and for the metrics manhattan, chi-squared, hamming, jaccard and "
    "precomputed";

/// The one list of fit options. `visit(const Field&, value&)` is called for each in turn.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, FitOptions>
void visit_fields(Options& options, Visitor&& visit) {
  constexpr double kMaxCount = std::numeric_limits<std::int32_t>::max();
  visit(
      Field{
          "clusterings",
          "Random clusterings per layer. More make the embedding smoother and the result steadier; "
          "time and memory grow in proportion. Little is gained above 400.",
          1, 32767, kClusteringsRule},
      options.clusterings);
  visit(Field{"feature_fraction",
              "Share of the features that each clustering draws. Smaller values make clusterings "
              "more different from each other, and each of them weaker.",
              0, 1, kFeatureFractionRule},
        options.feature_fraction);
  visit(Field{"decay",
              "Width of a layer relative to the one below. Larger values build deeper networks, "
              "for data with strongly curved clusters; smaller values suit simple shapes. auto "
              "trains small networks for several values and takes the one with the best stability.",
              0, 1, kDecayRule, true},
        options.decay);
  visit(Field{"centroids",
              "Rows that each clustering of the bottom layer draws. Larger values see finer "
              "structure.",
              1, kMaxCount, "half of the rows (of the pool), at least 1.5 x clusters"},
        options.centroids);
  visit(Field{"clusters",
              "How many clusters are expected. Layers stop before they are narrower than 1.5 x "
              "clusters, and rows are labelled 0 .. clusters-1. unknown: no labels; find: the "
              "number on which small networks agree, up to most_clusters.",
              1, kMaxCount, "layers stop as for 10 clusters, no labels"},
        options.clusters);
  visit(Field{"most_clusters",
              "Largest number of clusters that is tried when the number is to be found. Larger "
              "values take longer.",
              2, 1000},
        options.most_clusters);
  visit(Field{"components", "Columns of the embedding.", 1, 65535,
              "clusters but at least 2, or 2 when unknown"},
        options.components);
  visit(
      Field{
          "metric",
          "Distance between rows: 'cosine' ignores their norm (text, counts), 'correlation' "
          "their mean too; 'manhattan' adds up absolute differences, so that a large one "
          "decides less; 'chi-squared' and 'hellinger' are for histograms and counts (0 or "
          "more), 'hellinger' ignores their sum; 'hamming' counts unequal values (codes of "
          "categories); 'jaccard' compares sets, the columns that are not zero; 'precomputed': the "
          "rows are distances themselves, each to all training rows, or in sparse rows to the "
          "nearest of them."},
      options.metric);
  visit(Field{"weighting",
              "What becomes of counts c before all else: 'log' ln(1 + c); 'tfidf' c times the "
              "inverse document frequency, and 'log-tfidf' (1 + ln c) times it, for words, with "
              "rows of norm 1; 'cells' ln(1 + c), with rows brought to the same sum first, for "
              "genes of single cells. 'counts' changes nothing."},
        options.weighting);
  visit(
      Field{
          "scale",
          "What happens to every column first: 'standard' gives mean 0 and deviation 1, "
          "'minmax' the range 0 to 1. For columns in different units. 'auto' takes 'standard' when "
          "columns differ much in size and the stability is better with it, else 'none'."},
      options.scale);
  visit(Field{"directions",
              "Principal directions of the rows that stand in the place of the columns. Better "
              "and faster where many columns say nearly the same (pixels, genes, words); 'none' "
              "for tables, whose columns are different quantities.",
              1, 65535, kDirectionsRule},
        options.directions);
  visit(Field{"missing",
              "Rows with missing values (NaN): 'partial' takes them, and compares two rows on the "
              "drawn columns that both have; where there are directions, a row is first completed "
              "by what they say about the values that it has."},
        options.missing);
  visit(Field{"engine",
              "How the bottom layer finds the nearest drawn rows: 'exact' looks at all of them; "
              "'auto' finds a row's neighbours once for all clusterings, checks itself against "
              "exact search on a sample, and falls back to it where it is needed or cheaper.",
              0,
              0,
              {},
              false,
              "search"},
        options.engine);
  visit(Field{"excess",
              "How much farther than the nearest drawn row, on the mean of a sample, the rows may "
              "be that engine auto finds: 0.05 is 5 percent. Larger values are faster. Ignored by "
              "engine exact.",
              0,
              10,
              {},
              false,
              {},
              true},
        options.excess);
  visit(Field{"recall",
              "Share of codes that engine auto must find just as exact search does, on the same "
              "sample. 1 is exact search. Ignored by engine exact.",
              0, 1, "not asked for", false, "agreement"},
        options.recall);
  visit(Field{"pool",
              "Rows that the network is made from, chosen at random: layers, components, clusters "
              "and map. All others go through it. Smaller values take less time and memory.",
              2, kMaxCount, kPoolRule},
        options.pool);
  visit(Field{"solver",
              "How the principal components of the top codes are found: through the rows x rows "
              "agreement 'kernel', by expectation maximisation 'em', or by 'lanczos' iteration. "
              "All find the same components; auto takes the kernel for up to 512 rows and "
              "lanczos above."},
        options.solver);
  visit(Field{"restarts",
              "Starts of k-means on the embedding; the one with the lowest objective is kept.", 1,
              100000},
        options.restarts);
  visit(
      Field{"map",
            "Dimensions of the map for people to look at, which is made beside the embedding: 1, 2 "
            "or 3; 0 makes none.",
            0, 3},
      options.map);
  visit(Field{"neighbours",
              "Neighbours that hold each row in its place on the map. More show the large scale, "
              "fewer the small.",
              2, 1000},
        options.neighbours);
  visit(Field{"seed", "Starts every random stream. The same seed gives the same bytes.", 0,
              18446744073709551615.0},
        options.seed);
}

/// The one list of run options that are plain values.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, RunOptions>
void visit_fields(Options& options, Visitor&& visit) {
  visit(Field{"threads", "Threads to use. The result does not depend on it.", 1, 4096,
              "one per core"},
        options.threads);
  visit(Field{"memory_limit",
              "Bytes (or 500M, 2G) the work may take; smaller batches are used to stay below, and "
              "work that cannot fit is refused before it starts.",
              1, 18446744073709551615.0, "what the machine has free"},
        options.memory_limit);
}

/// Throws InvalidArgument that names the first option out of its range.
void validate(const FitOptions& options);
void validate(const RunOptions& options);

}  // namespace mbn
