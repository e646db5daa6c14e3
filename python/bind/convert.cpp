// SPDX-License-Identifier: Apache-2.0
//
// The options of the library stand in one list (visit_fields); the keywords, their types, their
// defaults and their limits are all read from it here, so a new option needs no line in this file.
#include "convert.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "words.hpp"

namespace mbn::python {

namespace {

template <class Owner>
nb::capsule keep(std::unique_ptr<Owner> owner) {
  return nb::capsule(owner.release(),
                     [](void* pointer) noexcept { delete static_cast<Owner*>(pointer); });
}

template <class T>
nb::object vector_to_numpy(std::vector<T> values) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owner->data();
  const std::size_t size = owner->size();
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, keep(std::move(owner))));
}

[[noreturn]] void wrong_type(const Field& field, nb::handle value, const char* wanted) {
  throw nb::type_error((keyword(field.name) + " must be " + wanted + ", not " +
                        nb::cast<std::string>(nb::repr(value)))
                           .c_str());
}

bool is_auto(nb::handle value) {
  return value.is_none() ||
         (nb::isinstance<nb::str>(value) && nb::cast<std::string>(value) == "auto");
}

// `otherwise` ends the message: what may be given in place of a number.
template <class Value>
Value whole_number(const Field& field, nb::handle value, const Message& otherwise = {}) {
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    wrong_type(field, value, "a whole number");
  }
  const auto number = PyLong_AsUnsignedLongLong(index.ptr());
  const bool overflow = PyErr_Occurred() != nullptr;
  if (overflow) PyErr_Clear();
  if (overflow || number > std::numeric_limits<Value>::max()) {
    const std::string least = std::to_string(static_cast<std::uint64_t>(field.minimum));
    const std::string range =
        field.maximum <= std::numeric_limits<std::int32_t>::max()
            ? "from " + least + " to " + std::to_string(static_cast<std::int64_t>(field.maximum))
            : "at least " + least + " and below 2**64";
    const auto seen = nb::cast<std::string>(nb::str(index));
    Message message{option(field.name), " is " + seen + "; it must be " + range};
    message += otherwise;
    throw InvalidArgument(ErrorCode::out_of_range, std::move(message),
                          {.option = std::string(field.name), .value = seen});
  }
  return static_cast<Value>(number);
}

Clusters clusters_from_python(const Field& field, nb::handle value) {
  if (value.is_none()) return Clusters::unknown;
  if (!nb::isinstance<nb::str>(value)) {
    return whole_number<std::uint32_t>(
        field, value, {", or ", option_value("find"), " or ", option_value("unknown")});
  }
  const auto word = nb::cast<std::string>(value);
  if (const auto named = Clusters::named(word)) return *named;
  const std::string problem =
      word == "auto" ? ", which is called 'find' now (the number is looked for), or 'unknown' (no "
                       "labels)"
                     : "; it must be 'find', 'unknown' or a whole number from 1";
  throw InvalidArgument(ErrorCode::unknown_choice,
                        {option(field.name), " is '" + word + "'" + problem},
                        {.option = std::string(field.name), .value = word});
}

// None is none, as with the scale.
DirectionCount directions_from_python(const Field& field, nb::handle value) {
  if (value.is_none()) return DirectionCount::none;
  if (!nb::isinstance<nb::str>(value)) {
    // Here auto is a word and none is None, unlike in other options.
    const Message otherwise{", or 'auto' or None"};
    const auto count = whole_number<std::uint16_t>(field, value, otherwise);
    if (count > 0) return count;
    throw InvalidArgument(
        ErrorCode::out_of_range,
        {option(field.name), " is 0; it must be from 1 to 65535, or 'auto' or None"},
        {.option = std::string(field.name), .value = "0"});
  }
  const auto word = nb::cast<std::string>(value);
  if (const auto named = DirectionCount::named(word)) return *named;
  throw InvalidArgument(
      ErrorCode::unknown_choice,
      {option(field.name), " is '" + word + "'; it must be 'auto', None or a whole number from 1"},
      {.option = std::string(field.name), .value = word});
}

