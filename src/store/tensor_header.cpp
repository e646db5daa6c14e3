// SPDX-License-Identifier: Apache-2.0
//
// The JSON header of a safetensors file:
//
//   {"__metadata__": {"name": "text", ...},
//    "tensor": {"dtype": "F32", "shape": [3, 2], "data_offsets": [0, 24]}, ...}
//
// It has only these few places, so it is read by events (SAX) with one state per place, not into a
// tree: nesting, unknown fields and repeated keys end the reading at once, and memory stays in
// proportion to the text whatever it holds.
//
// The header guards itself: `header_xxh3` is the hash of the length bytes and the text, taken with
// the 16 digits of that very entry as zeros. A writer puts zeros there, hashes, and puts the digits
// in; a reader does the reverse. Together with one hash per tensor no byte of a file is unguarded.
#include "store/tensor_header.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <mbn/error.hpp>
#include <nlohmann/json.hpp>

#include "base/checked.hpp"

namespace mbn {

namespace {

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::size_t kMaxRank = 8;
constexpr std::string_view kZeroChecksum = "0000000000000000";

struct TypeRow {
  TensorType type;
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<TypeRow, 5> kTypes{{{TensorType::u8, "U8", 1},
                                         {TensorType::u16, "U16", 2},
                                         {TensorType::u32, "U32", 4},
                                         {TensorType::f32, "F32", 4},
                                         {TensorType::f64, "F64", 8}}};

const TypeRow& row_of(TensorType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

/// Takes the events of the JSON parser. Any event that has no place ends the parse: the handler
/// returns false, and `problem()` says why.
class HeaderEvents final : public nlohmann::json_sax<nlohmann::json> {
 public:
  TensorHeader take() { return std::move(header_); }
  const std::string& problem() const { return problem_; }

  bool null() override { return fail("a null"); }
  bool boolean(bool) override { return fail("a true or false"); }
  bool number_float(double, const std::string& text) override {
    return fail(fmt::format("the number {}", text.substr(0, 40)));
  }
  bool number_integer(std::int64_t value) override { return fail(fmt::format("{}", value)); }
  bool binary(nlohmann::json::binary_t&) override { return fail("bytes"); }

  bool number_unsigned(std::uint64_t value) override {
    if (place_ == Place::shape && tensor_.shape.size() < kMaxRank) {
      tensor_.shape.push_back(value);
      return true;
    }
    if (place_ == Place::offsets && offsets_ < 2) {
      (offsets_++ == 0 ? tensor_.begin : tensor_.end) = value;
      return true;
    }
    return fail(fmt::format("the number {}", value));
  }

  bool string(std::string& text) override {
    if (place_ == Place::metadata) {
      header_.metadata[key_] = text;
      return true;
    }
    if (place_ != Place::tensor || key_ != "dtype") return fail("the text " + in_quotes(text));
    const auto found = std::ranges::find(kTypes, text, &TypeRow::name);
    if (found == kTypes.end()) return fail("the unknown dtype " + in_quotes(text));
    tensor_.type = found->type;
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::before) {
      place_ = Place::top;
    } else if (place_ == Place::top && key_ == kMetadata) {
      place_ = Place::metadata;
    } else if (place_ == Place::top) {
      place_ = Place::tensor;
      tensor_ = TensorInfo{.name = key_, .shape = {}};
      offsets_ = 0;
      tensor_keys_.clear();
    } else {
      return fail("an object");
    }
    return true;
  }

  bool key(std::string& text) override {
    key_ = text;
    bool is_new = false;
    if (place_ == Place::top) {
      is_new = names_.insert(text).second;
    } else if (place_ == Place::metadata) {
      is_new = !header_.metadata.contains(text);
    } else {
      if (text != "dtype" && text != "shape" && text != "data_offsets") {
        return fail("the unknown field " + in_quotes(text));
      }
      is_new = tensor_keys_.insert(text).second;
    }
    return is_new || fail("the name " + in_quotes(text) + " for a second time");
  }

  bool end_object() override {
    if (place_ == Place::tensor) {
      if (tensor_keys_.size() != 3) return fail("a tensor without dtype, shape or data_offsets");
      header_.tensors.push_back(std::move(tensor_));
    }
    place_ = place_ == Place::top ? Place::after : Place::top;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ != Place::tensor || key_ == "dtype") return fail("a list");
    place_ = key_ == "shape" ? Place::shape : Place::offsets;
    return true;
  }

  bool end_array() override {
    if (place_ == Place::offsets && offsets_ != 2) return fail("data_offsets without two numbers");
    place_ = Place::tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    problem_ = fmt::format("is not valid JSON at its byte {}", position);
    return false;
  }

 private:
  enum class Place : std::uint8_t { before, top, metadata, tensor, shape, offsets, after };

  bool fail(const std::string& seen) {
    problem_ = fmt::format("has {} where it has no place (near {})", seen, in_quotes(key_));
    return false;
  }

