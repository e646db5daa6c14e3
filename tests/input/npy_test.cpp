// SPDX-License-Identifier: Apache-2.0
#include "input/npy.hpp"

#include <cmath>
#include <limits>

#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "input/files.hpp"

namespace mbn {
namespace {

using files::bytes_of;
using files::expect_error;
using files::Folder;
using files::npy;
using files::npy_with_header;
using files::swapped_bytes_of;

Matrix read_bytes(const std::string& bytes) {
  const Folder folder;
  return read_matrix(folder.put("x.npy", bytes));
}

void expect_cells(const Matrix& matrix, std::size_t rows, const std::vector<float>& cells) {
  ASSERT_EQ(matrix.rows(), rows);
  ASSERT_EQ(matrix.rows() * matrix.columns(), cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(matrix.at(i / matrix.columns(), i % matrix.columns()), cells[i]) << i;
  }
}

const std::vector<float> kSix = {1, 2, 3, 4, 5, 6};

TEST(Npy, ReadsFloat32OfAllVersions) {
  for (const int version : {1, 2, 3}) {
    const Matrix matrix = read_bytes(npy("<f4", "(2, 3)", bytes_of(kSix), "False", version));
    EXPECT_EQ(matrix.type(), ElementType::float32);
    expect_cells(matrix, 2, kSix);
  }
}

TEST(Npy, IsMappedAndOutlivesTheFile) {
  const Folder folder;
  const auto path = folder.put("x.npy", npy("<f4", "(2, 3)", bytes_of(kSix)));
  const Matrix matrix = read_matrix(path);
  std::filesystem::remove(path);
  expect_cells(matrix, 2, kSix);
}

TEST(Npy, KeepsBytes) {
  const Matrix matrix = read_bytes(npy("|u1", "(3, 2)", "\x01\x02\x03\x04\x05\xff"));
  EXPECT_EQ(matrix.type(), ElementType::uint8);
  expect_cells(matrix, 3, {1, 2, 3, 4, 5, 255});
}

template <class T>
void expect_converted(const std::string& type) {
  const std::vector<T> numbers = {T(1), T(2), T(3), T(4), T(5), T(6)};
  expect_cells(read_bytes(npy("<" + type, "(2, 3)", bytes_of(numbers))), 2, kSix);
  expect_cells(read_bytes(npy(">" + type, "(2, 3)", swapped_bytes_of(numbers))), 2, kSix);
  EXPECT_EQ(read_bytes(npy("<" + type, "(2, 3)", bytes_of(numbers))).type(), ElementType::float32);
}

TEST(Npy, ConvertsOtherNumbers) {
  expect_converted<std::int8_t>("i1");
  expect_converted<std::int16_t>("i2");
  expect_converted<std::int32_t>("i4");
  expect_converted<std::int64_t>("i8");
  expect_converted<std::uint16_t>("u2");
  expect_converted<std::uint32_t>("u4");
  expect_converted<std::uint64_t>("u8");
  expect_converted<double>("f8");
  expect_cells(read_bytes(npy("|b1", "(1, 2)", std::string("\x01\x00", 2))), 1, {1, 0});
  expect_cells(read_bytes(npy(">f4", "(2, 3)", swapped_bytes_of(kSix))), 2, kSix);
}

TEST(Npy, ConvertsHalfFloats) {
  // 1, -2, the smallest and the largest there is, and a third.
  const std::vector<std::uint16_t> bits = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x3555};
  expect_cells(read_bytes(npy("<f2", "(5,)", bytes_of(bits))), 5,
               {1, -2, std::ldexp(1.0F, -24), 65504, 0.333251953125F});
  expect_error<FormatError>(
      [] { read_bytes(npy("<f2", "(1,)", bytes_of(std::vector<std::uint16_t>{0x7c00}))); },
      {"inf is not finite"});
}

TEST(Npy, OneIndexIsOneColumnAndManyAreFlattened) {
  EXPECT_EQ(read_bytes(npy("<f4", "(6,)", bytes_of(kSix))).shape(), (Shape{6, 1}));
  EXPECT_EQ(read_bytes(npy("<f4", "(2, 3, 1)", bytes_of(kSix))).shape(), (Shape{2, 3}));
  EXPECT_EQ(read_bytes(npy("<f4", "(1, 2, 3)", bytes_of(kSix))).shape(), (Shape{1, 6}));
}

TEST(Npy, FortranOrderGivesTheSameRows) {
  const std::vector<float> columns_first = {1, 4, 2, 5, 3, 6};
  expect_cells(read_bytes(npy("<f4", "(2, 3)", bytes_of(columns_first), "True")), 2, kSix);
  const Matrix bytes = read_bytes(npy("|u1", "(2, 3)", "\x01\x04\x02\x05\x03\x06", "True"));
  EXPECT_EQ(bytes.type(), ElementType::uint8);
  expect_cells(bytes, 2, kSix);
  expect_cells(read_bytes(npy("<f4", "(6,)", bytes_of(kSix), "True")), 6, kSix);
}

TEST(Npy, FortranOrderOfImagesIsFlattenedInCOrder) {
  std::vector<double> cells(2 * 3 * 4);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        cells[i + 2 * (j + 3 * k)] = static_cast<double>(100 * i + 4 * j + k);
      }
    }
  }
  const Matrix matrix = read_bytes(npy("<f8", "(2, 3, 4)", bytes_of(cells), "True"));
  ASSERT_EQ(matrix.shape(), (Shape{2, 12}));
  for (std::size_t j = 0; j < 12; ++j) {
    EXPECT_EQ(matrix.at(0, j), static_cast<float>(j));
    EXPECT_EQ(matrix.at(1, j), static_cast<float>(100 + j));
  }
}

