// SPDX-License-Identifier: Apache-2.0
//
// Everything that the library would allocate for is checked before: a dataset may have no more
// cells than its stored bytes can unpack to (deflate shrinks at most 1032 times), and no more
// stored bytes than the file has. Storage in other files, virtual datasets and filters other than
// HDF5's own are refused.
#ifdef MBN_HAS_HDF5
#include "input/hdf5_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <mbn/error.hpp>

#include "base/checked.hpp"
#include "input/gzip_source.hpp"
#include "input/printable.hpp"

namespace mbn {

namespace {

constexpr std::size_t kMostMembers = 1000;
constexpr std::size_t kDeepest = 8;
constexpr std::uint64_t kBlockBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kLargestBlock = std::uint64_t{1} << 30;
constexpr std::uint64_t kLongestText = std::uint64_t{1} << 20;

/// An identifier of HDF5, given back at the end.
class Handle {
 public:
  explicit Handle(hid_t id) : id_(id) {}
  ~Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  // NOLINTNEXTLINE(google-explicit-constructor): stands for the identifier.
  operator hid_t() const { return id_; }
  bool good() const { return id_ >= 0; }

 private:
  hid_t id_;
};

[[noreturn]] void fail(const std::string& problem, ErrorCode code = ErrorCode::damaged) {
  throw FormatError(code, problem);
}

[[noreturn]] void fail_damaged(const std::string& path) {
  fail(fmt::format(
      "'{}' cannot be read; the file is damaged, or was written for newer programs only "
      "(libver='latest'): fetch or write it again",
      printable(path)));
}

std::vector<std::string> words_of(const std::string& path) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) words.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool is_hard_link(hid_t group, const std::string& name) {
  H5L_info_t info{};
  return H5Lexists(group, name.c_str(), H5P_DEFAULT) > 0 &&
         H5Lget_info(group, name.c_str(), &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

std::vector<std::uint64_t> shape_of(hid_t space) {
  const int indices = H5Sget_simple_extent_ndims(space);
  if (indices < 0 || indices > H5S_MAX_RANK || H5Sget_simple_extent_type(space) == H5S_NULL) {
    return {0};
  }
  std::vector<hsize_t> lengths(static_cast<std::size_t>(indices));
  if (indices > 0) H5Sget_simple_extent_dims(space, lengths.data(), nullptr);
  return {lengths.begin(), lengths.end()};
}

struct Number {
  NumberType type = NumberType::float32;
  hid_t native = -1;
};

/// What one number is here, and what to call that in memory; nothing for texts, records, ...
std::optional<Number> number_of(hid_t type) {
  const std::size_t bytes = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      if (bytes == 8) return Number{NumberType::float64, H5T_NATIVE_DOUBLE};
      if (bytes == 4 || bytes == 2) return Number{NumberType::float32, H5T_NATIVE_FLOAT};
      return {};
    case H5T_INTEGER: {
      const bool has_sign = H5Tget_sign(type) == H5T_SGN_2;
      if (bytes == 1 && has_sign) return Number{NumberType::int8, H5T_NATIVE_INT8};
      if (bytes == 2 && has_sign) return Number{NumberType::int16, H5T_NATIVE_INT16};
      if (bytes == 4 && has_sign) return Number{NumberType::int32, H5T_NATIVE_INT32};
      if (bytes == 8 && has_sign) return Number{NumberType::int64, H5T_NATIVE_INT64};
      if (bytes == 1) return Number{NumberType::uint8, H5T_NATIVE_UINT8};
      if (bytes == 2) return Number{NumberType::uint16, H5T_NATIVE_UINT16};
      if (bytes == 4) return Number{NumberType::uint32, H5T_NATIVE_UINT32};
      if (bytes == 8) return Number{NumberType::uint64, H5T_NATIVE_UINT64};
      return {};
    }
    default:
      return {};
  }
}

/// Whether it is NumPy's bool, which h5py stores as an enumeration of one byte.
bool is_boolean(hid_t type) {
  return H5Tget_class(type) == H5T_ENUM && H5Tget_size(type) == 1;
}

void check_filters(hid_t properties) {
  const int filters = H5Pget_nfilters(properties);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    unsigned configuration = 0;
    std::array<char, 64> name{};
    const H5Z_filter_t filter =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, name.size(),
                       name.data(), &configuration);
    name.back() = '\0';
    const bool ours = filter >= 0 && filter <= H5Z_FILTER_SCALEOFFSET;
    if (ours && H5Zfilter_avail(filter) > 0) continue;
    fail(
        fmt::format("it is compressed by the filter {} ({}), which is not read; write it with gzip "
                    "(h5py and anndata: compression='gzip')",
                    static_cast<int>(filter), printable(name.data())),
        ErrorCode::unsupported);
  }
}