  TensorHeader header_;
  Place place_ = Place::before;
  std::string key_;
  TensorInfo tensor_;
  int offsets_ = 0;
  std::set<std::string> names_;
  std::set<std::string> tensor_keys_;
  std::string problem_;
};

std::string length_bytes(std::uint64_t length) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>((length >> (8 * i)) & 0xff);
  return bytes;
}

/// Where the 16 digits of the header's checksum stand in its text.
std::optional<std::size_t> checksum_position(std::string_view text) {
  const std::string entry = fmt::format("\"{}\":\"", kHeaderChecksum);
  const std::size_t found = text.find(entry);
  if (found == std::string_view::npos) return std::nullopt;
  const std::size_t digits = found + entry.size();
  if (text.size() - digits < kZeroChecksum.size()) return std::nullopt;
  return digits;
}

std::optional<std::uint64_t> bytes_of(const TensorInfo& tensor) {
  std::optional<std::uint64_t> bytes = element_bytes(tensor.type);
  for (const std::uint64_t extent : tensor.shape) {
    if (bytes) bytes = checked_product(*bytes, extent);
  }
  return bytes;
}

}  // namespace

std::size_t element_bytes(TensorType type) {
  return row_of(type).bytes;
}

std::string_view type_name(TensorType type) {
  return row_of(type).name;
}

std::string encode_header(const TensorHeader& header) {
  nlohmann::ordered_json json;
  json[std::string(kMetadata)] = header.metadata;
  json[std::string(kMetadata)][std::string(kHeaderChecksum)] = kZeroChecksum;
  for (const TensorInfo& tensor : header.tensors) {
    json[tensor.name] = {{"dtype", type_name(tensor.type)},
                         {"shape", tensor.shape},
                         {"data_offsets", {tensor.begin, tensor.end}}};
  }
  std::string text = json.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > kMaxHeaderBytes) {
    throw InvalidArgument(
        ErrorCode::too_large,
        fmt::format("the header of the file would take {} bytes, and {} are allowed: the network "
                    "has too many layers",
                    text.size(), kMaxHeaderBytes));
  }
  text.replace(*checksum_position(text), kZeroChecksum.size(), header_checksum(text));
  return length_bytes(text.size()) + text;
}

TensorHeader decode_header(std::string_view text, std::string_view file) {
  HeaderEvents events;
  // The parser takes a zero byte for the end of the text, whatever comes after it.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    throw FormatError(
        ErrorCode::damaged,
        fmt::format("{}: the header has a zero byte at {}; the file is damaged or not an mbn model",
                    file, zero),
        {.path = file});
  }
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &events)) {
    throw FormatError(ErrorCode::damaged,
                      fmt::format("{}: the header {}; the file is damaged or not an mbn model",
                                  file, events.problem()),
                      {.path = file});
  }
  return events.take();
}

std::string header_checksum(std::string_view text) {
  const auto position = checksum_position(text);
  if (!position) return {};
  std::string guarded = length_bytes(text.size());
  guarded += text;
  guarded.replace(8 + *position, kZeroChecksum.size(), kZeroChecksum);
  return xxh3_hex(guarded.data(), guarded.size());
}

void check_layout(TensorHeader& header, std::uint64_t data_bytes, std::string_view file) {
  std::ranges::sort(header.tensors, {}, [](const TensorInfo& tensor) {
    return std::tie(tensor.begin, tensor.end, tensor.name);
  });
  const auto fail = [&](const TensorInfo& tensor, const std::string& problem) {
    throw FormatError(ErrorCode::damaged,
                      fmt::format("{}: tensor {} {}", file, in_quotes(tensor.name), problem),
                      {.path = file});
  };
  std::uint64_t place = 0;
  for (const TensorInfo& tensor : header.tensors) {
    if (tensor.begin != place || tensor.end < tensor.begin) {
      fail(tensor, fmt::format("has the bytes {} to {}, but the one before it ends at {}; there "
                               "must be neither gaps nor overlaps",
                               tensor.begin, tensor.end, place));
    }
    if (tensor.end > data_bytes) {
      fail(tensor, fmt::format("ends at byte {} of the data, but the file has only {}; it was cut "
                               "short: copy or write it again",
                               tensor.end, data_bytes));
    }
    if (bytes_of(tensor) != tensor.end - tensor.begin) {
      fail(tensor, fmt::format("has {} bytes, which is not what its shape [{}] of {} needs",
                               tensor.end - tensor.begin, fmt::join(tensor.shape, ", "),
                               type_name(tensor.type)));
    }
    place = tensor.end;
  }
  if (place != data_bytes) {
    throw FormatError(ErrorCode::damaged,
                      fmt::format("{}: {} bytes follow the last tensor; the file is damaged", file,
                                  data_bytes - place),
                      {.path = file});
  }
}

std::string xxh3_hex(const void* bytes, std::size_t count) {
  return fmt::format("{:016x}", XXH3_64bits(bytes, count));
}

std::string in_quotes(std::string_view name) {
  constexpr std::size_t kLongest = 60;
  std::string text = "'";
  for (const char c : name.substr(0, kLongest)) {
    text += c < 0x20 || c > 0x7e ? '?' : c;
  }
  return text + (name.size() > kLongest ? "...'" : "'");
}

}  // namespace mbn
