// SPDX-License-Identifier: Apache-2.0
#pragma once

// Eigen asks the processor for the size of its caches and cuts matrix products accordingly. That
// changes the order of sums, and so the last bits of a result, from machine to machine.
// EIGEN_NO_CPUID makes it use fixed sizes, and EIGEN_DONT_PARALLELIZE keeps it on the calling
// thread. Include Eigen only through this header.
#ifndef EIGEN_NO_CPUID
#define EIGEN_NO_CPUID
#endif
#ifndef EIGEN_DONT_PARALLELIZE
#define EIGEN_DONT_PARALLELIZE
#endif

#include <Eigen/Dense>
