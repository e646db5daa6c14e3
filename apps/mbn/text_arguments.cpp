// SPDX-License-Identifier: Apache-2.0
#include "text_arguments.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "option_fields.hpp"

namespace mbn::tool {

void DocumentArguments::declare(CLI::App& verb) {
  verb.add_option("DOCUMENTS", paths,
                  "A folder of files, a text file with a document a line, .csv, .tsv or .jsonl "
                  "with a text column (all but folders may be .gz); - is standard input")
      ->required();
  add_enum(verb, "--format", options.format,
           "How files are laid out; 'auto' goes by their endings, else a document a line")
      ->group("Reading");
  verb.add_option("--text-column", options.text_column,
                  "CSV column (name or number) or JSONL field of the text")
      ->capture_default_str()
      ->group("Reading");
  verb.add_option("--id-column", options.id_column,
                  "CSV column or JSONL field of the document's id; otherwise its number or path")
      ->group("Reading");
}

Documents DocumentArguments::read() const {
  Documents all;
  for (const std::string& path : paths) {
    Documents part = read_documents(path, options);
    if (all.texts.empty()) {
      all = std::move(part);
      continue;
    }
    std::move(part.texts.begin(), part.texts.end(), std::back_inserter(all.texts));
    std::move(part.ids.begin(), part.ids.end(), std::back_inserter(all.ids));
    std::move(part.titles.begin(), part.titles.end(), std::back_inserter(all.titles));
  }
  if (all.texts.empty()) {
    throw InvalidArgument(fmt::format("{} holds no documents; give at least one", paths.front()));
  }
  return all;
}

void declare_text_options(CLI::App& verb, TextOptions& options) {
  add_fields(verb, options, "Words");
}

bool is_array_path(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".npy" || ending == ".npz";
}

}  // namespace mbn::tool
