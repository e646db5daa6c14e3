// SPDX-License-Identifier: Apache-2.0
//
// minizip reads the archive, from memory instead of a file name, so that mapped files, pipes and
// fuzzed bytes take the same way. The wanted member becomes a ByteSource, from which the `.npy`
// reader reads without knowing of zip. The size that a member claims is not trusted: its limit
// follows from the size of the archive, and the CRC-32 is checked after the last byte.
#include "input/npz.hpp"

#include <fmt/format.h>
#include <minizip/unzip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include <mbn/error.hpp>

#include "base/checked.hpp"
#include "input/gzip_source.hpp"
#include "input/npy.hpp"
#include "input/printable.hpp"
#include "input/scipy_arrays.hpp"

namespace mbn {
namespace {

constexpr std::size_t kMaxMembers = 65536;

/// The archive in memory, as minizip's file functions see it.
struct MemoryFile {
  std::span<const std::byte> bytes;
  std::uint64_t position = 0;
};

void* open_memory(void* opaque, const void*, int) {
  return opaque;
}

uLong read_memory(void*, void* stream, void* to, uLong size) {
  auto& file = *static_cast<MemoryFile*>(stream);
  const std::uint64_t left =
      file.position < file.bytes.size() ? file.bytes.size() - file.position : 0;
  const auto count = static_cast<uLong>(std::min<std::uint64_t>(size, left));
  if (count > 0) std::memcpy(to, file.bytes.data() + file.position, count);
  file.position += count;
  return count;
}

ZPOS64_T tell_memory(void*, void* stream) {
  return static_cast<MemoryFile*>(stream)->position;
}

long seek_memory(void*, void* stream, ZPOS64_T offset, int origin) {
  auto& file = *static_cast<MemoryFile*>(stream);
  std::uint64_t base = 0;
  if (origin == ZLIB_FILEFUNC_SEEK_CUR) base = file.position;
  if (origin == ZLIB_FILEFUNC_SEEK_END) base = file.bytes.size();
  const auto target = checked_sum(base, offset);
  if (!target || *target > file.bytes.size()) return -1;
  file.position = *target;
  return 0;
}

int close_memory(void*, void*) {
  return 0;
}
int memory_error(void*, void*) {
  return 0;
}

[[noreturn]] void fail_damaged(const std::string& name, const std::string& problem,
                               ErrorCode code = ErrorCode::damaged) {
  throw FormatError(code,
                    fmt::format("{}: the zip archive cannot be read: {}; test it with 'unzip -t' "
                                "and fetch or write it again",
                                name, problem),
                    {.path = name});
}

struct Member {
  std::string array;  // the name without .npy
  unz64_file_pos position{};
  bool stored = false;
  bool encrypted = false;
};

class Archive {
 public:
  explicit Archive(const MemorySource& source) : name_(source.name()), file_{source.rest()} {
    zlib_filefunc64_def functions{};
    functions.zopen64_file = open_memory;
    functions.zread_file = read_memory;
    functions.ztell64_file = tell_memory;
    functions.zseek64_file = seek_memory;
    functions.zclose_file = close_memory;
    functions.zerror_file = memory_error;
    functions.opaque = &file_;
    handle_ = unzOpen2_64("memory", &functions);
    if (handle_ == nullptr) fail_damaged(name_, "it is empty or its directory is missing");
  }
  ~Archive() { unzClose(handle_); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  unzFile handle() const { return handle_; }
  const std::string& name() const { return name_; }
  std::uint64_t bytes() const { return file_.bytes.size(); }

  std::vector<Member> members() const {
    std::vector<Member> found;
    int code = unzGoToFirstFile(handle_);
    for (; code == UNZ_OK && found.size() < kMaxMembers; code = unzGoToNextFile(handle_)) {
      std::array<char, 1024> name{};
      unz_file_info64 info{};
      Member member;
      if (unzGetCurrentFileInfo64(handle_, &info, name.data(), name.size() - 1, nullptr, 0, nullptr,
                                  0) != UNZ_OK ||
          unzGetFilePos64(handle_, &member.position) != UNZ_OK) {
        fail_damaged(name_, "its directory is damaged");
      }
      member.array = name.data();
      if (member.array.ends_with(".npy")) member.array.resize(member.array.size() - 4);
      member.stored = info.compression_method == 0;
      member.encrypted = (info.flag & 1) != 0;
      found.push_back(std::move(member));
    }
    if (code != UNZ_OK && code != UNZ_END_OF_LIST_OF_FILE) {
      fail_damaged(name_, "its directory is damaged");
    }
    return found;
  }

 private:
  std::string name_;
  MemoryFile file_;
  unzFile handle_ = nullptr;
};

/// The bytes of one member, decompressed.
class MemberSource final : public BufferedSource {
 public:
  MemberSource(const Archive& archive, const Member& member)
      : BufferedSource(fmt::format("{}:{}", archive.name(), printable(member.array))),
        archive_(archive),
        limit_(checked_product(archive.bytes(), member.stored ? 1 : kDeflateLimit)
                   .value_or(UINT64_MAX)) {
    if (member.encrypted) {
      fail_damaged(archive.name(), fmt::format("'{}' is encrypted", printable(member.array)),
                   ErrorCode::unsupported);
    }
    unz64_file_pos position = member.position;
    if (unzGoToFilePos64(archive.handle(), &position) != UNZ_OK ||
        unzOpenCurrentFile(archive.handle()) != UNZ_OK) {
      fail_damaged(archive.name(),
                   fmt::format("'{}' is damaged or compressed in a way other than deflate",
                               printable(member.array)));
    }
    open_ = true;
  }
  ~MemberSource() override {
    if (open_) unzCloseCurrentFile(archive_.handle());
  }

