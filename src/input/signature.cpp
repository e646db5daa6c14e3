// SPDX-License-Identifier: Apache-2.0
#include "input/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <mbn/error.hpp>

namespace mbn {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kStartBytes = 4096;

struct Known {
  std::string_view bytes;
  Signature signature;
};

constexpr std::string_view kPicture =
    "python3 -c \"import glob, numpy as np; from PIL import Image; np.save('pictures.npy', "
    "np.stack([np.asarray(Image.open(f).convert('L').resize((32, 32))).ravel() for f in "
    "sorted(glob.glob('*.*'))]))\"";
constexpr std::array kKnown = {
    Known{"\x89PNG\r\n\x1a\n"sv, {"a PNG picture", kPicture}},
    Known{"\xff\xd8\xff"sv, {"a JPEG picture", kPicture}},
    Known{"GIF8"sv, {"a GIF picture", kPicture}},
    Known{"RIFF"sv, {"a WebP picture or a sound", {}}},
    Known{"%PDF-"sv, {"a PDF", "pdftotext FILE"}},
    Known{"\x89HDF\r\n\x1a\n"sv,
          {"an HDF5 file",
           "python3 -c \"import anndata, scipy.sparse as s; s.save_npz('cells.npz', "
           "s.csr_matrix(anndata.read_h5ad('FILE').X))\" (for .h5ad)"}},
    Known{"MATLAB 5.0"sv,
          {"a MATLAB file",
           "python3 -c \"import scipy.io, numpy as np; np.save('X.npy', "
           "scipy.io.loadmat('FILE')['X'])\""}},
    Known{"PAR1"sv,
          {"a Parquet file",
           "python3 -c \"import pandas; pandas.read_parquet('FILE').to_csv('table.csv', "
           "index=False)\""}},
    Known{"ARROW1"sv,
          {"an Arrow file",
           "python3 -c \"import pandas; pandas.read_feather('FILE').to_csv('table.csv', "
           "index=False)\""}},
    Known{"PK\x03\x04"sv,
          {"a zip archive or a file of an office program",
           "python3 -c \"import pandas; pandas.read_excel('FILE').to_csv('table.csv', "
           "index=False)\" (for .xlsx)"}},
    Known{"\xd0\xcf\x11\xe0"sv, {"a file of an office program", "save it as CSV there"}},
    Known{"SQLite format 3"sv,
          {"a SQLite database", "sqlite3 -csv -header FILE 'select * from TABLE' > table.csv"}},
    Known{"\x80\x04\x95"sv, {"a Python pickle, which can run any code", {}}},
    Known{"\x80\x05\x95"sv, {"a Python pickle, which can run any code", {}}},
    Known{"BZh"sv, {"packed by bzip2", "bunzip2 FILE"}},
    Known{"\xfd"
          "7zXZ"sv,
          {"packed by xz", "unxz FILE"}},
    Known{"\x28\xb5\x2f\xfd"sv, {"packed by zstd", "unzstd FILE"}},
    Known{"\x7f"
          "ELF"sv,
          {"a program", {}}},
};

}  // namespace

const Signature* signature_of(std::span<const std::byte> start) {
  for (const Known& known : kKnown) {
    if (start.size() >= known.bytes.size() &&
        std::memcmp(start.data(), known.bytes.data(), known.bytes.size()) == 0) {
      return &known.signature;
    }
  }
  return nullptr;
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