// The library wants copies of a file in memory: for its settings, and for the file when it is
// opened. All of them are the image itself, which is only read and is given back by nobody.
void* same_image(std::size_t, H5FD_file_image_op_t, void* image) {
  return image;
}
void* no_copy(void* to, const void*, std::size_t, H5FD_file_image_op_t, void*) {
  return to;
}
void* no_growth(void*, std::size_t, H5FD_file_image_op_t, void*) {
  return nullptr;
}
herr_t keep_image(void*, H5FD_file_image_op_t, void*) {
  return 0;
}
void* same_data(void* image) {
  return image;
}
herr_t keep_data(void*) {
  return 0;
}

hid_t open_image(std::span<const std::byte> image) {
  void* bytes = const_cast<std::byte*>(image.data());
  H5FD_file_image_callbacks_t callbacks{same_image, no_copy,   no_growth, keep_image,
                                        same_data,  keep_data, bytes};
  const Handle access(H5Pcreate(H5P_FILE_ACCESS));
  constexpr std::size_t kGrowth = 1 << 16;
  if (H5Pset_fapl_core(access, kGrowth, 0) < 0 ||
      H5Pset_file_image_callbacks(access, &callbacks) < 0 ||
      H5Pset_file_image(access, bytes, image.size()) < 0) {
    return -1;
  }
  return H5Fopen("image", H5F_ACC_RDONLY, access);
}

/// Rows that are read at once: whole chunks, so that none is unpacked twice.
std::uint64_t block_rows(hid_t dataset, std::uint64_t rows, std::uint64_t row_bytes) {
  const std::uint64_t bytes = std::max<std::uint64_t>(row_bytes, 1);
  std::uint64_t count = std::max<std::uint64_t>(kBlockBytes / bytes, 1);
  const Handle properties(H5Dget_create_plist(dataset));
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  if (H5Pget_layout(properties) == H5D_CHUNKED &&
      H5Pget_chunk(properties, H5S_MAX_RANK, chunk.data()) > 0 && chunk[0] > 0) {
    const std::uint64_t most = std::max<std::uint64_t>(kLargestBlock / bytes, 1);
    const std::uint64_t chunk_rows = chunk[0];
    count = std::min(std::max<std::uint64_t>(count / chunk_rows, 1) * chunk_rows, most);
  }
  return std::min(count, rows);
}

}  // namespace

Hdf5File::Hdf5File(std::span<const std::byte> image) : bytes_(image.size()) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  file_ = open_image(image);
  if (file_ < 0) fail("the HDF5 file is damaged or cut short, fetch or write it again");
}

std::int64_t Hdf5File::open(const std::string& path) const {
  hid_t here = H5Oopen(file_, "/", H5P_DEFAULT);
  for (const std::string& word : words_of(path)) {
    const Handle before(here);
    const bool follows = here >= 0 && H5Iget_type(here) == H5I_GROUP && is_hard_link(here, word);
    here = follows ? H5Oopen(before, word.c_str(), H5P_DEFAULT) : -1;
    if (here < 0) return -1;
  }
  return here;
}

