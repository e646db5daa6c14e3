// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "network/schedule.hpp"

namespace mbn {

/// The small networks (pilots) by which `choose` decides, and the plan of what they take.
inline constexpr std::uint32_t kPilotClusterings = 100;
/// Rows that they see, at most.
inline constexpr std::size_t kPilotRows = 3000;
/// Networks of a kind, for each candidate: more where few rows take no time.
inline constexpr std::uint32_t kPilots = 4;
inline constexpr std::uint32_t kPilotsForFewRows = 8;
inline constexpr std::size_t kFewRows = 1500;

/// The decays that are tried, but for kDeepestDecay, which is tried where the last is good.
inline constexpr std::array kTriedDecays = {0.1, 0.2, 0.3, kUsualDecay, 0.7};

}  // namespace mbn
