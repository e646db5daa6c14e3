// SPDX-License-Identifier: Apache-2.0
//
// OpenBLAS keeps its number of threads in one process-wide variable. The first SerialBlas alive
// sets it to 1 and the last one puts the old number back, so a program that uses OpenBLAS for
// itself finds it as it was.
#include "kernels/gemm.hpp"

#include <cblas.h>

#include <mutex>

namespace mbn {

namespace {

struct BlasThreads {
  std::mutex mutex;
  int users = 0;
  int before = 1;
};

BlasThreads& blas_threads() {
  static BlasThreads state;
  return state;
}

}  // namespace

SerialBlas::SerialBlas() {
  BlasThreads& state = blas_threads();
  const std::lock_guard lock(state.mutex);
  if (state.users++ > 0) return;
  state.before = openblas_get_num_threads();
  if (state.before != 1) openblas_set_num_threads(1);
}

SerialBlas::~SerialBlas() {
  BlasThreads& state = blas_threads();
  const std::lock_guard lock(state.mutex);
  if (--state.users == 0 && state.before != 1) openblas_set_num_threads(state.before);
}

void inner_products(const float* a, std::size_t rows_a, const float* b, std::size_t rows_b,
                    std::size_t inner, float* c) {
  const auto m = static_cast<blasint>(rows_a);
  const auto n = static_cast<blasint>(rows_b);
  const auto k = static_cast<blasint>(inner);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0F, a, k, b, k, 0.0F, c, n);
}

}  // namespace mbn