Hdf5File::Kind Hdf5File::kind(const std::string& path) const {
  const Handle object(open(path));
  if (!object.good()) return Kind::nothing;
  const H5I_type_t type = H5Iget_type(object);
  if (type == H5I_GROUP) return Kind::group;
  if (type != H5I_DATASET) return Kind::other;
  const Handle cells(H5Dget_type(object));
  return number_of(cells) || is_boolean(cells) ? Kind::numbers : Kind::other;
}

std::vector<std::string> Hdf5File::members(const std::string& group) const {
  std::vector<std::string> names;
  const Handle object(open(group));
  if (!object.good() || H5Iget_type(object) != H5I_GROUP) return names;
  const auto add = [](hid_t, const char* name, const H5L_info_t* info, void* list) -> herr_t {
    auto& found = *static_cast<std::vector<std::string>*>(list);
    if (info->type == H5L_TYPE_HARD) found.emplace_back(name);
    return found.size() < kMostMembers ? 0 : 1;
  };
  hsize_t place = 0;
  H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, &place, add, &names);
  return names;
}

bool Hdf5File::has_rows(const std::string& path) const {
  const Handle dataset(open(path));
  const Handle space(H5Dget_space(dataset));
  return !shape_of(space).empty();
}

std::vector<std::string> Hdf5File::arrays() const {
  std::vector<std::string> found;
  std::vector<std::string> groups = {""};
  for (std::size_t g = 0; g < groups.size() && groups.size() < kMostMembers; ++g) {
    const std::string before = groups[g].empty() ? "" : groups[g] + "/";
    if (std::ranges::count(before, '/') > static_cast<std::ptrdiff_t>(kDeepest)) continue;
    for (const std::string& name : members(groups[g])) {
      const Kind what = kind(before + name);
      if (what == Kind::group) groups.push_back(before + name);
      if (what == Kind::numbers && has_rows(before + name)) found.push_back(before + name);
      if (found.size() >= kMostMembers) return found;
    }
  }
  return found;
}

std::optional<std::string> Hdf5File::text_attribute(const std::string& path,
                                                    const char* name) const {
  const Handle object(open(path));
  if (!object.good() || H5Aexists(object, name) <= 0) return {};
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
  const Handle type(H5Aget_type(attribute));
  const Handle space(H5Aget_space(attribute));
  if (H5Tget_class(type) != H5T_STRING || H5Sget_simple_extent_npoints(space) != 1) return {};
  const Handle memory(H5Tcopy(H5T_C_S1));
  H5Tset_cset(memory, H5Tget_cset(type));
  if (H5Tis_variable_str(type) > 0) {
    H5Tset_size(memory, H5T_VARIABLE);
    char* text = nullptr;
    if (H5Aread(attribute, memory, &text) < 0 || text == nullptr) return {};
    std::string result(text, strnlen(text, kLongestText));
    H5free_memory(text);
    return result;
  }
  const std::size_t bytes = H5Tget_size(type);
  if (bytes == 0 || bytes > kLongestText) return {};
  std::string text(bytes + 1, '\0');
  H5Tset_size(memory, bytes);
  H5Tset_strpad(memory, H5T_STR_NULLPAD);
  if (H5Aread(attribute, memory, text.data()) < 0) return {};
  text.resize(strnlen(text.data(), bytes));
  return text;
}

std::vector<std::uint64_t> Hdf5File::integer_attribute(const std::string& path,
                                                       const char* name) const {
  constexpr hssize_t kMostNumbers = 32;
  const Handle object(open(path));
  if (!object.good() || H5Aexists(object, name) <= 0) return {};
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT));
  const Handle type(H5Aget_type(attribute));
  const Handle space(H5Aget_space(attribute));
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (H5Tget_class(type) != H5T_INTEGER || count < 1 || count > kMostNumbers) return {};
  std::vector<std::uint64_t> numbers(static_cast<std::size_t>(count));
  if (H5Aread(attribute, H5T_NATIVE_UINT64, numbers.data()) < 0) return {};
  return numbers;
}