  std::uint64_t limit() const override { return limit_; }

 protected:
  std::size_t fill(void* bytes, std::size_t count) override {
    if (!open_ || count == 0) return 0;
    const auto wanted =
        static_cast<unsigned>(std::min<std::size_t>(count, std::numeric_limits<int>::max()));
    const int got = unzReadCurrentFile(archive_.handle(), bytes, wanted);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got < 0) fail_damaged(name(), "its data is damaged");
    open_ = false;
    if (unzCloseCurrentFile(archive_.handle()) != UNZ_OK) fail_damaged(name(), "CRC-32 mismatch");
    return 0;
  }

 private:
  const Archive& archive_;
  std::uint64_t limit_;
  bool open_ = false;
};

const Member* find(const std::vector<Member>& members, std::string_view array) {
  const auto at = std::find_if(members.begin(), members.end(),
                               [&](const Member& member) { return member.array == array; });
  return at != members.end() ? &*at : nullptr;
}

std::string names_of(const std::vector<Member>& members) {
  constexpr std::size_t kMostNames = 20;
  std::string names;
  for (std::size_t i = 0; i < std::min(members.size(), kMostNames); ++i) {
    if (i > 0) names += ", ";
    names += printable(members[i].array);
  }
  return members.size() > kMostNames ? names + ", ..." : names;
}

const Member& choose(const std::string& name, const std::vector<Member>& members,
                     const std::string& array) {
  if (members.empty()) {
    throw FormatError(ErrorCode::too_small,
                      fmt::format("{}: the archive is empty; save an array in it", name),
                      {.path = name});
  }
  if (!array.empty()) {
    if (const Member* member = find(members, array)) return *member;
    throw InvalidArgument(ErrorCode::not_found,
                          fmt::format("{}: there is no array '{}'; the arrays are: {}", name,
                                      printable(array), names_of(members)),
                          {.option = "array", .value = array, .path = name});
  }
  for (const char* usual : {"X", "data", "arr_0"}) {
    if (const Member* member = find(members, usual)) return *member;
  }
  if (members.size() == 1) return members.front();
  throw InvalidArgument(
      ErrorCode::not_found,
      fmt::format(
          "{}: there are several arrays and none is called X, data or arr_0; name one of them: {}",
          name, names_of(members)),
      {.option = "array", .path = name});
}

/// What SciPy calls the layout of a sparse matrix: an array that is one short text, of bytes or of
/// characters of four.
std::string scipy_format(const Archive& archive, const Member& member) {
  MemberSource source(archive, member);
  std::string text;
  for (const std::byte byte : source.peek(4096)) {
    if (byte != std::byte{0}) text += static_cast<char>(byte);
  }
  return text.size() < 3 ? text : text.substr(text.size() - 3);
}

SparseMatrix read_scipy(const Archive& archive, const std::vector<Member>& members) {
  const auto source_of = [&](const char* array) {
    const Member* member = find(members, array);
    if (member == nullptr) {
      throw FormatError(
          ErrorCode::damaged,
          fmt::format("{}: the SciPy sparse matrix lacks its array '{}'; save it as csr with "
                      "scipy.sparse.save_npz",
                      archive.name(), array),
          {.path = archive.name()});
    }
    return MemberSource(archive, *member);
  };
  const std::string format = scipy_format(archive, *find(members, "format"));
  if (format != "csr" && format != "csc") {
    throw FormatError(
        ErrorCode::unsupported,
        fmt::format("{}: the SciPy sparse matrix has the format '{}'; save matrix.tocsr() instead",
                    archive.name(), printable(format)),
        {.path = archive.name()});
  }
  ScipyArrays arrays;
  arrays.by_column = format == "csc";
  // One member of the archive can be open at a time.
  const auto integers = [&](const char* array) {
    MemberSource source = source_of(array);
    return read_npy_integers(source);
  };
  arrays.shape = integers("shape");
  arrays.starts = integers("indptr");
  arrays.indices = integers("indices");
  MemberSource values = source_of("data");
  arrays.values = read_npy_values(values);
  return rows_from_scipy(archive.name(), arrays);
}

}  // namespace

bool is_zip(std::span<const std::byte> start) {
  const auto begins = [&](std::string_view magic) {
    return start.size() >= magic.size() &&
           std::memcmp(start.data(), magic.data(), magic.size()) == 0;
  };
  // The second begins an archive without members.
  return begins("PK\x03\x04") || begins("PK\x05\x06");
}

Table read_npz(const MemorySource& source, const std::string& array, bool* has_nan) {
  const Archive archive(source);
  const auto members = archive.members();
  Table table;
  if (array.empty() && find(members, "format") != nullptr && find(members, "shape") != nullptr) {
    table.rows = read_scipy(archive, members);
    return table;
  }
  const Member& member = choose(source.name(), members, array);
  MemberSource bytes(archive, member);
  if (!is_npy(bytes.peek(8))) {
    throw FormatError(
        ErrorCode::not_this_format,
        fmt::format("{}: this is not a .npy array; write the archive with numpy.savez",
                    bytes.name()),
        {.path = bytes.name()});
  }
  table.rows = read_npy(bytes, &table.pictures, has_nan);
  return table;
}

}  // namespace mbn
