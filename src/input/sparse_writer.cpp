// SPDX-License-Identifier: Apache-2.0
//
// What scipy.sparse.save_npz writes: a zip archive of the arrays data, indices, indptr, shape and
// format. Members are deflated in memory first, so that their sizes and sums are known before the
// first byte and the file can be written from front to back, as AtomicFile does.
#include <zlib.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <mbn/error.hpp>
#include <mbn/input.hpp>

#include "base/atomic_file.hpp"
#include "input/npy.hpp"

namespace mbn {

namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

constexpr std::uint64_t kZipLimit = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kChunk = std::size_t{1} << 20;

std::string little(std::uint64_t number, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
  return bytes;
}

/// Deflates piece by piece and keeps what a zip directory tells about a member.
class Deflated {
 public:
  Deflated() {
    // A negative window makes the bare stream that zip holds.
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Deflated() { deflateEnd(&stream_); }
  Deflated(const Deflated&) = delete;
  Deflated& operator=(const Deflated&) = delete;

  void add(const void* bytes, std::size_t count) {
    const auto* from = static_cast<const Bytef*>(bytes);
    while (count > 0) {
      const auto part = static_cast<uInt>(std::min(count, kChunk));
      sum_ = crc32(sum_, from, part);
      plain_ += part;
      run(from, part, Z_NO_FLUSH);
      from += part;
      count -= part;
    }
  }

  /// The fields that stand in both headers of a member, from the method to the sizes.
  std::string finish() {
    run(nullptr, 0, Z_FINISH);
    if (plain_ > kZipLimit || packed_.size() > kZipLimit) {
      throw InvalidArgument(
          ErrorCode::too_large,
          fmt::format(
              "an array of {} bytes does not fit a .npz file, which ends at 4 GB; write fewer rows",
              plain_));
    }
    // The date, 1980-01-01, says nothing: the same rows give the same bytes.
    return little(8, 2) + little(0, 2) + little(0x21, 2) + little(sum_, 4) +
           little(packed_.size(), 4) + little(plain_, 4);
  }
  const std::string& packed() const { return packed_; }

 private:
  void run(const Bytef* from, uInt count, int flush) {
    std::array<char, 65536> out;
    stream_.next_in = const_cast<Bytef*>(from);
    stream_.avail_in = count;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out.data());
      stream_.avail_out = static_cast<uInt>(out.size());
      deflate(&stream_, flush);
      packed_.append(out.data(), out.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  uLong sum_ = crc32(0, nullptr, 0);
  std::uint64_t plain_ = 0;
  std::string packed_;
};

class NpzWriter {
 public:
  explicit NpzWriter(AtomicFile& file) : file_(file) {}

  template <class Fill>
  void add(std::string_view name, std::string_view type, std::span<const std::size_t> shape,
           Fill&& fill) {
    Deflated member;
    const std::string header = npy_header(type, shape);
    member.add(header.data(), header.size());
    fill(member);
    const std::string path = std::string(name) + ".npy";
    const std::string common = member.finish();
    const std::string tail = little(path.size(), 2) + little(0, 2);
    directory_ += "PK\x01\x02" + little(20, 2) + little(20, 2) + little(0, 2) + common + tail +
                  little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(place_, 4) +
                  path;
    write("PK\x03\x04" + little(20, 2) + little(0, 2) + common + tail + path);
    write(member.packed());
    ++members_;
    if (place_ > kZipLimit) {
      throw InvalidArgument(ErrorCode::too_large,
                            "the rows do not fit a .npz file, which ends at 4 GB; write fewer");
    }
  }

  void finish() {
    const std::uint64_t start = place_;
    write(directory_);
    write("PK\x05\x06" + little(0, 4) + little(members_, 2) + little(members_, 2) +
          little(directory_.size(), 4) + little(start, 4) + little(0, 2));
  }

 private:
  void write(const std::string& bytes) {
    file_.write(bytes);
    place_ += bytes.size();
  }

  AtomicFile& file_;
  std::string directory_;
  std::uint64_t place_ = 0;
  std::uint64_t members_ = 0;
};

/// Row starts that begin with 0, whatever slice of rows it is, as int32 or int64.
template <class T>
void add_starts(Deflated& member, SparseView rows) {
  T start = 0;
  member.add(&start, sizeof start);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    start += static_cast<T>(rows.indices(i).size());
    member.add(&start, sizeof start);
  }
}

}  // namespace

void write_sparse(const std::filesystem::path& path, SparseView rows, const WriteOptions& options) {
  if (path.extension() != ".npz") {
    throw InvalidArgument(ErrorCode::unknown_choice,
                          fmt::format("sparse rows are written as .npz, but the file is called {}; "
                                      "give it that ending",
                                      path.string()),
                          {.path = path});
  }
  AtomicFile file(path, options.overwrite);
  NpzWriter writer(file);
  const std::array<std::size_t, 1> cells = {rows.cells()};
  const std::array<std::size_t, 1> starts = {rows.rows() + 1};
  const std::array<std::size_t, 1> two = {2};
  constexpr std::uint64_t kInt32 = std::numeric_limits<std::int32_t>::max();
  const bool wide = rows.cells() > kInt32 || rows.columns() > kInt32;
  writer.add("indices", wide ? "<i8" : "<i4", cells, [&](Deflated& member) {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const auto indices = rows.indices(i);
      if (!wide) {
        member.add(indices.data(), indices.size_bytes());
      } else {
        const std::vector<std::int64_t> widened(indices.begin(), indices.end());
        member.add(widened.data(), widened.size() * sizeof(std::int64_t));
      }
    }
  });
  writer.add("indptr", wide ? "<i8" : "<i4", starts, [&](Deflated& member) {
    wide ? add_starts<std::int64_t>(member, rows) : add_starts<std::int32_t>(member, rows);
  });
  writer.add("format", "|S3", {}, [](Deflated& member) { member.add("csr", 3); });
  writer.add("shape", "<i8", two, [&](Deflated& member) {
    const std::array<std::int64_t, 2> shape = {static_cast<std::int64_t>(rows.rows()),
                                               static_cast<std::int64_t>(rows.columns())};
    member.add(shape.data(), sizeof shape);
  });
  writer.add("data", "<f4", cells, [&](Deflated& member) {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      member.add(rows.values(i).data(), rows.values(i).size_bytes());
    }
  });
  writer.finish();
  file.commit();
}

}  // namespace mbn