void Hdf5File::check_size(std::int64_t dataset, std::uint64_t cell_bytes) const {
  const Handle properties(H5Dget_create_plist(dataset));
  const Handle space(H5Dget_space(dataset));
  if (!properties.good() || !space.good()) fail_damaged("a dataset");
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout == H5D_VIRTUAL || H5Pget_external_count(properties) > 0) {
    fail(
        "its numbers are in other files, which are not opened; write them into one file (h5repack)",
        ErrorCode::unsupported);
  }
  check_filters(properties);
  std::optional<std::uint64_t> bytes = cell_bytes;
  for (const std::uint64_t length : shape_of(space)) {
    if (bytes) bytes = checked_product(*bytes, length);
  }
  // Compact numbers stand in the header, where the library counts no storage.
  const std::uint64_t stored = layout == H5D_COMPACT
                                   ? bytes_
                                   : std::min<std::uint64_t>(H5Dget_storage_size(dataset), bytes_);
  constexpr std::uint64_t kLittle = 4096;
  const auto most = checked_product(stored, kDeflateLimit);
  if (!bytes || !most || *bytes > *most + kLittle) {
    fail(
        fmt::format("an array of {} cells is declared, but only {} bytes are stored; the file is "
                    "damaged, or its array was never filled",
                    fmt::join(shape_of(space), " x "), stored));
  }
}

ArrayLayout Hdf5File::layout(const std::string& path) const {
  const Handle dataset(open(path));
  if (!dataset.good() || H5Iget_type(dataset) != H5I_DATASET) fail_damaged(path);
  const Handle type(H5Dget_type(dataset));
  const Handle space(H5Dget_space(dataset));
  const auto number = number_of(type);
  if (!number && !is_boolean(type)) {
    fail(fmt::format("'{}' holds no numbers", printable(path)), ErrorCode::unsupported);
  }
  // Nothing may be sent of an array that cannot be read.
  check_size(dataset,
             std::max<std::uint64_t>(H5Tget_size(type), number ? number_bytes(number->type) : 1));
  std::vector<std::uint64_t> shape = shape_of(space);
  if (shape.empty()) {
    fail(fmt::format("'{}' is a single number", printable(path)), ErrorCode::unsupported);
  }
  return {.type = number ? number->type : NumberType::boolean,
          .big_endian = std::endian::native == std::endian::big,
          .fortran_order = false,
          .shape = std::move(shape)};
}

void Hdf5File::read(const std::string& path, const Sink& sink) const {
  const ArrayLayout cells = layout(path);
  const Handle dataset(open(path));
  const Handle type(H5Dget_type(dataset));
  const Handle copy(H5Tcopy(type));
  const auto number = number_of(type);
  const hid_t memory = number ? number->native : static_cast<hid_t>(copy);
  std::uint64_t row_bytes = number_bytes(cells.type);
  for (std::size_t i = 1; i < cells.shape.size(); ++i) row_bytes *= cells.shape[i];
  const std::uint64_t rows = cells.shape[0];
  if (rows == 0 || row_bytes == 0) return;
  const std::uint64_t at_once = block_rows(dataset, rows, row_bytes);
  std::vector<std::byte> block(at_once * row_bytes);
  std::vector<hsize_t> start(cells.shape.size(), 0);
  std::vector<hsize_t> count(cells.shape.begin(), cells.shape.end());
  const Handle space(H5Dget_space(dataset));
  for (std::uint64_t row = 0; row < rows; row += at_once) {
    start[0] = row;
    count[0] = std::min(at_once, rows - row);
    const Handle target(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) <
            0 ||
        H5Dread(dataset, memory, target, space, H5P_DEFAULT, block.data()) < 0) {
      fail_damaged(path);
    }
    sink(block.data(), count[0] * row_bytes);
  }
}

std::vector<std::uint64_t> Hdf5File::integers(const std::string& path) const {
  const Handle dataset(open(path));
  if (!dataset.good() || H5Iget_type(dataset) != H5I_DATASET) fail_damaged(path);
  const Handle type(H5Dget_type(dataset));
  const Handle space(H5Dget_space(dataset));
  const std::vector<std::uint64_t> shape = shape_of(space);
  if (H5Tget_class(type) != H5T_INTEGER || shape.size() != 1) fail_damaged(path);
  check_size(dataset, sizeof(std::uint64_t));
  std::vector<std::uint64_t> numbers(shape[0]);
  if (shape[0] == 0) return numbers;
  if (H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) {
    fail_damaged(path);
  }
  return numbers;
}

