// SPDX-License-Identifier: Apache-2.0
#include "input/npz.hpp"

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
using files::zip;

std::string array_of(float first) {
  return npy("<f4", "(2, 2)", bytes_of(std::vector<float>{first, 2, 3, 4}));
}

Matrix read_bytes(const std::string& bytes, const std::string& array = "") {
  const Folder folder;
  return read_matrix(folder.put("x.npz", bytes), {.array = array});
}

TEST(Npz, ReadsStoredAndDeflatedArrays) {
  for (const bool compress : {false, true}) {
    const Matrix matrix = read_bytes(zip({{"X.npy", array_of(1)}}, compress));
    ASSERT_EQ(matrix.shape(), (Shape{2, 2}));
    EXPECT_EQ(matrix.at(0, 0), 1);
    EXPECT_EQ(matrix.at(1, 1), 4);
  }
}

TEST(Npz, KeepsBytesAndConvertsTheRest) {
  EXPECT_EQ(read_bytes(zip({{"X.npy", npy("|u1", "(1, 3)", "abc")}})).type(), ElementType::uint8);
  const std::vector<std::int64_t> numbers = {7, 8};
  const Matrix matrix = read_bytes(zip({{"X.npy", npy("<i8", "(1, 2)", bytes_of(numbers))}}));
  EXPECT_EQ(matrix.type(), ElementType::float32);
  EXPECT_EQ(matrix.at(0, 1), 8);
}

TEST(Npz, ChoosesTheUsualNames) {
  EXPECT_EQ(read_bytes(zip({{"y.npy", array_of(9)}, {"X.npy", array_of(1)}})).at(0, 0), 1);
  EXPECT_EQ(read_bytes(zip({{"y.npy", array_of(9)}, {"data.npy", array_of(2)}})).at(0, 0), 2);
  EXPECT_EQ(read_bytes(zip({{"y.npy", array_of(9)}, {"arr_0.npy", array_of(3)}})).at(0, 0), 3);
  EXPECT_EQ(read_bytes(zip({{"only.npy", array_of(4)}})).at(0, 0), 4);
}

TEST(Npz, TakesTheNamedArray) {
  const std::string bytes = zip({{"X.npy", array_of(1)}, {"other.npy", array_of(5)}});
  EXPECT_EQ(read_bytes(bytes, "other").at(0, 0), 5);
  expect_error<InvalidArgument>([&] { read_bytes(bytes, "third"); },
                                {"x.npz", "no array 'third'", "X, other"});
}

TEST(Npz, AsksWhichOfSeveral) {
  expect_error<InvalidArgument>(
      [] {
        read_bytes(zip({{"a.npy", array_of(1)}, {"b.npy", array_of(2)}}));
      },
      {"several arrays", "a, b"});
}

template <class T>
std::string list(const char* type, const std::vector<T>& values) {
  return npy(type, "(" + std::to_string(values.size()) + ",)", bytes_of(values));
}

struct Scipy {
  std::string format = npy("|S3", "()", "csr");
  std::vector<std::int64_t> shape = {3, 4};
  std::vector<std::int32_t> starts = {0, 2, 2, 4};
  std::vector<std::int32_t> indices = {3, 0, 1, 2};
  std::vector<double> values = {4, 1, 2, 3};
};

SparseMatrix read_scipy(const Scipy& made) {
  const Folder folder;
  return std::move(read_table(folder.put("x.npz", zip({{"indices.npy", list("<i4", made.indices)},
                                                       {"indptr.npy", list("<i4", made.starts)},
                                                       {"format.npy", made.format},
                                                       {"shape.npy", list("<i8", made.shape)},
                                                       {"data.npy", list("<f8", made.values)}},
                                                      true)))
                       .rows.sparse());
}

TEST(Npz, ReadsSciPySparseMatricesWhateverTheOrderOfTheirColumns) {
  const SparseMatrix rows = read_scipy({});
  EXPECT_EQ(rows.columns, 4u);
  EXPECT_EQ(rows.starts, (std::vector<std::uint64_t>{0, 2, 2, 4}));
  EXPECT_EQ(rows.indices, (std::vector<std::uint32_t>{0, 3, 1, 2}));
  EXPECT_EQ(rows.values, (std::vector<float>{1, 4, 2, 3}));
  const SparseMatrix empty = read_scipy({.starts = {0, 0, 0, 0}, .indices = {}, .values = {}});
  EXPECT_EQ(empty.rows(), 3u);
}

