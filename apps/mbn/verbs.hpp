// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session.hpp"

namespace mbn::tool {

/// Each declares one verb of the tool with its options, and sets the session's action when chosen.
void add_fit(CLI::App& app, Session& session);
void add_transform(CLI::App& app, Session& session);
void add_map(CLI::App& app, Session& session);
void add_embed(CLI::App& app, Session& session);
void add_cluster(CLI::App& app, Session& session);
void add_report(CLI::App& app, Session& session);
void add_describe(CLI::App& app, Session& session);
void add_predict(CLI::App& app, Session& session);
void add_update(CLI::App& app, Session& session);
void add_recluster(CLI::App& app, Session& session);
void add_compress(CLI::App& app, Session& session);
void add_evaluate(CLI::App& app, Session& session);
void add_plan(CLI::App& app, Session& session);
void add_info(CLI::App& app, Session& session);
void add_vectorize(CLI::App& app, Session& session);
void add_lsa(CLI::App& app, Session& session);
void add_index(CLI::App& app, Session& session);
void add_search(CLI::App& app, Session& session);
void add_generate(CLI::App& app, Session& session);
void add_concat(CLI::App& app, Session& session);
void add_options(CLI::App& app, Session& session);

}  // namespace mbn::tool
