// SPDX-License-Identifier: Apache-2.0
//
// Names are compared by their bytes, as the shell does in its plainest locale: part-10 comes before
// part-2, so that whoever numbers files gives the numbers leading zeros.
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <mbn/error.hpp>
#include <mbn/stream.hpp>

namespace mbn {

namespace {

using Paths = std::vector<std::filesystem::path>;

bool is_table(const std::filesystem::path& file) {
  const std::filesystem::path plain = file.extension() == ".gz" ? file.stem() : file;
  const std::string ending = plain.extension().string();
  return ending == ".csv" || ending == ".tsv" || ending == ".npy";
}

Paths files_in(const std::filesystem::path& folder) {
  Paths files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (!entry.path().filename().string().starts_with('.')) files.push_back(entry.path());
  }
  if (failed) {
    throw IoError(failed.value(),
                  fmt::format("cannot read {}: {}", folder.string(), failed.message()), folder);
  }
  std::ranges::sort(files);
  return files;
}

Paths files_like(const std::filesystem::path& pattern) {
  const std::filesystem::path folder = pattern.has_parent_path() ? pattern.parent_path() : ".";
  Paths files;
  for (const std::filesystem::path& file : files_in(folder)) {
    const std::string name = file.filename().string();
    if (::fnmatch(pattern.filename().c_str(), name.c_str(), 0) != 0) continue;
    files.push_back(pattern.has_parent_path() ? file : std::filesystem::path(name));
  }
  if (!files.empty()) return files;
  throw IoError(ENOENT, fmt::format("no file is like {}", pattern.string()), pattern);
}

}  // namespace

std::vector<std::filesystem::path> data_files(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path == "-") return {path};
  if (std::filesystem::is_directory(path, ignored)) {
    Paths files = files_in(path);
    const bool tables = !files.empty() && std::ranges::all_of(files, is_table);
    // 10x Genomics' folders have tables beside their matrix, and so are not all tables.
    return tables ? files : Paths{path};
  }
  const bool pattern = path.filename().string().find_first_of("*?[") != std::string::npos;
  if (!pattern || std::filesystem::exists(path, ignored)) return {path};
  return files_like(path);
}

}  // namespace mbn