namespace {

/// The type of texts that a dataset has, or that a field of its records has.
hid_t text_type(hid_t type, const std::string& field) {
  if (field.empty()) return H5Tcopy(type);
  if (H5Tget_class(type) != H5T_COMPOUND) return -1;
  const int member = H5Tget_member_index(type, field.c_str());
  return member < 0 ? -1 : H5Tget_member_type(type, static_cast<unsigned>(member));
}

/// What to read into: the texts alone.
hid_t memory_type(hid_t text, const std::string& field, std::size_t bytes) {
  const hid_t memory = H5Tcopy(H5T_C_S1);
  const bool varies = H5Tis_variable_str(text) > 0;
  H5Tset_cset(memory, H5Tget_cset(text));
  H5Tset_size(memory, varies ? H5T_VARIABLE : bytes);
  if (!varies) H5Tset_strpad(memory, H5T_STR_NULLPAD);
  if (field.empty()) return memory;
  const hid_t record = H5Tcreate(H5T_COMPOUND, bytes);
  H5Tinsert(record, field.c_str(), 0, memory);
  H5Tclose(memory);
  return record;
}

}  // namespace

std::vector<std::string> Hdf5File::texts(const std::string& path, const std::string& field) const {
  if (field.empty() && kind(path) == Kind::numbers) {
    std::vector<std::string> numbers;
    for (const std::uint64_t number : integers(path)) numbers.push_back(std::to_string(number));
    return numbers;
  }
  const Handle dataset(open(path));
  if (!dataset.good() || H5Iget_type(dataset) != H5I_DATASET) fail_damaged(path);
  const Handle type(H5Dget_type(dataset));
  const Handle space(H5Dget_space(dataset));
  const Handle text(text_type(type, field));
  const std::vector<std::uint64_t> shape = shape_of(space);
  if (!text.good() || H5Tget_class(text) != H5T_STRING || shape.size() != 1) fail_damaged(path);
  const bool varies = H5Tis_variable_str(text) > 0;
  const std::size_t bytes = varies ? sizeof(char*) : H5Tget_size(text);
  if (bytes == 0 || bytes > kLongestText) fail_damaged(path);
  check_size(dataset, bytes);
  const Handle memory(memory_type(text, field, bytes));
  const std::uint64_t at_once =
      block_rows(dataset, shape[0], std::max<std::uint64_t>(bytes, H5Tget_size(type)));
  std::vector<char> block(at_once * bytes);
  std::vector<std::string> found;
  std::uint64_t letters = 0;
  for (hsize_t row = 0; row < shape[0]; row += at_once) {
    const hsize_t now = std::min<hsize_t>(at_once, shape[0] - row);
    const Handle target(H5Screate_simple(1, &now, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &row, nullptr, &now, nullptr);
    if (H5Dread(dataset, memory, target, space, H5P_DEFAULT, block.data()) < 0) fail_damaged(path);
    for (hsize_t i = 0; i < now; ++i) {
      const char* start = block.data() + i * bytes;
      if (varies) std::memcpy(&start, start, sizeof start);
      const std::size_t length =
          start == nullptr ? 0 : strnlen(start, varies ? kLongestText + 1 : bytes);
      letters += length;
      // Texts of any length are not compressed, but may be used several times.
      if (length > kLongestText || letters > 64 * bytes_ + kBlockBytes) fail_damaged(path);
      found.emplace_back(start == nullptr ? "" : start, length);
    }
    if (varies) H5Dvlen_reclaim(memory, target, H5P_DEFAULT, block.data());
  }
  return found;
}

bool has_hdf5() {
  return true;
}

}  // namespace mbn

#else

#include "input/hdf5_file.hpp"

namespace mbn {

bool has_hdf5() {
  return false;
}

}  // namespace mbn
#endif