template <class Value>
Value from_python(const Field& field, nb::handle value) {
  if constexpr (std::is_enum_v<Value>) {
    // scikit-learn's way to say "no scaling" is None.
    const auto none = value_named<Value>("none");
    if (value.is_none() && none) return *none;
    if (!nb::isinstance<nb::str>(value)) wrong_type(field, value, "a string");
    return choice<Value>(field.name, nb::cast<std::string>(value));
  } else if constexpr (std::is_same_v<Value, Clusters>) {
    return clusters_from_python(field, value);
  } else if constexpr (std::is_same_v<Value, DirectionCount>) {
    return directions_from_python(field, value);
  } else if constexpr (requires(Value optional) { optional.has_value(); }) {
    using Number = typename Value::value_type;
    if (is_auto(value)) return std::nullopt;
    if constexpr (std::is_floating_point_v<Number>) {
      return from_python<Number>(field, value);
    } else {
      return whole_number<Number>(
          field, value, {", or ", option_value("auto"), " (" + std::string(field.automatic) + ")"});
    }
  } else if constexpr (requires { typename Value::value_type; }) {
    Value numbers;
    if (value.is_none()) return numbers;
    if (PySequence_Check(value.ptr()) == 0 || nb::isinstance<nb::str>(value)) {
      wrong_type(field, value, "a list of whole numbers");
    }
    for (const nb::handle number : value) {
      numbers.push_back(whole_number<typename Value::value_type>(field, number));
    }
    return numbers;
  } else if constexpr (std::is_floating_point_v<Value>) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      wrong_type(field, value, "a number");
    }
    return number;
  } else {
    return whole_number<Value>(field, value);
  }
}

template <class Options>
Options options_from(const nb::dict& values) {
  Options options;
  std::size_t known = 0;
  visit_fields(options, [&]<class Value>(const Field& field, Value& value) {
    const nb::str name(field.name.data(), field.name.size());
    if (!values.contains(name)) return;
    ++known;
    value = from_python<Value>(field, values[name]);
  });
  if (known != values.size()) throw nb::type_error("an option that the library does not have");
  validate(options);
  return options;
}

template <class Value>
nb::object to_python(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    const std::string_view name = name_of(value);
    return name == "none" ? nb::none() : nb::cast(std::string(name));
  } else if constexpr (requires { value.begin(); }) {
    return value.empty() ? nb::none() : nb::cast(value);
  } else if constexpr (std::is_same_v<Value, DirectionCount>) {
    if (value == DirectionCount::none) return nb::none();
    return value.is_number() ? nb::cast(value.count_or(0)) : nb::cast(value.text());
  } else if constexpr (std::is_same_v<Value, Clusters>) {
    return value.is_number() ? nb::cast(value.count()) : nb::cast(value.text());
  } else if constexpr (requires { value.has_value(); }) {
    return value ? nb::cast(*value) : nb::none();
  } else {
    return nb::cast(value);
  }
}

template <class Options>
nb::dict dict_of(const Options& options) {
  nb::dict values;
  visit_fields(options, [&](const Field& field, const auto& value) {
    values[nb::str(field.name.data(), field.name.size())] = to_python(value);
  });
  return values;
}

template <class Options>
nb::list describe() {
  nb::list all;
  Options defaults;
  visit_fields(defaults, [&]<class Value>(const Field& field, Value& value) {
    nb::dict entry;
    entry["name"] = std::string(field.name);
    entry["keyword"] = keyword(field.name);
    entry["help"] = std::string(field.help);
    entry["default"] = to_python(value);
    if constexpr (std::is_enum_v<Value>) {
      nb::list names;
      for (const std::string_view name : enum_names<Value>()) names.append(std::string(name));
      entry["choices"] = names;
    } else {
      entry["minimum"] = field.minimum;
      entry["maximum"] = field.maximum;
      entry["automatic"] = std::string(field.automatic);
    }
    all.append(entry);
  });
  return all;
}

}  // namespace

MatrixView view_of(const Rows& rows) {
  // NumPy gives rows of zero or one cell, and single rows, strides that mean nothing.
  const std::size_t count = rows.shape(0);
  const std::size_t columns = rows.shape(1);
  if (columns > 1 && rows.stride(1) != 1) {
    throw nb::value_error("the cells of a row must stand side by side");
  }
  if (count > 1 && rows.stride(0) < static_cast<std::int64_t>(columns)) {
    throw nb::value_error("rows must not overlap or run backwards");
  }
  const std::size_t stride = count > 1 ? static_cast<std::size_t>(rows.stride(0)) : columns;
  if (rows.dtype() == nb::dtype<float>()) {
    return {static_cast<const float*>(rows.data()), count, columns, stride};
  }
  if (rows.dtype() == nb::dtype<std::uint8_t>()) {
    return {static_cast<const std::uint8_t*>(rows.data()), count, columns, stride};
  }
  throw nb::type_error("rows must be float32 or uint8");
}

