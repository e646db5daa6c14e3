// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace mbn {

/// The natural logarithm of a finite x > 0, good to the last digit or two. std::log may differ in
/// the last bit from one processor to another, and weights of counts are part of every answer. With
/// x = m 2^e and m near 1, ln x = e ln 2 + 2 artanh((m - 1) / (m + 1)).
inline double natural_log(double x) {
  constexpr double kLn2 = 0.693147180559945309417232121458;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return exponent * kLn2 + 2 * s * sum;
}

}  // namespace mbn
