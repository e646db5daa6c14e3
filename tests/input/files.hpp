// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mbn/input.hpp>

/// Files for tests, made by hand, byte by byte, so that the readers are not tested against our own
/// writers only.
namespace mbn::files {

/// A folder of its own that is removed at the end.
class Folder {
 public:
  Folder() : Folder(std::filesystem::temp_directory_path()) {}
  explicit Folder(const std::filesystem::path& parent) {
    std::string name = (parent / "mbn-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  /// Where files need not reach a disk, for tests that write hundreds.
  static std::filesystem::path in_memory() {
    const std::filesystem::path memory = "/dev/shm";
    return ::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
  }

  /// Writes a file and returns its path.
  std::filesystem::path put(const std::string& name, std::string_view bytes) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }

  std::size_t count() const {
    const std::filesystem::directory_iterator files(path_);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

 private:
  std::filesystem::path path_;
};

/// The table of a text.
inline Table read_bytes(std::string_view text, const ReadOptions& options = {}) {
  const Folder folder;
  return read_table(folder.put("x.csv", text), options);
}

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

template <class T>
std::string swapped_bytes_of(const std::vector<T>& numbers) {
  std::string bytes;
  for (const T number : numbers) {
    std::string one(sizeof(T), '\0');
    std::memcpy(one.data(), &number, sizeof(T));
    bytes.append(one.rbegin(), one.rend());
  }
  return bytes;
}

/// The low `width` bytes of a number, little-endian.
inline std::string little(std::uint64_t number, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>((number >> (8 * i)) & 0xff);
  return bytes;
}

inline std::string big(std::uint64_t number, int width) {
  const std::string bytes = little(number, width);
  return {bytes.rbegin(), bytes.rend()};
}

inline std::string npy_with_header(const std::string& header, const std::string& cells,
                                   int version = 1) {
  return std::string("\x93NUMPY") + static_cast<char>(version) + '\0' +
         little(header.size(), version == 1 ? 2 : 4) + header + cells;
}

inline std::string npy(const std::string& type, const std::string& shape, const std::string& cells,
                       const char* fortran_order = "False", int version = 1) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape + ", }";
  const std::size_t start = version == 1 ? 10 : 12;
  header.append(63 - (start + header.size()) % 64, ' ');
  return npy_with_header(header + "\n", cells, version);
}

inline std::string idx(int type, const std::vector<std::uint32_t>& shape,
                       const std::string& cells) {
  std::string bytes = {'\0', '\0', static_cast<char>(type), static_cast<char>(shape.size())};
  for (const std::uint32_t length : shape) bytes += big(length, 4);
  return bytes + cells;
}

/// Deflates; `window` as zlib has it: 31 makes gzip, -15 the bare stream that zip holds.
inline std::string deflated(std::string_view bytes, int window) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string gzip(std::string_view bytes) {
  return deflated(bytes, 31);
}

/// A zip archive of the members (name, bytes).
inline std::string zip(const std::vector<std::pair<std::string, std::string>>& members,
                       bool compress = true) {
  std::string bytes;
  std::string directory;
  for (const auto& [name, plain] : members) {
    const auto sum =
        crc32(0, reinterpret_cast<const Bytef*>(plain.data()), static_cast<uInt>(plain.size()));
    const std::string packed = compress ? deflated(plain, -15) : plain;
    const std::string common = little(20, 2) + little(0, 2) + little(compress ? 8 : 0, 2) +
                               little(0, 4) + little(sum, 4) + little(packed.size(), 4) +
                               little(plain.size(), 4) + little(name.size(), 2) + little(0, 2);
    directory += "PK\x01\x02" + little(20, 2) + common + little(0, 2) + little(0, 2) +
                 little(0, 2) + little(0, 4) + little(bytes.size(), 4) + name;
    bytes += "PK\x03\x04" + common + name + packed;
  }
  const std::string count = little(members.size(), 2);
  return bytes + directory + "PK\x05\x06" + little(0, 4) + count + count +
         little(directory.size(), 4) + little(bytes.size(), 4) + little(0, 2);
}

/// What `body` throws, which must be an `Error` that says all of `parts`.
template <class Error, class Body>
void expect_error(Body&& body, const std::vector<std::string>& parts) {
  try {
    body();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string message = error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' is not in: " << message;
    }
  }
}

}  // namespace mbn::files