SparseRows::SparseRows(Array<std::uint64_t> starts, Array<std::uint32_t> indices,
                       Array<float> values, std::size_t columns)
    : starts_(std::move(starts)), indices_(std::move(indices)), values_(std::move(values)) {
  const std::span first(starts_.data(), starts_.shape(0));
  const std::size_t cells = indices_.shape(0);
  bool sound =
      !first.empty() && first.front() == 0 && first.back() <= cells && values_.shape(0) == cells;
  for (std::size_t i = 1; i < first.size() && sound; ++i) sound = first[i - 1] <= first[i];
  if (!sound) throw nb::value_error("the parts of the sparse matrix do not fit together");
  view_ = SparseView(first, {indices_.data(), cells}, {values_.data(), cells}, columns);
}

std::span<const std::int32_t> span_of(const Labels32& labels) {
  return {labels.data(), labels.shape(0)};
}

nb::object to_numpy(Matrix matrix) {
  // A view with a stride or of a mapped file becomes a packed copy that may be written to.
  auto owner = std::make_unique<Matrix>(std::move(matrix));
  const MatrixView view = owner->view();
  return view.visit([&]<class T>(const T* cells) {
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(
        const_cast<T*>(cells), {view.rows(), view.columns()}, keep(std::move(owner)),
        {static_cast<std::int64_t>(view.row_stride()), 1}));
  });
}

nb::object to_numpy(CodeMatrix codes) {
  auto owner = std::make_unique<CodeMatrix>(std::move(codes));
  const std::size_t rows = owner->rows();
  const std::size_t clusterings = owner->clusterings();
  return owner->visit([&]<class T>(T* cells) {
    return nb::cast(
        nb::ndarray<nb::numpy, T, nb::ndim<2>>(cells, {rows, clusterings}, keep(std::move(owner))));
  });
}

nb::object to_numpy(std::vector<std::int32_t> labels) {
  return vector_to_numpy(std::move(labels));
}

nb::object to_numpy(std::vector<float> numbers) {
  return vector_to_numpy(std::move(numbers));
}

nb::object to_numpy(std::vector<double> numbers) {
  return vector_to_numpy(std::move(numbers));
}

nb::object to_arrays(SparseMatrix rows) {
  const auto shape = nb::make_tuple(rows.rows(), rows.columns);
  return nb::make_tuple(vector_to_numpy(std::move(rows.starts)),
                        vector_to_numpy(std::move(rows.indices)),
                        vector_to_numpy(std::move(rows.values)), shape);
}

FitOptions fit_options(const nb::dict& values) {
  return options_from<FitOptions>(values);
}

CompressOptions compress_options(const nb::dict& values) {
  return options_from<CompressOptions>(values);
}

RunOptions run_options(const nb::dict& values) {
  return options_from<RunOptions>(values);
}

TextOptions text_options(const nb::dict& values) {
  return options_from<TextOptions>(values);
}

LsaOptions lsa_options(const nb::dict& values) {
  return options_from<LsaOptions>(values);
}

nb::dict to_dict(const FitOptions& options) {
  return dict_of(options);
}

nb::dict to_dict(const TextOptions& options) {
  return dict_of(options);
}

nb::dict to_dict(const CompressOptions& options) {
  return dict_of(options);
}

nb::dict to_dict(const LsaOptions& options) {
  return dict_of(options);
}

nb::list describe_fit_options() {
  return describe<FitOptions>();
}

nb::dict paper_options() {
  nb::dict values;
  const FitOptions preset = FitOptions::paper();
  visit_fields(preset, [&](const Field& field, const auto& value) {
    if (std::ranges::find(kPaperFields, field.name) == kPaperFields.end()) return;
    values[nb::str(field.name.data(), field.name.size())] = to_python(value);
  });
  return values;
}

nb::list describe_compress_options() {
  return describe<CompressOptions>();
}

nb::list describe_run_options() {
  return describe<RunOptions>();
}

nb::list describe_text_options() {
  return describe<TextOptions>();
}

nb::list describe_lsa_options() {
  return describe<LsaOptions>();
}

nb::object decoded(std::string_view text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

nb::list to_list(const std::vector<LayerInfo>& layers) {
  nb::list all;
  for (const LayerInfo& layer : layers) {
    nb::dict entry;
    entry["centroids"] = layer.centroids;
    entry["features"] = layer.features;
    entry["kept_rows"] = layer.kept_rows;
    entry["bytes"] = layer.bytes;
    all.append(entry);
  }
  return all;
}

}  // namespace mbn::python
