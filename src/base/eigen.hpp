// SPDX-License-Identifier: Apache-2.0
#pragma once

// Eigen asks the processor for the size of its caches and cuts matrix products accordingly, which
// changes the order of sums and so the last bits of a result from machine to machine. With this
// name defined it uses fixed sizes. Include Eigen only through this header.
#ifndef EIGEN_NO_CPUID
#define EIGEN_NO_CPUID
#endif
#ifndef EIGEN_DONT_PARALLELIZE
#define EIGEN_DONT_PARALLELIZE
#endif

#include <Eigen/Dense>
