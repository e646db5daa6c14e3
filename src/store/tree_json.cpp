// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include <mbn/tree.hpp>

namespace mbn {

std::string to_json(const Tree& tree) {
  using Json = nlohmann::ordered_json;
  Json json{{"rows", tree.rows}, {"merges", Json::array()}, {"cuts", Json::array()}};
  for (const Merge& merge : tree.merges) {
    json["merges"].push_back(Json::array({merge.first, merge.second, merge.height, merge.rows}));
  }
  const std::vector<TreeCut> cuts = cuts_of(tree.merges);
  for (const TreeCut& cut : cuts) {
    json["cuts"].push_back({{"clusters", cut.clusters},
                            {"least_rows", cut.least_rows},
                            {"persistence", cut.persistence}});
  }
  json["branches"] = Json::array();
  const auto all = static_cast<std::uint32_t>(tree.rows.size());
  for (const TreeBranch& branch :
       branches_of(tree.merges, cuts.empty() ? all : cuts.front().least_rows)) {
    json["branches"].push_back({{"parent", branch.parent},
                                {"rows", branch.rows},
                                {"begins", branch.begins},
                                {"ends", branch.ends},
                                {"cluster", branch.cluster}});
  }
  return json.dump();
}

}  // namespace mbn
