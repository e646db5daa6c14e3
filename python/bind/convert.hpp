// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <vector>

#include <mbn/mbn.hpp>

namespace mbn::python {

namespace nb = nanobind;

/// Rows as Python hands them over: two dimensions, float32 or uint8, cells of a row side by side.
/// Rows may be any distance apart. Nothing is copied.
using Rows = nb::ndarray<nb::ro, nb::device::cpu, nb::ndim<2>>;
MatrixView view_of(const Rows& rows);

/// SciPy's compressed rows: starts, columns and values of the cells, whose memory is used as it is.
/// ValueError when the starts do not lead through the cells; the library checks the rest.
class SparseRows {
 public:
  template <class T>
  using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

  SparseRows(Array<std::uint64_t> starts, Array<std::uint32_t> indices, Array<float> values,
             std::size_t columns);
  SparseView view() const { return view_; }

 private:
  Array<std::uint64_t> starts_;
  Array<std::uint32_t> indices_;
  Array<float> values_;
  SparseView view_;
};
inline SparseView view_of(const SparseRows& rows) {
  return rows.view();
}

using Labels32 = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
std::span<const std::int32_t> span_of(const Labels32& labels);

/// NumPy arrays that own what they show.
nb::object to_numpy(Matrix matrix);
nb::object to_numpy(CodeMatrix codes);
nb::object to_numpy(std::vector<std::int32_t> labels);
nb::object to_numpy(std::vector<float> numbers);
nb::object to_numpy(std::vector<double> numbers);
/// (starts, indices, values, (rows, columns)), as SciPy takes them.
nb::object to_arrays(SparseMatrix rows);

/// Options by the library's names. None is auto. A value of the wrong type is a TypeError, one out
/// of range InvalidArgument; an unknown name is a TypeError.
FitOptions fit_options(const nb::dict& values);
CompressOptions compress_options(const nb::dict& values);
/// Only the plain values: threads and memory_limit.
RunOptions run_options(const nb::dict& values);
TextOptions text_options(const nb::dict& values);
LsaOptions lsa_options(const nb::dict& values);
nb::dict to_dict(const FitOptions& options);
nb::dict to_dict(const TextOptions& options);
nb::dict to_dict(const CompressOptions& options);
nb::dict to_dict(const LsaOptions& options);

/// What every option is: name, keyword, help, default, choices, limits.
nb::list describe_fit_options();
/// The options that the paper's setting decides, with their values.
nb::dict paper_options();
nb::list describe_compress_options();
nb::list describe_run_options();
nb::list describe_text_options();
nb::list describe_lsa_options();

/// Text of a file; bytes that are not UTF-8 become U+FFFD.
nb::object decoded(std::string_view text);

nb::list to_list(const std::vector<LayerInfo>& layers);

template <class Enum>
Enum choice(std::string_view option, std::string_view name);

}  // namespace mbn::python

#include "convert-inl.hpp"
