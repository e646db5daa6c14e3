// SPDX-License-Identifier: Apache-2.0
#include "input/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <mbn/error.hpp>

#include "input/shell_line.hpp"

namespace mbn {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kStartBytes = 4096;

struct Known {
  std::string_view bytes;
  Signature signature;
};

using Help = Signature::Help;

constexpr std::string_view kPicture =
    "give the folder that it is in, and its pictures are the rows";
constexpr std::string_view kGif =
    "import sys; from PIL import Image; Image.open(sys.argv[1]).convert('RGB').save(sys.argv[1] + "
    "'.png')";
constexpr std::string_view kSheet =
    "import sys, pandas; pandas.read_excel(sys.argv[1]).to_csv('table.csv', index=False)";
constexpr std::array kKnown = {
    Known{"\x89PNG\r\n\x1a\n"sv, {"a PNG picture", Help::advice, kPicture}},
    Known{"\xff\xd8\xff"sv, {"a JPEG picture", Help::advice, kPicture}},
    Known{"GIF8"sv, {"a GIF picture", Help::program, kGif, "pillow"}},
    Known{"RIFF"sv, {"a WebP picture or a sound", Help::advice, kPicture}},
    Known{"%PDF-"sv, {"a PDF", Help::command, "pdftotext"}},
    Known{"PAR1"sv,
          {"a Parquet file", Help::program,
           "import sys, pandas; pandas.read_parquet(sys.argv[1]).to_csv('table.csv', index=False)",
           "pandas pyarrow"}},
    Known{"ARROW1"sv,
          {"an Arrow (Feather) file", Help::program,
           "import sys, pandas; pandas.read_feather(sys.argv[1]).to_csv('table.csv', index=False)",
           "pandas pyarrow"}},
    Known{"\xff\xff\xff\xff"sv,
          {"a stream of Arrow", Help::program,
           "import sys, pyarrow as a; "
           "a.ipc.open_stream(sys.argv[1]).read_pandas().to_csv('table.csv', index=False)",
           "pandas pyarrow"}},
    Known{"PK\x03\x04"sv, {"a zip archive", Help::command, "unzip"}},
    Known{"\xd0\xcf\x11\xe0"sv,
          {"a file of an office program", Help::advice, "save it as CSV there"}},
    Known{"SQLite format 3"sv,
          {"a SQLite database", Help::advice,
           "choose a table by: sqlite3 -csv -header FILE 'select * from TABLE' > table.csv"}},
    Known{"\x80\x04\x95"sv, {"a Python pickle, which can run any code"}},
    Known{"\x80\x05\x95"sv, {"a Python pickle, which can run any code"}},
    Known{"BZh"sv, {"packed by bzip2", Help::command, "bunzip2"}},
    Known{"\xfd"
          "7zXZ"sv,
          {"packed by xz", Help::command, "unxz"}},
    Known{"\x28\xb5\x2f\xfd"sv, {"packed by zstd", Help::command, "unzstd"}},
    Known{"\x7f"
          "ELF"sv,
          {"a program"}},
};

constexpr Signature kExcel{"an Excel sheet", Help::program, kSheet, "pandas openpyxl"};
constexpr Signature kOpenDocument{"a sheet of OpenDocument", Help::program, kSheet, "pandas odfpy"};

/// The name of the first file in a zip archive.
std::string_view first_member(std::span<const std::byte> start) {
  constexpr std::size_t kHeader = 30;
  if (start.size() < kHeader) return {};
  const std::size_t length = std::to_integer<std::size_t>(start[26]);
  if (start.size() < kHeader + length) return {};
  return {reinterpret_cast<const char*>(start.data()) + kHeader, length};
}

}  // namespace

const Signature* sheet_of(std::span<const std::byte> start) {
  return first_member(start) == "mimetype" ? &kOpenDocument : &kExcel;
}

bool is_sheet(std::span<const std::byte> start) {
  if (start.size() < 4 || std::memcmp(start.data(), "PK\x03\x04", 4) != 0) return false;
  const std::string_view first = first_member(start);
  return first == "[Content_Types].xml" || first == "mimetype" || first.starts_with("xl/") ||
         first.starts_with("_rels/") || first.starts_with("docProps/");
}

const Signature* signature_of(std::span<const std::byte> start) {
  for (const Known& known : kKnown) {
    if (start.size() < known.bytes.size() ||
        std::memcmp(start.data(), known.bytes.data(), known.bytes.size()) != 0) {
      continue;
    }
    return is_sheet(start) ? sheet_of(start) : &known.signature;
  }
  return nullptr;
}

std::string conversion_of(const Signature& signature, const std::string& file) {
  switch (signature.help) {
    case Help::program:
      return fmt::format("; convert it (pip install {}): {}", signature.needs,
                         python_line(signature.text, file));
    case Help::command:
      return fmt::format("; convert it: {} {}", signature.text, shell_word(file));
    case Help::advice:
      return fmt::format("; {}", signature.text);
    case Help::none:
      break;
  }
  return {};
}

void refuse_binary(ByteSource& source, std::string_view wanted) {
  const auto start = source.peek(kStartBytes);
  const Signature* known = signature_of(start);
  if (known == nullptr && std::ranges::find(start, std::byte{0}) == start.end()) return;
  const std::string_view what = known != nullptr ? known->what : "bytes and no text in UTF-8";
  throw FormatError(ErrorCode::not_this_format,
                    fmt::format("{}: this is {}, not {}", source.name(), what, wanted),
                    {.path = source.name()});
}

}  // namespace mbn
