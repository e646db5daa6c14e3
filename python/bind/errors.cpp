// SPDX-License-Identifier: Apache-2.0
//
// The library's errors as Python's own kinds, in Python's words. What the library knows about an
// error is also there for programs: `error.code` ("no_clusters"), `error.option` (the library's
// name of it), `error.value` and `error.path`, empty where they do not apply.
#include <exception>
#include <string>
#include <string_view>

#include <mbn/error.hpp>

#include "parts.hpp"
#include "words.hpp"

namespace mbn::python {

namespace {

// Paths may hold bytes that are not UTF-8.
nb::object text_of(std::string_view text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

nb::object make(PyObject* kind, const Error& error) {
  const nb::object text = text_of(in_python_words(error.message()));
  // From the number Python chooses FileNotFoundError, PermissionError, ...
  if (kind == PyExc_OSError && error.system_code() != 0) {
    return nb::steal(PyObject_CallFunction(kind, "iO", error.system_code(), text.ptr()));
  }
  return nb::steal(PyObject_CallFunctionObjArgs(kind, text.ptr(), nullptr));
}

void raise(PyObject* kind, const Error& error) {
  const nb::object made = make(kind, error);
  if (!made.is_valid()) return;
  nb::setattr(made, "code", text_of(name_of(error.code())));
  nb::setattr(made, "option", text_of(error.option()));
  nb::setattr(made, "value", text_of(error.value()));
  nb::setattr(made, "path", text_of(error.path().native()));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const IoError& error) {
    raise(PyExc_OSError, error);
  } catch (const MemoryLimitExceeded& error) {
    raise(PyExc_MemoryError, error);
  } catch (const Cancelled&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const Error& error) {
    raise(PyExc_ValueError, error);
  }
}

}  // namespace

void translate_errors() {
  nb::register_exception_translator(translate);
}

}  // namespace mbn::python
