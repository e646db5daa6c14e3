// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <mbn/compress.hpp>

#include "compress/packed_network.hpp"
#include "compress/student_data.hpp"

namespace mbn {

/// A student's data, and its weights packed for the matrix product.
struct Student::Implementation {
  explicit Implementation(StudentData student) : data(std::move(student)), network(data) {}
  // The network points into the data.
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  const StudentData data;
  const PackedNetwork network;
};

}  // namespace mbn
