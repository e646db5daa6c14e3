// SPDX-License-Identifier: Apache-2.0
#include "store/onnx_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include <limits>

#include <mbn/compress.hpp>
#include <mbn/error.hpp>
#include <mbn/file_kind.hpp>

#include "store/hand_made.hpp"
#include "store/onnx_cases.hpp"
#include "store/onnx_graph.hpp"
#include "store/protobuf.hpp"

namespace mbn {
namespace {

using hand_made::Folder;
using Bytes = std::vector<std::uint8_t>;

std::string refusal(const Bytes& bytes, bool ignore_checksum = false) {
  return hand_made::format_error([&] { decode_student(bytes, "s.onnx", ignore_checksum); });
}

Bytes to_bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

// A valid file with one thing of it changed.
Bytes changed(const std::function<void(OnnxModel&)>& change,
              const StudentData& student = small_student()) {
  const Bytes valid = encode_student(student);
  OnnxModel model = decode_onnx(valid, "valid");
  change(model);
  return to_bytes(encode_onnx(model));
}

void expect_refused(const Bytes& bytes, const std::string& part) {
  const std::string message = refusal(bytes, true);
  EXPECT_NE(message.find(part), std::string::npos) << "'" << message << "' lacks '" << part << "'";
  EXPECT_TRUE(message.starts_with("s.onnx: ")) << message;
}

TEST(OnnxFile, WhatWasWrittenIsRead) {
  for (const Target target : {Target::embedding, Target::clusters}) {
    for (const bool unit_norm : {false, true}) {
      const StudentData student = small_student(target, unit_norm);
      const Bytes bytes = encode_student(student);
      const StudentData read = decode_student(bytes, "s.onnx");
      EXPECT_EQ(read.info.sizes, student.info.sizes);
      EXPECT_EQ(read.info.weights, student.info.weights);
      EXPECT_EQ(read.info.options, student.info.options);
      EXPECT_EQ(read.info.teacher_options, student.info.teacher_options);
      EXPECT_EQ(read.info.teacher_checksum, student.info.teacher_checksum);
      EXPECT_EQ(read.info.validation.r2, student.info.validation.r2);
      EXPECT_EQ(read.info.validation.labels, student.info.validation.labels);
      EXPECT_EQ(read.info.training.labels, std::nullopt);
      EXPECT_EQ(read.input.unit_norm, unit_norm);
      EXPECT_EQ(read.layers[1].weights, student.layers[1].weights);
      EXPECT_TRUE(hand_made::same(read.centres, student.centres));
      EXPECT_EQ(encode_student(read), bytes);
    }
  }
}

// A student that begins with all steps that there are: 5 columns, 3 directions.
StudentData student_with_steps() {
  StudentData student = small_student();
  student.info.sizes.front() = 5;
  InputStep affine{.kind = InputStepKind::affine};
  affine.shift = {0, 0, 1, 0, 0};
  affine.factor = {1, 2, 1, 0.5F, 3};
  InputStep product{.kind = InputStepKind::product};
  product.layer = {5, 3, {}, {0.25F, 0, -1}};
  for (std::size_t i = 0; i < 15; ++i) {
    product.layer.weights.push_back(static_cast<float>(i * 11 % 7) * 0.1F - 0.3F);
  }
  student.info.weights += product.layer.weights.size();
  student.input.steps = {
      {.kind = InputStepKind::shares, .size = 40}, {.kind = InputStepKind::logarithm},
      {.kind = InputStepKind::word_logarithm},     affine,
      {.kind = InputStepKind::unit_norm},          product};
  student.input.unit_norm = true;
  return student;
}

TEST(OnnxFile, StepsOfTheTeacher) {
  const StudentData student = student_with_steps();
  const Bytes bytes = encode_student(student);
  const StudentData read = decode_student(bytes, "s.onnx");
  ASSERT_EQ(read.input.steps.size(), 6U);
  EXPECT_EQ(read.input.steps[0].size, 40);
  EXPECT_EQ(read.input.steps[5].layer.weights, student.input.steps[5].layer.weights);
  EXPECT_EQ(read.info.sizes, student.info.sizes);
  EXPECT_EQ(read.info.weights, student.info.weights);
  EXPECT_EQ(read.input.columns(), 5U);
  EXPECT_EQ(encode_student(read), bytes);
  EXPECT_EQ(Student::from_bytes(bytes).columns(), 5U);
}

// Written before students had steps.
TEST(OnnxFile, AFileOfVersionOneIsReadAndSaysTheSame) {
  const Student student =
      Student::load(std::filesystem::path(MBN_TESTS_DIR) / "golden" / "student-1.onnx");
  EXPECT_EQ(student.info().options.augment, Augment::none);
  EXPECT_EQ(student.info().options.dropout, 0);
  Matrix rows(1, 4);
  for (std::size_t j = 0; j < 4; ++j) rows.mutable_row<float>(0)[j] = static_cast<float>(j + 1);
  const Matrix outputs = student.transform(rows);
  EXPECT_FLOAT_EQ(outputs.at(0, 0), 0.043835104F);
  EXPECT_FLOAT_EQ(outputs.at(0, 1), 3.0078938F);
  EXPECT_FLOAT_EQ(outputs.at(0, 2), -2.0428312F);
}

TEST(OnnxFile, StepsThatDoNotFit) {
  const StudentData student = student_with_steps();
  for (const char* value : {"", "[]", "{}", "[3]", R"(["product","product"])", R"(["other"])",
                            R"(["affine"])", R"(["unit-norm"])"}) {
    const Bytes bytes = changed([&](OnnxModel& m) { m.metadata["input"] = value; }, student);
    EXPECT_NE(refusal(bytes, true), "") << value;
  }
  expect_refused(changed([](OnnxModel& m) { m.metadata.erase("input"); }, student), "'input'");
  expect_refused(changed([](OnnxModel& m) { m.nodes[1].operation = "Sub"; }, student), "node 2");
  StudentData narrow = student_with_steps();
  narrow.input.steps[3].shift.pop_back();
  narrow.input.steps[3].factor.pop_back();
  expect_refused(encode_student(narrow), "takes 4 numbers, but gets 5");
  StudentData twice = student_with_steps();
  twice.input.steps.push_back(twice.input.steps.back());
  EXPECT_NE(refusal(encode_student(twice), true), "");
}

TEST(OnnxFile, FilesAppearWholeAndAreNotOverwritten) {
  const Folder folder;
  const auto path = folder.file("s.onnx");
  const Student student = Student::from_bytes(encode_student(small_student()));
  student.save(path);
  EXPECT_THROW(student.save(path), IoError);
  student.save(path, true);
  EXPECT_EQ(file_kind(path), FileKind::student);
  EXPECT_EQ(Student::load(path).to_bytes(), student.to_bytes());
  EXPECT_EQ(Student::from_bytes(student.to_bytes()).to_bytes(), hand_made::bytes_of_file(path));
  EXPECT_THROW(Student::load(folder.file("none.onnx")), IoError);
  EXPECT_THROW(Student::load(folder.path()), IoError);
  hand_made::write_bytes(folder.file("m.onnx"), hand_made::file_bytes(hand_made::make_model({})));
  EXPECT_EQ(file_kind(folder.file("m.onnx")), FileKind::model);
}

// Files from before the share of equal labels was called labels.
TEST(OnnxFile, TheOldNameOfTheShareOfEqualLabels) {
  StudentData student = small_student();
  student.info.validation.labels = 0.75;
  const Bytes old = changed(
      [](OnnxModel& m) {
        std::string& text = m.metadata["training"];
        const std::size_t place = text.find("\"labels\"");
        ASSERT_NE(place, std::string::npos) << text;
        text.replace(place, 8, "\"agreement\"");
      },
      student);
  EXPECT_EQ(decode_student(old, "s.onnx", true).info.validation.labels, 0.75);
}

TEST(OnnxFile, CutShortAnywhere) {
  const Bytes bytes = encode_student(small_student(Target::clusters, true));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(
        refusal({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}).empty())
        << length;
  }
}

TEST(OnnxFile, AnyByteChanged) {
  const Bytes bytes = encode_student(small_student());
  std::size_t harmless = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    Bytes damaged = bytes;
    damaged[i] ^= 0x10;
    // What is left: who wrote it, the graph's name, and the name of the free dimension.
    if (refusal(damaged).empty()) ++harmless;
  }
  EXPECT_LT(harmless, 60U);
}

