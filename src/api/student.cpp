// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <mbn/cluster.hpp>
#include <mbn/compress.hpp>
#include <mbn/error.hpp>

#include "api/student_implementation.hpp"
#include "base/job.hpp"
#include "compress/fidelity.hpp"
#include "rows/scaler.hpp"
#include "store/onnx_file.hpp"

namespace mbn {

Student::Student(std::shared_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}

const StudentInfo& Student::info() const {
  return implementation_->data.info;
}

std::uint64_t Student::columns() const {
  return implementation_->data.info.sizes.front();
}

std::uint32_t Student::outputs() const {
  return implementation_->data.info.sizes.back();
}

MatrixView Student::cluster_centres() const {
  return implementation_->data.centres;
}

Matrix Student::transform(RowsView rows, const RunOptions& run) const {
  Job job(run);
  if (rows.columns() != columns()) {
    throw InvalidArgument(ErrorCode::does_not_fit,
                          fmt::format("the rows have {} columns, but the student was trained on "
                                      "{}; give rows with the same columns",
                                      rows.columns(), columns()));
  }
  job.stage("student", 1, PackedNetwork::tasks(rows.rows()));
  require_finite(rows, job);
  return implementation_->network.run(rows, job);
}

std::vector<std::int32_t> Student::predict(RowsView rows, const RunOptions& run) const {
  if (implementation_->data.softmax()) return likeliest(transform(rows, run));
  if (implementation_->data.centres.rows() == 0) {
    throw InvalidArgument(
        ErrorCode::no_clusters,
        {"the student's teacher has no clusters; fit it with ", option("clusters")});
  }
  return nearest_centres(transform(rows, run), implementation_->data.centres, run);
}

void Student::save(const std::filesystem::path& path, bool overwrite) const {
  write_student_file(path, implementation_->data, overwrite);
}

Student Student::load(const std::filesystem::path& path) {
  return Student(std::make_shared<const Implementation>(read_student_file(path)));
}

std::vector<std::uint8_t> Student::to_bytes() const {
  return encode_student(implementation_->data);
}

Student Student::from_bytes(std::span<const std::uint8_t> bytes) {
  return Student(std::make_shared<const Implementation>(decode_student(bytes, "student bytes")));
}

}  // namespace mbn
