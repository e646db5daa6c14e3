// SPDX-License-Identifier: Apache-2.0
#include "store/student_json.hpp"

#include <fmt/format.h>

#include <cmath>

#include <mbn/error.hpp>

#include "store/guarded_json.hpp"

namespace mbn {

namespace {

using Json = nlohmann::ordered_json;

/// An ONNX file has 2 GB at most; centres are a small part of it.
constexpr std::size_t kMaxCentresBytes = std::size_t{1} << 30;

Json to_json(const Fidelity& fidelity) {
  Json json{{"rows", fidelity.rows}, {"r2", fidelity.r2}};
  if (fidelity.labels) json["labels"] = *fidelity.labels;
  return json;
}

Fidelity fidelity_from(const nlohmann::json& json) {
  Fidelity fidelity{json.at("rows").get<std::uint64_t>(), json.at("r2").get<double>(), {}};
  // Files of earlier versions call it agreement.
  for (const char* key : {"agreement", "labels"}) {
    if (json.contains(key)) fidelity.labels = json.at(key).get<double>();
  }
  return fidelity;
}

[[noreturn]] void fail(std::string_view file, std::string_view what) {
  throw FormatError(ErrorCode::damaged,
                    fmt::format("{}: the metadata '{}' is not what a student has", file, what),
                    {.path = file});
}

}  // namespace

std::string training_to_json(const StudentInfo& info) {
  return Json{{"rows", info.training_rows},
              {"epochs", info.epochs},
              {"best_epoch", info.best_epoch},
              {"validation", to_json(info.validation)},
              {"training", to_json(info.training)}}
      .dump();
}

void training_from_json(std::string_view text, std::string_view file, StudentInfo& info) {
  // The JSON library throws when a value is missing or of another kind: one error for all of it.
  try {
    // Text that is not JSON becomes an empty object, which lacks all fields: one error for both.
    const auto json = parse_guarded_json(text, {.depth = 2}).value_or(nlohmann::json::object());
    info.training_rows = json.at("rows").get<std::uint64_t>();
    info.epochs = json.at("epochs").get<std::uint32_t>();
    info.best_epoch = json.at("best_epoch").get<std::uint32_t>();
    info.validation = fidelity_from(json.at("validation"));
    info.training = fidelity_from(json.at("training"));
  } catch (const std::exception&) {
    fail(file, "training");
  }
}

std::string centres_to_json(MatrixView centres) {
  // Nine digits are enough to read the same float back.
  std::string text = "[";
  for (std::size_t i = 0; i < centres.rows(); ++i) {
    text += i == 0 ? "[" : ",[";
    for (std::size_t j = 0; j < centres.columns(); ++j) {
      text += fmt::format("{}{:.9g}", j == 0 ? "" : ",", centres.row<float>(i)[j]);
    }
    text += "]";
  }
  return text + "]";
}

Matrix centres_from_json(std::string_view text, std::string_view file, std::size_t components) {
  try {
    const auto json = parse_guarded_json(text, {.bytes = kMaxCentresBytes, .depth = 2});
    if (!json || !json->is_array()) fail(file, "centres");
    Matrix centres(json->size(), components);
    for (std::size_t i = 0; i < centres.rows(); ++i) {
      const auto row = json->at(i).get<std::vector<float>>();
      if (row.size() != components) fail(file, "centres");
      for (std::size_t j = 0; j < components; ++j) {
        if (!std::isfinite(row[j])) fail(file, "centres");
        centres.mutable_row<float>(i)[j] = row[j];
      }
    }
    return centres;
  } catch (const std::exception&) {
    fail(file, "centres");
  }
}

std::string steps_to_json(const std::vector<InputStep>& steps) {
  Json json = Json::array();
  for (const InputStep& step : steps) json.push_back(std::string(name_of(step.kind)));
  return json.dump();
}

std::vector<InputStep> steps_from_json(std::string_view text, std::string_view file,
                                       std::size_t most) {
  try {
    const auto json = parse_guarded_json(text, {.depth = 1});
    if (!json || !json->is_array() || json->empty() || json->size() > most) fail(file, "input");
    std::vector<InputStep> steps;
    for (const auto& item : *json) {
      const auto kind = value_named<InputStepKind>(item.get<std::string>());
      if (!kind) fail(file, "input");
      steps.push_back({.kind = *kind});
    }
    return steps;
  } catch (const std::exception&) {
    fail(file, "input");
  }
}

}  // namespace mbn
