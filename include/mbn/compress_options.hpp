// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/options.hpp>

namespace mbn {

/// What a student learns from its teacher.
enum class Target : std::uint8_t { embedding, clusters };
/// How large a student is, unless its hidden layers are given one by one.
enum class StudentSize : std::uint8_t { paper, small };
/// Rows that a student learns from besides the given ones; the teacher labels anything.
enum class Augment : std::uint8_t { none, jitter, mix };

/// Everything that decides a student, besides the teacher and the rows. Stored in its file.
struct CompressOptions {
  Target target = Target::embedding;
  StudentSize size = StudentSize::paper;
  std::vector<std::uint32_t> hidden{};
  std::uint32_t epochs = 20;
  std::uint32_t batch_rows = 256;
  double learning_rate = 0.001;
  double dropout = 0;
  double validation = 0.05;
  std::uint32_t patience = 5;
  Augment augment = Augment::none;
  double augment_rows = 1;
  std::optional<double> augment_strength = std::nullopt;
  std::uint64_t seed = 0;

  bool operator==(const CompressOptions&) const = default;
};

template <>
constexpr auto enum_names<Target>() {
  return std::array<std::string_view, 2>{"embedding", "clusters"};
}
template <>
constexpr auto enum_names<StudentSize>() {
  return std::array<std::string_view, 2>{"paper", "small"};
}
template <>
constexpr auto enum_names<Augment>() {
  return std::array<std::string_view, 3>{"none", "jitter", "mix"};
}

/// The one list of options of compression. `visit(const Field&, value&)` is called for each in
/// turn.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, CompressOptions>
void visit_fields(Options& options, Visitor&& visit) {
  constexpr double kMaxCount = std::numeric_limits<std::int32_t>::max();
  visit(Field{"target",
              "What the student learns: the teacher's 'embedding', or the probabilities of its "
              "'clusters', the output of the task directly."},
        options.target);
  visit(Field{"size",
              "How large the student is: 'paper' is two hidden layers of 2048 units; 'small' two "
              "of 256, which predicts many times faster and follows the teacher less closely."},
        options.size);
  visit(Field{"hidden",
              "Units of each hidden layer, in order. More and wider layers follow the teacher more "
              "closely; time grows with the products of neighbouring numbers.",
              1, 65536, "by size"},
        options.hidden);
  visit(Field{"epochs", "How often the student sees every row, at most.", 1, 100000},
        options.epochs);
  visit(Field{"batch_rows",
              "Rows of one step of the optimiser. Larger batches are faster and learn less from "
              "every epoch.",
              1, 65536},
        options.batch_rows);
  visit(Field{"learning_rate",
              "The optimiser's (Adam's) largest step. It grows from 0 within the first steps and "
              "falls to 0 along a cosine until the last.",
              0, 1},
        options.learning_rate);
  visit(Field{"dropout",
              "Share of the hidden units that are left out at random while learning. Some of it "
              "helps when there are few rows.",
              0,
              1,
              {},
              true,
              {},
              true},
        options.dropout);
  visit(Field{"validation",
              "Share of the rows that are kept aside to tell how well the student does, and when "
              "to stop.",
              0,
              1,
              {},
              true},
        options.validation);
  visit(Field{"patience",
              "Epochs without progress on the rows kept aside, after which learning stops.", 1,
              kMaxCount},
        options.patience);
  visit(Field{"augment",
              "Rows that are made for the teacher to label: 'jitter' adds noise to a row, 'mix' "
              "mixes it with another one."},
        options.augment);
  visit(Field{"augment_rows", "How many rows are made for each given one.", 0, 100},
        options.augment_rows);
  visit(Field{"augment_strength",
              "The noise of jitter, in deviations of the data; or the largest share of the other "
              "row in a mix.",
              0, 10, "0.2 for jitter, 0.5 for mix"},
        options.augment_strength);
  visit(Field{"seed", "Starts every random stream. The same seed gives the same bytes.", 0,
              18446744073709551615.0},
        options.seed);
}

/// Throws InvalidArgument that names the first option out of its range.
void validate(const CompressOptions& options);

/// How well a student follows its teacher on some rows.
struct Fidelity {
  std::uint64_t rows = 0;
  /// 1 - (squared errors) / (squared deviations of the teacher's outputs from their means), all
  /// outputs together: 1 is a perfect copy, 0 no better than always saying the mean.
  double r2 = 0;
  /// Share of the rows that get the teacher's cluster; nothing when the teacher has no clusters.
  std::optional<double> labels{};
};

struct StudentInfo {
  std::vector<std::uint32_t> sizes;  ///< columns, hidden layers, outputs
  std::uint64_t weights = 0;
  CompressOptions options;
  FitOptions teacher_options;
  std::string teacher_checksum;     ///< Model::checksum()
  std::uint64_t training_rows = 0;  ///< that it learned from, those that were made included
  std::uint32_t epochs = 0;         ///< done
  std::uint32_t best_epoch = 0;     ///< the one that was kept, from 1
  Fidelity validation;              ///< on rows kept aside
  Fidelity training;                ///< on given rows it learned from; none when interrupted
};

}  // namespace mbn