TEST(OnnxFile, TooManyBytes) {
  Bytes bytes = encode_student(small_student());
  bytes.push_back(0);
  EXPECT_NE(refusal(bytes), "");
  const Folder folder;
  // A file with a hole takes no room on the disk.
  hand_made::write_bytes(folder.file("huge.onnx"), {8, 7});
  std::filesystem::resize_file(folder.file("huge.onnx"), std::uintmax_t{1} << 33);
  EXPECT_NE(hand_made::format_error([&] {
              Student::load(folder.file("huge.onnx"));
            }).find("more than an ONNX file can have"),
            std::string::npos);
}

TEST(OnnxFile, Checksum) {
  const Bytes bytes = changed([](OnnxModel& m) { m.metadata["teacher_checksum"] = "another"; });
  EXPECT_NE(refusal(bytes).find("checksum"), std::string::npos);
  EXPECT_EQ(refusal(bytes, true), "");
}

TEST(OnnxFile, ForeignFiles) {
  OnnxModel foreign;
  foreign.input = {"x", 3};
  foreign.output = {"y", 3};
  foreign.nodes = {{"Conv", {"x", "w"}, {"y"}, {}}};
  expect_refused(to_bytes(encode_onnx(foreign)), "lacks the metadata 'format'");
  expect_refused({}, "opset 0");
  expect_refused(to_bytes("\x89PNG\r\n"), "not an ONNX file");
  expect_refused(hand_made::file_bytes(hand_made::make_model({})), "not a");
  expect_refused(changed([](OnnxModel& m) { m.metadata["format"] = "other"; }), "'other'");
  expect_refused(changed([](OnnxModel& m) { m.metadata["format_version"] = "3"; }), "version '3'");
}

