// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <mbn/column_coding.hpp>
#include <mbn/options.hpp>

namespace mbn {

/// What a student learns from its teacher.
enum class Target : std::uint8_t { embedding, clusters };
/// How large a student is, unless its hidden layers are given one by one.
enum class StudentSize : std::uint8_t { paper, small };
/// How rows are made for training, in addition to the given ones. The teacher labels them too.
enum class Augment : std::uint8_t { none, jitter, mix, automatic, pictures, words, table };

/// Everything that decides a student, besides the teacher and the rows. Stored in its file.
struct CompressOptions {
  Target target = Target::embedding;
  StudentSize size = StudentSize::paper;
  std::vector<std::uint32_t> hidden{};
  std::uint32_t epochs = 20;
  std::uint32_t batch_rows = 256;
  double learning_rate = 0.001;
  std::optional<double> dropout = std::nullopt;
  double validation = 0.05;
  std::uint32_t patience = 5;
  Augment augment = Augment::automatic;
  std::optional<double> augment_rows = std::nullopt;
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
  return std::array<std::string_view, 7>{"none",     "jitter", "mix",  "auto",
                                         "pictures", "words",  "table"};
}

/// The one list of options of compression. `visit(const Field&, value&)` is called for each in
/// turn.
template <class Options, class Visitor>
requires std::same_as<std::remove_const_t<Options>, CompressOptions>
void visit_fields(Options& options, Visitor&& visit) {
  constexpr double kMaxCount = std::numeric_limits<std::int32_t>::max();
  visit(Field{"target",
              "What the student learns: the teacher's 'embedding', or the probability of each of "
              "its 'clusters'."},
        options.target);
  visit(Field{"size",
              "How large the student is: 'paper' is two hidden layers of 2048 units; 'small' two "
              "of 256, which predicts many times faster and follows the teacher less closely."},
        options.size);
  visit(Field{"hidden",
              "Units of each hidden layer, in order. More and wider layers follow the teacher more "
              "closely; time and memory grow with the number of weights.",
              1, 65536, "by size"},
        options.hidden);
  visit(Field{"epochs",
              "Passes over the training rows, at most. Training can stop earlier, see patience.", 1,
              100000},
        options.epochs);
  visit(Field{"batch_rows",
              "Rows per step of the optimiser. With larger batches an epoch is faster, but more "
              "epochs are needed.",
              1, 65536},
        options.batch_rows);
  visit(Field{"learning_rate",
              "Highest learning rate of the optimiser (Adam). The rate rises from 0 in the first "
              "twentieth of the steps and then falls to 0 along a cosine.",
              0, 1},
        options.learning_rate);
  visit(Field{"dropout",
              "Share of the hidden units that are set to 0 at random in each training step "
              "(inverted dropout). Larger values reduce overfitting when there are few rows.",
              0,
              1,
              "0.5 for words (see augment), else 0",
              true,
              {},
              true},
        options.dropout);
  visit(Field{"validation",
              "Share of the rows that are used for validation, not for training: they measure the "
              "student and decide when to stop.",
              0,
              1,
              {},
              true},
        options.validation);
  visit(Field{"patience", "Training stops after this many epochs without a lower validation loss.",
              1, kMaxCount},
        options.patience);
  visit(
      Field{"augment",
            "Rows that are made in addition, for the teacher to label, a part of them anew in "
            "every epoch: 'jitter' adds Gaussian noise to a row, 'mix' interpolates between a row "
            "and another one, 'pictures' also shifts, turns and stretches (the size is guessed "
            "from the data), 'words' drops, draws anew and mixes the words of texts, 'table' "
            "swaps cells with a similar row. 'auto' takes one of the last three by the data."},
      options.augment);
  visit(Field{"augment_rows",
              "Rows made per training row; ignored when augment is none. More help where few rows "
              "are given; training takes longer in proportion.",
              0, 100, "3 for words (see augment), else 1"},
        options.augment_rows);
  visit(Field{"augment_strength",
              "Standard deviation of jitter's noise, relative to that of the data; or the largest "
              "share of the other row in a mix. Larger values make rows less like the given ones.",
              0, 10, "0.2 for jitter, 0.5 otherwise"},
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
  /// outputs together: 1 is a perfect copy, 0 no better than the means.
  double r2 = 0;
  /// Share of the rows that get the teacher's cluster; nothing when the teacher has no clusters.
  std::optional<double> labels{};
};

struct StudentInfo {
  std::vector<std::string> column_names;  ///< of the teacher; may be empty
  std::vector<double> column_means{};     ///< of the teacher; may be empty
  TableCoding coding{};                   ///< of the teacher; may be empty
  std::vector<std::uint32_t> sizes;       ///< columns, hidden layers, outputs
  std::uint64_t weights = 0;
  CompressOptions options;
  FitOptions teacher_options;
  std::string teacher_checksum;     ///< Model::checksum()
  std::uint64_t training_rows = 0;  ///< including the rows that were made
  std::uint32_t epochs = 0;         ///< done
  std::uint32_t best_epoch = 0;     ///< the one that was kept, from 1
  Fidelity validation;              ///< on validation rows
  Fidelity training;                ///< on given training rows; none when interrupted
};

}  // namespace mbn