TEST(Npz, ReadsSciPyMatricesByColumn) {
  // Text of four bytes a letter, as newer NumPy writes it.
  const std::string wide("c\0\0\0s\0\0\0c\0\0\0", 12);
  const SparseMatrix rows = read_scipy({.format = npy("<U3", "()", wide),
                                        .shape = {4, 3},
                                        .indices = {0, 3, 1, 2},
                                        .values = {1, 4, 2, 3}});
  EXPECT_EQ(rows.columns, 3u);
  EXPECT_EQ(rows.starts, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(rows.indices, (std::vector<std::uint32_t>{0, 2, 2, 0}));
  EXPECT_EQ(rows.values, (std::vector<float>{1, 2, 3, 4}));
}

TEST(Npz, RefusesSciPyMatricesThatAreNotSound) {
  const auto refused = [](const Scipy& made, const std::vector<std::string>& parts) {
    expect_error<FormatError>([&] { read_scipy(made); }, parts);
  };
  refused({.format = npy("|S3", "()", "bsr")}, {"format 'bsr'", "tocsr"});
  refused({.indices = {0, 0, 1, 2}}, {"row 1, column 1", "twice"});
  refused({.indices = {0, 4, 1, 2}}, {"an index 4 of 4"});
  refused({.indices = {0, -1, 1, 2}}, {"-1 is negative"});
  refused({.values = {1, 2, 3, std::nan("")}}, {"not finite"});
  refused({.values = {1, 2, 3}}, {"4 indices but 3 values"});
  refused({.starts = {0, 3, 2, 4}}, {"not ascending at its number 2"});
  refused({.starts = {0, 2, 2, 9}}, {"goes from 0 to 9"});
  refused({.starts = {0, 2, 4}}, {"3 numbers for 3 rows"});
  refused({.shape = {3}}, {"shape has 1 numbers"});
  refused({.shape = {0, 4}}, {"0 rows"});
  expect_error<FormatError>(
      [] {
        read_bytes(zip({{"format.npy", npy("|S3", "()", "csr")}, {"shape.npy", array_of(1)}}));
      },
      {"indices", "one"});
}

TEST(Npz, RefusesWhatIsNoArray) {
  expect_error<FormatError>(
      [] {
        read_bytes(zip({{"readme.txt", "hello"}}));
      },
      {"x.npz:readme.txt", "not a .npy array"});
  expect_error<FormatError>([] { read_bytes(zip({})); }, {"it is empty"});
  expect_error<FormatError>([] { read_bytes("hello"); }, {"does not begin like a .npz file"});
}

TEST(Npz, NamesTheCellThatIsNotFinite) {
  const std::vector<float> cells = {1, 2, 3, std::numeric_limits<float>::infinity()};
  expect_error<FormatError>(
      [&] {
        read_bytes(zip({{"X.npy", npy("<f4", "(2, 2)", bytes_of(cells))}}));
      },
      {"x.npz:X: row 2, column 2"});
}

TEST(Npz, NeverGivesLessOfAnArchiveThatIsCut) {
  // minizip can do without the last bytes of the directory; the array is whole then.
  constexpr std::size_t kSpareBytes = 6;
  for (const bool compress : {false, true}) {
    const std::string whole = zip({{"X.npy", array_of(1)}}, compress);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const Folder folder;
      const auto path = folder.put("x.npz", whole.substr(0, length));
      try {
        EXPECT_EQ(read_matrix(path).at(1, 1), 4);
        EXPECT_GE(length + kSpareBytes, whole.size());
      } catch (const FormatError&) {
      }
    }
  }
}

TEST(Npz, ChecksTheSum) {
  std::string bytes = zip({{"X.npy", array_of(1)}}, false);
  const std::size_t last_cell = bytes.find("PK\x01\x02") - 4;
  bytes[last_cell] = static_cast<char>(bytes[last_cell] ^ 1);
  expect_error<FormatError>([&] { read_bytes(bytes); }, {"CRC-32 mismatch"});
}

TEST(Npz, DoesNotBelieveAHeaderThatDeclaresMoreThanCanCome) {
  const std::string bomb = npy("<f4", "(1000000000, 100)", "1234");
  expect_error<FormatError>(
      [&] {
        read_bytes(zip({{"X.npy", bomb}}));
      },
      {"1000000000 x 100", "bytes follow"});
  // Small enough to be believed, but it does not come.
  expect_error<FormatError>(
      [&] {
        read_bytes(zip({{"X.npy", npy("<f4", "(1000, 2)", "1234")}}));
      },
      {"the file ends inside the array", "4 of 8000 bytes"});
  // Members may not hold more than their header says either.
  expect_error<FormatError>(
      [&] {
        read_bytes(zip({{"X.npy", array_of(1) + std::string(100000, '\0')}}));
      },
      {"more bytes after the array"});
}

TEST(Npz, IsNotReadInsideGzipNorAsLabels) {
  const Folder folder;
  const std::string bytes = zip({{"X.npy", array_of(1)}});
  const auto packed = folder.put("x.npz.gz", files::gzip(bytes));
  expect_error<FormatError>([&] { read_matrix(packed); }, {"inside gzip"});
  const auto plain = folder.put("y.npz", bytes);
  expect_error<FormatError>([&] { read_labels(plain); }, {"labels are not read from .npz"});
}

}  // namespace
}  // namespace mbn
