// SPDX-License-Identifier: Apache-2.0
//
// The step of exact search after the matrix product: turns the inner products of one row into
// estimates,
//
//     estimate_j = offset_j + factor_j <x, w_j>,
//
// finds the smallest, and then the few that are near it. Plain loops are slow here, because a
// compiler may not reorder a search for the smallest float. Product and sum are rounded separately,
// as in the plain loop, on every processor.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/estimates-inl.h"
#include <hwy/foreach_target.h>
// The target that every machine has comes last.
#include "kernels/estimates-inl.h"
#include "kernels/targets.hpp"

namespace mbn {

namespace {
HWY_EXPORT(finish_estimates);
HWY_EXPORT(find_at_most);
}  // namespace

float finish_estimates(const float* offset, const float* factor, std::size_t count, float* values) {
  return MBN_DISPATCH(finish_estimates)(offset, factor, count, values);
}

std::size_t find_at_most(const float* values, std::size_t first, std::size_t count, float limit) {
  return MBN_DISPATCH(find_at_most)(values, first, count, limit);
}

namespace reference {

float finish_estimates(const float* offset, const float* factor, std::size_t count, float* values) {
  float smallest = std::numeric_limits<float>::infinity();
  for (std::size_t j = 0; j < count; ++j) {
    values[j] = offset[j] + factor[j] * values[j];
    smallest = values[j] < smallest ? values[j] : smallest;
  }
  return smallest;
}

std::size_t find_at_most(const float* values, std::size_t first, std::size_t count, float limit) {
  while (first < count && !(values[first] <= limit)) ++first;
  return first;
}

}  // namespace reference

}  // namespace mbn