TEST(Npy, UnalignedCellsAreCopied) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} \n";
  for (std::size_t padding = 0; padding < 4; ++padding) {
    expect_cells(read_bytes(npy_with_header(std::string(padding, ' ') + header, bytes_of(kSix))), 2,
                 kSix);
  }
}

TEST(Npy, HeaderMayBeWrittenInOtherWays) {
  for (const char* header :
       {"{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,3)}",
        "{ 'shape' : ( 2L , 3L , ) , 'fortran_order' : False , 'descr' : '<f4' , }\n"}) {
    expect_cells(read_bytes(npy_with_header(header, bytes_of(kSix))), 2, kSix);
  }
}

TEST(Npy, RefusesBrokenHeaders) {
  for (const char* header :
       {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 6}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (6,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), 'more': 1}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (6,)}"}) {
    expect_error<FormatError>([&] { read_bytes(npy_with_header(header, bytes_of(kSix))); },
                              {"x.npy", "header cannot be read"});
  }
}

TEST(Npy, RefusesTypesThatAreNotPlainNumbers) {
  expect_error<FormatError>([] { read_bytes(npy("|O", "(2,)", "pickled")); },
                            {"pickled Python objects", "astype"});
  for (const char* type : {"<U3", "<c8", "<f16", "<M8[s]", "|S4", "", "<", "<f3"}) {
    expect_error<FormatError>([&] { read_bytes(npy(type, "(2,)", "12345678")); },
                              {"are not read", "float32"});
  }
  expect_error<FormatError>(
      [] {
        read_bytes(npy_with_header(
            "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", "1234"));
      },
      {"named fields"});
}

TEST(Npy, RefusesSizesThatDoNotFitTheFile) {
  expect_error<FormatError>([] { read_bytes(npy("<f4", "(3, 3)", bytes_of(kSix))); },
                            {"3 x 3 numbers of 4 bytes", "at most 24 bytes follow"});
  expect_error<FormatError>([] { read_bytes(npy("<f4", "(1, 3)", bytes_of(kSix))); },
                            {"more bytes after the array"});
  expect_error<FormatError>(
      [] { read_bytes(npy("<f4", "(4294967296, 4294967296, 4294967296)", bytes_of(kSix))); },
      {"at most 24 bytes follow"});
  expect_error<FormatError>([] { read_bytes(npy("<f4", "(0, 3)", "")); }, {"no rows"});
  expect_error<FormatError>([] { read_bytes(npy("<f4", "(3, 0)", "")); }, {"no columns"});
  expect_error<FormatError>([] { read_bytes(npy("<f4", "()", "1234")); }, {"single number"});
}

TEST(Npy, RefusesFilesThatAreCutAnywhere) {
  const std::string whole = npy("<f4", "(2, 3)", bytes_of(kSix));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    expect_error<FormatError>([&] { read_bytes(whole.substr(0, length)); }, {"x.npy"});
  }
}

TEST(Npy, RefusesAnUnknownVersionAndAnEndlessHeader) {
  expect_error<FormatError>([] { read_bytes(npy_with_header("{}", "", 4)); }, {"version 4"});
  std::string bytes = npy_with_header("{}", "", 2);
  bytes.replace(8, 4, "\xff\xff\xff\xff");
  expect_error<FormatError>([&] { read_bytes(bytes); }, {"claims 4294967295 bytes"});
}