TEST(OnnxFile, OtherGraphs) {
  expect_refused(changed([](OnnxModel& m) { m.nodes[2].operation = "Conv"; }),
                 "node 3 is 'Conv', and not the Gemm that a student has there");
  expect_refused(changed([](OnnxModel& m) { m.nodes[2].numbers["transB"] = {0}; }), "node 3");
  expect_refused(changed([](OnnxModel& m) { m.nodes[2].inputs[1] = "layer2.weights"; }), "node 3");
  expect_refused(changed([](OnnxModel& m) { m.nodes.pop_back(); }), "it has 4 nodes");
  expect_refused(changed([](OnnxModel& m) { m.nodes.push_back(m.nodes.back()); }), "6 nodes");
  expect_refused(changed([](OnnxModel& m) { m.input.columns = 4; }), "input or output");
  expect_refused(changed([](OnnxModel& m) { m.output.name = "other"; }), "input or output");
  expect_refused(changed([](OnnxModel& m) { m.metadata["options"] = R"({"target":"clusters"})"; }),
                 "node 5");
}

TEST(OnnxFile, OtherTensors) {
  expect_refused(changed([](OnnxModel& m) { std::swap(m.tensors[0], m.tensors[1]); }),
                 "tensor number 1 is not 'input.shift'");
  expect_refused(changed([](OnnxModel& m) { m.tensors.pop_back(); }), "'layer2.bias'");
  expect_refused(changed([](OnnxModel& m) { m.tensors.resize(2); }), "no layers");
  expect_refused(changed([](OnnxModel& m) { m.tensors.clear(); }), "'input.shift'");
  expect_refused(changed([](OnnxModel& m) {
                   m.tensors[2].shape = {3, 4};
                 }),
                 "layer1 takes 4 numbers, but gets 3");
  expect_refused(changed([](OnnxModel& m) { m.tensors[2].shape = {1, 12}; }), "takes 12");
  expect_refused(changed([](OnnxModel& m) { m.tensors[2].shape = {12}; }), "another shape");
  expect_refused(changed([](OnnxModel& m) {
                   m.tensors[2].shape = {std::uint64_t{1} << 62, 3};
                 }),
                 "not what its shape says");
  expect_refused(changed([](OnnxModel& m) {
                   m.tensors[2].shape = {~std::uint64_t{0}, ~std::uint64_t{0}};
                 }),
                 "not what its shape says");
  StudentData student = small_student();
  student.layers[0].weights[5] = std::numeric_limits<float>::infinity();
  expect_refused(encode_student(student), "'layer1.weights' holds a value that is not finite");
}

