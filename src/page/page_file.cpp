// SPDX-License-Identifier: Apache-2.0
#include "page/page_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include <mbn/error.hpp>

#include "report/png.hpp"
#include "report/svg_text.hpp"

namespace mbn {

namespace {

constexpr std::string_view kTitleMark = "@MBN_TITLE@";
constexpr std::string_view kDataMark = "@MBN_DATA@";
constexpr std::string_view kMagic = "MBNPAGE1";

// Packs bytes that come in pieces as one gzip stream.
class GzipPacker {
 public:
  GzipPacker() {
    constexpr int kGzip = 15 + 16;  // the largest window, with a gzip header
    constexpr int kMemory = 9;
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
      throw MemoryLimitExceeded(ErrorCode::memory,
                                "there is not enough memory to compress the page");
    }
  }
  ~GzipPacker() { deflateEnd(&stream_); }
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

  void add(std::string_view bytes) {
    constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), kMost);
      feed(bytes.substr(0, count), Z_NO_FLUSH);
      bytes.remove_prefix(count);
    }
  }
  std::string finish() {
    feed({}, Z_FINISH);
    return std::move(packed_);
  }

 private:
  void feed(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(room_.data());
      stream_.avail_out = static_cast<uInt>(room_.size());
      deflate(&stream_, flush);
      packed_.append(room_.data(), room_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::string room_ = std::string(1U << 16, '\0');
  std::string packed_;
};

void append_number(std::string& out, std::uint32_t number) {
  for (const int shift : {0, 8, 16, 24}) out += static_cast<char>(number >> shift & 0xFF);
}

std::string packed_data(const PageJson& header, const PageArrays& arrays) {
  PageJson whole = header;
  whole["arrays"] = arrays.directory();
  const std::string text = page_json_text(whole);
  std::string start(kMagic);
  append_number(start, static_cast<std::uint32_t>(text.size()));
  append_number(start, 0);
  start += text;
  start.resize((start.size() + 7) / 8 * 8);
  GzipPacker packer;
  packer.add(start);
  packer.add(arrays.bytes());
  return packer.finish();
}

std::size_t place_of(std::string_view page_template, std::string_view mark) {
  const std::size_t place = page_template.find(mark);
  if (place == std::string_view::npos) {
    throw FormatError(ErrorCode::damaged, "the page in this build of mbn has lost its marks");
  }
  return place;
}

}  // namespace

std::string page_file(std::string_view page_template, const PageJson& header,
                      const PageArrays& arrays) {
  const std::size_t title = place_of(page_template, kTitleMark);
  const std::size_t data = place_of(page_template, kDataMark);
  if (data < title) throw FormatError(ErrorCode::damaged, "the page's title stands after its data");
  const std::size_t after_title = title + kTitleMark.size();
  std::string page(page_template.substr(0, title));
  page += xml_text(header.at("title").get<std::string>());
  page += page_template.substr(after_title, data - after_title);
  page += base64(packed_data(header, arrays));
  page += page_template.substr(data + kDataMark.size());
  return page;
}

std::size_t packed_size(std::string_view bytes) {
  GzipPacker packer;
  packer.add(bytes);
  return packer.finish().size() * 4 / 3;
}

}  // namespace mbn
