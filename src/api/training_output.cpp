// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <mbn/cluster.hpp>
#include <mbn/error.hpp>
#include <mbn/model.hpp>
#include <mbn/pool.hpp>

#include "api/model_access.hpp"
#include "base/job.hpp"
#include "network/refresh.hpp"
#include "network/votes.hpp"

namespace mbn {

namespace {

// The rows of a full pool may be some of more.
bool has_full_pool(const ModelData& data) {
  return data.training_rows + 1 > pool_size(data.training_rows + 1, data.options);
}

std::string what_is_missing(const ModelData& data) {
  if (data.updated_rows != 0) {
    return fmt::format("the model was updated on {} rows, which it does not hold",
                       data.updated_rows);
  }
  if (has_full_pool(data)) {
    return fmt::format("the model was made from a pool of {} rows, and holds none of any others",
                       data.training_rows);
  }
  return fmt::format("the model holds {} of its {} training rows", data.bottom.kept.rows(),
                     data.training_rows);
}

}  // namespace

// Kept rows are ascending, so that all of them are the training rows in their order.
bool Model::holds_training_rows() const {
  const ModelData& data = ModelAccess::data(*this);
  return data.updated_rows == 0 && data.bottom.kept.rows() == data.training_rows &&
         !has_full_pool(data);
}

TrainingOutput Model::training_output(const RunOptions& run) const {
  const ModelData& data = ModelAccess::data(*this);
  if (!holds_training_rows()) {
    throw InvalidArgument(ErrorCode::invalid, what_is_missing(data) + "; give the rows themselves");
  }
  Job job(run);
  job.stage("encode", 1, data.layer_count() * data.bottom.draws.clusterings);
  const CodeMatrix codes = codes_of_kept(data, run, job);
  TrainingOutput output;
  output.embedding = project(data.projection, codes, job);
  if (!data.map.empty()) output.map = Matrix::copy_of(data.map.places);
  if (data.centres.rows() == 0) return output;
  output.labels = nearest_centres(output.embedding, data.centres, without_progress(run));
  if (data.votes.rows() == 0) return output;
  output.confidence = confidence_of(vote(data.votes, codes, job), output.labels);
  return output;
}

}  // namespace mbn
