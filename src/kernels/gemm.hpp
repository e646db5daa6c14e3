// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mbn {

/// While one of these lives, BLAS works on the calling thread only: our own loops own the cores.
class SerialBlas {
 public:
  SerialBlas();
  ~SerialBlas();
  SerialBlas(const SerialBlas&) = delete;
  SerialBlas& operator=(const SerialBlas&) = delete;
};

/// c = a b^T for packed row-major a (rows_a x inner), b (rows_b x inner), c (rows_a x rows_b).
/// The rounding differs between machines and sizes: use it to propose, never to decide.
void inner_products(const float* a, std::size_t rows_a, const float* b, std::size_t rows_b,
                    std::size_t inner, float* c);

}  // namespace mbn