TEST(OnnxFile, OtherMetadata) {
  for (const char* key : {"options", "teacher_options", "training", "centres"}) {
    for (const char* value :
         {"", "[]]", "{", "[[[[[[[[", "{\"rows\":-1}", "[[1,2,3]]", "[[1e99,0]]"}) {
      const Bytes bytes = changed([&](OnnxModel& m) { m.metadata[key] = value; });
      EXPECT_NE(refusal(bytes, true), "") << key << " = " << value;
    }
  }
  expect_refused(changed([](OnnxModel& m) { m.metadata["centres"] = "[[1,2,3],[4,5,6]]"; }),
                 "'centres'");
}

// What encode_onnx cannot write, put together by hand.
Bytes by_hand(const std::function<void(ProtobufWriter& graph)>& add) {
  ProtobufWriter graph, opset, model;
  add(graph);
  opset.integer(2, kOnnxOpset);
  model.message(8, opset);
  model.message(7, graph);
  return to_bytes(model.take());
}

TEST(OnnxFile, WhatStudentsDoNotHave) {
  const auto with_tensor = [](const std::function<void(ProtobufWriter&)>& add) {
    return by_hand([&](ProtobufWriter& graph) {
      ProtobufWriter tensor;
      tensor.integer(1, 1);
      tensor.text(8, "w");
      tensor.text(9, "1234");
      add(tensor);
      graph.message(5, tensor);
    });
  };
  expect_refused(with_tensor([](ProtobufWriter& t) { t.integer(2, 11); }), "of type 11, not float");
  expect_refused(with_tensor([](ProtobufWriter& t) {
                   t.integer(2, 1);
                   t.integer(14, 1);
                 }),
                 "'w' is in another file");
  expect_refused(with_tensor([](ProtobufWriter& t) {
                   t.integer(2, 1);
                   t.integer(1, 7);
                 }),
                 "not what its shape says");
  expect_refused(with_tensor([](ProtobufWriter& t) { t.integer(9, 3); }), "a number where");
  const auto with_node = [](const std::function<void(ProtobufWriter&)>& add) {
    return by_hand([&](ProtobufWriter& graph) {
      ProtobufWriter node;
      add(node);
      graph.message(1, node);
    });
  };
  expect_refused(with_node([](ProtobufWriter& n) { n.text(7, "com.microsoft"); }), "domain");
  expect_refused(with_node([](ProtobufWriter& n) {
                   ProtobufWriter attribute, subgraph;
                   attribute.text(1, "body");
                   attribute.message(6, subgraph);
                   attribute.integer(20, 5);
                   n.message(5, attribute);
                 }),
                 "attribute 'body'");
}

// The seeds of fuzz/fuzz_onnx, and whatever it stumbled over.
TEST(OnnxFile, CorpusOfTheFuzzer) {
  const auto folder =
      std::filesystem::path(MBN_TESTS_DIR).parent_path() / "fuzz" / "corpus" / "fuzz_onnx";
  std::size_t good = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    try {
      const Student student = Student::load(entry.path());
      EXPECT_GT(student.outputs(), 0U) << entry.path();
      ++good;
    } catch (const FormatError& error) {
      EXPECT_NE(std::string(error.what()), "") << entry.path();
    }
  }
  EXPECT_GE(good, 3U);
}

TEST(OnnxFile, TheStudentComputesWhatTheGraphSays) {
  const StudentData data = small_student(Target::embedding, true);
  const Student student = Student::from_bytes(encode_student(data));
  Matrix row(1, 3);
  const float cells[] = {3, 0, 4};
  std::copy_n(cells, 3, row.mutable_row<float>(0));
  float input[3];
  for (std::size_t j = 0; j < 3; ++j) {
    input[j] = (cells[j] / 5 - data.input.shift[j]) * data.input.factor[j];
  }
  float hidden[4];
  for (std::size_t j = 0; j < 4; ++j) {
    float sum = data.layers[0].bias[j];
    for (std::size_t k = 0; k < 3; ++k) sum += data.layers[0].weights[j * 3 + k] * input[k];
    hidden[j] = std::max(sum, 0.0F);
  }
  for (std::size_t j = 0; j < 2; ++j) {
    float sum = data.layers[1].bias[j];
    for (std::size_t k = 0; k < 4; ++k) sum += data.layers[1].weights[j * 4 + k] * hidden[k];
    EXPECT_NEAR(student.transform(row).at(0, j), sum, 1e-6);
  }
}

}  // namespace
}  // namespace mbn
