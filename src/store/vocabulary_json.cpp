// SPDX-License-Identifier: Apache-2.0
//
// A vocabulary is small and people want to look at it, so it is JSON. It may be untrusted: the size
// of the text is limited before it is parsed, and everything is checked before it is used.
#include "store/vocabulary_json.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>
#include <mbn/error.hpp>

#include "input/printable.hpp"
#include "store/guarded_json.hpp"
#include "store/option_value_json.hpp"
#include "text/word_reader.hpp"

namespace mbn {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "mbn vocabulary";
/// Version 1 had no accents to fold, and stop words for English only.
constexpr std::uint64_t kVersion = 2;
constexpr std::size_t kMostBytes = std::size_t{1} << 28;
/// A stem can be a little longer than its word.
constexpr std::size_t kLongestStemBytes = 2 * kLongestWordBytes;

class Reading {
 public:
  Reading(std::string_view text, std::string_view file) : file_(file) {
    if (text.size() > kMostBytes) {
      fail(fmt::format("it has {} bytes, more than a vocabulary may have ({})", text.size(),
                       kMostBytes));
    }
    json_ = parse_guarded_json(text, {.bytes = kMostBytes, .depth = 2}).value_or(Json());
    if (!json_.is_object() || !json_.contains("format") || json_["format"] != kFormat) {
      fail("this is not a vocabulary; save one that was learned from texts",
           ErrorCode::not_this_format);
    }
    version_ = number(member("format_version"), "format_version",
                      std::numeric_limits<std::uint32_t>::max());
    if (version_ < 1 || version_ > kVersion) {
      fail(fmt::format("its format_version is {}, and this version knows 1 to {}; read it with a "
                       "newer version of mbn",
                       version_, kVersion),
           ErrorCode::too_new);
    }
  }

  VectorizerData data() const {
    VectorizerData data;
    data.options = options();
    data.documents =
        number(member("documents"), "documents", std::numeric_limits<std::uint32_t>::max());
    for (const Json& word : list("words")) {
      if (!word.is_string()) fail("words holds something that is not a text");
      data.words.push_back(word.get<std::string>());
    }
    for (const Json& count : list("document_counts")) {
      data.document_counts.push_back(
          static_cast<std::uint32_t>(number(count, "document_counts", data.documents)));
    }
    check(data);
    return data;
  }

 private:
  [[noreturn]] void fail(const std::string& problem, ErrorCode code = ErrorCode::damaged) const {
    throw FormatError(code, fmt::format("{}: {}", file_, problem), {.path = file_});
  }

  const Json& member(const char* name) const {
    const auto found = json_.find(name);
    if (found == json_.end()) fail(fmt::format("'{}' is missing; write it again", name));
    return *found;
  }

  const Json& list(const char* name) const {
    const Json& value = member(name);
    if (!value.is_array()) fail(fmt::format("'{}' is not a list; write it again", name));
    return value;
  }

  std::uint64_t number(const Json& value, const char* name, std::uint64_t maximum) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > maximum) {
      fail(fmt::format("{} holds {}, which is not a whole number up to {}", name,
                       printable(value.dump(-1, ' ', true, Json::error_handler_t::replace)),
                       maximum));
    }
    return value.get<std::uint64_t>();
  }

  TextOptions options() const {
    Json json = member("options");
    if (!json.is_object()) fail("'options' is not an object; write it again");
    TextOptions options;
    if (version_ == 1) options.accents = Accents::keep;
    options.language = Language::english;
    visit_fields(options, [&]<class Value>(const Field& field, Value& value) {
      const std::string name(field.name);
      if (!json.contains(name)) return;
      if constexpr (std::is_same_v<Value, std::uint32_t>) {
        value =
            static_cast<Value>(number(json[name], name.c_str(), std::numeric_limits<Value>::max()));
      } else if (!option_from_json(json[name], value)) {
        fail(fmt::format("this version does not know that value of the option {}", name),
             ErrorCode::too_new);
      }
      json.erase(name);
    });
    if (!json.empty()) {
      fail(fmt::format("this version does not know the option '{}'", printable(json.begin().key())),
           ErrorCode::too_new);
    }
    const bool english =
        options.language == Language::english || options.language == Language::porter;
    if (version_ == 1 && !english && options.stop_words == StopWords::automatic) {
      options.stop_words = StopWords::none;
    }
    try {
      validate(options);
    } catch (const InvalidArgument& error) {
      fail(fmt::format("the stored option {}", error.what()));
    }
    return options;
  }

  void check(const VectorizerData& data) const {
    if (data.words.empty()) fail("it has no words");
    if (data.words.size() != data.document_counts.size()) {
      fail(fmt::format("there are {} words and {} document_counts; the numbers must be equal",
                       data.words.size(), data.document_counts.size()));
    }
    for (std::size_t i = 0; i < data.words.size(); ++i) {
      if (data.words[i].empty() || data.words[i].size() > kLongestStemBytes) {
        fail(fmt::format("word {} has {} bytes, not 1 to {}", i + 1, data.words[i].size(),
                         kLongestStemBytes));
      }
      if (i > 0 && !(data.words[i - 1] < data.words[i])) {
        fail(fmt::format("word {}, '{}', is not sorted by its bytes", i + 1,
                         printable(data.words[i])));
      }
    }
  }

  std::string file_;
  Json json_;
  std::uint64_t version_ = 0;
};

}  // namespace

std::string vocabulary_to_json(const VectorizerData& vectorizer) {
  nlohmann::ordered_json json;
  json["format"] = kFormat;
  json["format_version"] = kVersion;
  visit_fields(vectorizer.options, [&](const Field& field, const auto& value) {
    json["options"][std::string(field.name)] = option_to_json(value);
  });
  json["documents"] = vectorizer.documents;
  json["words"] = vectorizer.words;
  json["document_counts"] = vectorizer.document_counts;
  // A stemmer works on bytes, and could in theory cut a letter in half.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

VectorizerData vocabulary_from_json(std::string_view text, std::string_view file) {
  VectorizerData vectorizer = Reading(text, file).data();
  vectorizer.complete();
  return vectorizer;
}

}  // namespace mbn
