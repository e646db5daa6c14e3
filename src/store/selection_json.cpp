// SPDX-License-Identifier: Apache-2.0
#include "store/selection_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include <mbn/error.hpp>

#include "store/guarded_json.hpp"

namespace mbn {

namespace {

using Json = nlohmann::ordered_json;

/// Far more than any selection takes.
constexpr std::size_t kMaxTextBytes = 1 << 20;

Scale scale_from(const Json& json) {
  const auto scale = value_named<Scale>(json.get_ref<const std::string&>());
  if (!scale) throw std::out_of_range("scale");
  return *scale;
}

double number_from(const Json& json) {
  const auto number = json.get<double>();
  if (!std::isfinite(number)) throw std::out_of_range("number");
  return number;
}

std::uint64_t count_from(const Json& json, std::uint64_t most) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > most) {
    throw std::out_of_range("count");
  }
  return json.get<std::uint64_t>();
}

std::uint32_t clusters_from(const Json& json) {
  return static_cast<std::uint32_t>(count_from(json, ~std::uint32_t{0}));
}

Candidate candidate_from(const Json& json) {
  Candidate candidate{.decay = number_from(json.at("decay")),
                      .scale = scale_from(json.at("scale")),
                      .by_seed = number_from(json.at("by_seed")),
                      .by_sample = std::nullopt};
  if (json.contains("by_sample")) candidate.by_sample = number_from(json.at("by_sample"));
  return candidate;
}

RunnerUp runner_up_from(const Json& json) {
  RunnerUp other{clusters_from(json.at("clusters")), number_from(json.at("stability")), {}};
  for (const Json& size : json.at("sizes")) {
    other.sizes.push_back(count_from(size, ~std::uint64_t{0}));
  }
  return other;
}

TreeCut cut_from(const Json& json) {
  return {clusters_from(json.at("clusters")), clusters_from(json.at("least_rows")),
          number_from(json.at("persistence"))};
}

}  // namespace

std::string to_json(const Selection& selection) {
  Json json{{"decay", selection.decay},       {"scale", name_of(selection.scale)},
            {"clusters", selection.clusters}, {"rows", selection.rows},
            {"candidates", Json::array()},    {"counts", Json::array()}};
  for (const Candidate& candidate : selection.candidates) {
    Json entry{{"decay", candidate.decay},
               {"scale", name_of(candidate.scale)},
               {"by_seed", candidate.by_seed}};
    if (candidate.by_sample) entry["by_sample"] = *candidate.by_sample;
    json["candidates"].push_back(std::move(entry));
  }
  for (const ClusterCount& count : selection.counts) {
    json["counts"].push_back(
        {{"clusters", count.clusters}, {"by_seed", count.by_seed}, {"by_sample", count.by_sample}});
  }
  if (selection.counts.empty()) return json.dump();
  json["runners_up"] = Json::array();
  for (const RunnerUp& other : selection.runners_up) {
    json["runners_up"].push_back(
        {{"clusters", other.clusters}, {"stability", other.stability}, {"sizes", other.sizes}});
  }
  json["cuts"] = Json::array();
  for (const TreeCut& cut : selection.cuts) {
    json["cuts"].push_back({{"clusters", cut.clusters},
                            {"least_rows", cut.least_rows},
                            {"persistence", cut.persistence}});
  }
  return json.dump();
}

Selection selection_from_json(std::string_view text, std::string_view file) {
  try {
    // Text that is not JSON becomes an empty object, which lacks all fields: one error for both.
    const Json json = parse_guarded_json<Json>(text, {.bytes = kMaxTextBytes, .depth = 4})
                          .value_or(Json::object());
    Selection selection;
    selection.decay = number_from(json.at("decay"));
    selection.scale = scale_from(json.at("scale"));
    selection.clusters = clusters_from(json.at("clusters"));
    selection.rows = count_from(json.at("rows"), ~std::uint64_t{0});
    for (const Json& entry : json.at("candidates")) {
      selection.candidates.push_back(candidate_from(entry));
    }
    for (const Json& entry : json.at("counts")) {
      selection.counts.push_back({clusters_from(entry.at("clusters")),
                                  number_from(entry.at("by_seed")),
                                  number_from(entry.at("by_sample"))});
    }
    // Files of earlier versions have neither.
    for (const Json& entry : json.value("runners_up", Json::array())) {
      selection.runners_up.push_back(runner_up_from(entry));
    }
    for (const Json& entry : json.value("cuts", Json::array())) {
      selection.cuts.push_back(cut_from(entry));
    }
    return selection;
  } catch (const std::exception&) {
    throw FormatError(
        ErrorCode::damaged,
        fmt::format("{}: the metadata 'selection' is not what a fit writes there", file),
        {.path = file});
  }
}

}  // namespace mbn
