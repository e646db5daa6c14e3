// SPDX-License-Identifier: Apache-2.0
//
// The library's errors as Python's own kinds, with the library's sentences.
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>

#include <mbn/error.hpp>

#include "parts.hpp"
#include "words.hpp"

namespace mbn::python {

namespace {

// The library ends a message about a file with the system's reason. From its number Python chooses
// the kind: FileNotFoundError, PermissionError, ...
int reason_of(const std::string& message) {
  for (const int code : {ENOENT, EACCES, EPERM, EISDIR, ENOTDIR, EEXIST, ENOSPC, EROFS}) {
    if (message.ends_with(std::strerror(code))) return code;
  }
  if (message.find(" exists already") != std::string::npos) return EEXIST;
  if (message.find(" does not exist") != std::string::npos) return ENOENT;
  return 0;
}

void set_os_error(const std::string& message) {
  const int code = reason_of(message);
  if (code == 0) {
    PyErr_SetString(PyExc_OSError, message.c_str());
    return;
  }
  const nb::object error =
      nb::steal(PyObject_CallFunction(PyExc_OSError, "is", code, message.c_str()));
  if (error.is_valid())
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

void translate(const std::exception_ptr& thrown, void* /*unused*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const IoError& error) {
    set_os_error(in_python_words(error.what()));
  } catch (const MemoryLimitExceeded& error) {
    PyErr_SetString(PyExc_MemoryError, in_python_words(error.what()).c_str());
  } catch (const Cancelled&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const Error& error) {
    PyErr_SetString(PyExc_ValueError, in_python_words(error.what()).c_str());
  }
}

}  // namespace

void translate_errors() {
  nb::register_exception_translator(translate);
}

}  // namespace mbn::python
