// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mbn/index.hpp>

#include "search/index_data.hpp"

namespace mbn {

/// The parts as a caller sees them, and the same as plain data, which shares their memory.
struct Index::Implementation {
  IndexData data;
  std::optional<Vectorizer> vectorizer;
  std::optional<Model> model;
  std::optional<Lsa> lsa;
};

}  // namespace mbn