TEST(Npy, NamesTheCellThatIsNotFinite) {
  std::vector<float> floats = kSix;
  floats[4] = std::numeric_limits<float>::quiet_NaN();
  expect_error<FormatError>(
      [&] { read_bytes(npy("<f4", "(2, 3)", bytes_of(floats))); },
      {"x.npy: row 2, column 2 (counted from 1)", "(column 2: 1)", "missing = mean"});
  const std::vector<double> infinite = {1, 2, 3, -std::numeric_limits<double>::infinity()};
  expect_error<FormatError>([&] { read_bytes(npy("<f8", "(2, 2)", bytes_of(infinite))); },
                            {"row 2, column 2", "-inf is not finite"});
  const std::vector<double> large = {1, 2, 1e39, 4};
  expect_error<FormatError>([&] { read_bytes(npy("<f8", "(2, 2)", bytes_of(large))); },
                            {"row 2, column 1", "1e+39 is too large for a float32"});
  // In Fortran order the same number stands in another place.
  expect_error<FormatError>([&] { read_bytes(npy("<f8", "(2, 2)", bytes_of(large), "True")); },
                            {"row 1, column 2"});
}

TEST(Npy, EndingWithoutTheMagicIsNotText) {
  expect_error<FormatError>([] { read_bytes("1,2,3\n"); }, {"does not begin like a .npy file"});
}

TEST(Npy, MagicDecidesWhateverTheEnding) {
  const Folder folder;
  expect_cells(read_matrix(folder.put("x.csv", npy("<f4", "(2, 3)", bytes_of(kSix)))), 2, kSix);
  expect_cells(read_matrix(folder.put("x.gz", files::gzip(npy("<f4", "(2, 3)", bytes_of(kSix))))),
               2, kSix);
}

TEST(Npy, RefusesOptionsOfOtherKinds) {
  const Folder folder;
  const auto path = folder.put("x.npy", npy("<f4", "(2, 3)", bytes_of(kSix)));
  expect_error<InvalidArgument>([&] { read_table(path, {.label_column = "y"}); },
                                {"label_column = y", "CSV"});
  expect_error<InvalidArgument>([&] { read_table(path, {.array = "X"}); }, {"array = X", ".npz"});
}

TEST(NpyLabels, AcceptsIntegersInAnyType) {
  const Folder folder;
  const auto labels_of = [&](const std::string& bytes) {
    return read_labels(folder.put("y.npy", bytes)).values;
  };
  const std::vector<std::int32_t> expected = {0, -3, 7};
  EXPECT_EQ(labels_of(npy("<i4", "(3,)", bytes_of(std::vector<std::int32_t>{0, -3, 7}))), expected);
  EXPECT_EQ(labels_of(npy(">i8", "(3, 1)", swapped_bytes_of(std::vector<std::int64_t>{0, -3, 7}))),
            expected);
  EXPECT_EQ(labels_of(npy("<f8", "(3,)", bytes_of(std::vector<double>{0, -3, 7}))), expected);
  EXPECT_EQ(labels_of(npy("|u1", "(3,)", std::string("\x00\x01\xff", 3))),
            (std::vector<std::int32_t>{0, 1, 255}));
}

TEST(NpyLabels, RefusesWhatIsNoLabel) {
  const Folder folder;
  const auto read = [&](const std::string& bytes) { read_labels(folder.put("y.npy", bytes)); };
  expect_error<FormatError>(
      [&] {
        read(npy("<f8", "(2,)", bytes_of(std::vector<double>{0, 1.5})));
      },
      {"y.npy: row 2", "the label 1.5 is not an integer"});
  expect_error<FormatError>(
      [&] {
        read(npy("<f8", "(1,)",
                 bytes_of(std::vector<double>{std::numeric_limits<double>::quiet_NaN()})));
      },
      {"nan is not an integer"});
  expect_error<FormatError>(
      [&] { read(npy("<i8", "(1,)", bytes_of(std::vector<std::int64_t>{1LL << 40}))); },
      {"32 bits"});
  expect_error<FormatError>(
      [&] {
        read(npy("<i4", "(2, 2)", bytes_of(std::vector<std::int32_t>{1, 2, 3, 4})));
      },
      {"one column", "2 x 2"});
}

}  // namespace
}  // namespace mbn
