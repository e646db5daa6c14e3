// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace mbn {

/// The base of everything the library throws on purpose. `what()` says what was wrong, the value
/// seen, and what to do about it.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument or option is out of range, or two of them do not fit each other.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// The operating system refused: a file is missing, a disk is full, a file exists already.
class IoError : public Error {
 public:
  using Error::Error;
};

/// A file was read, but it does not hold what it should.
class FormatError : public Error {
 public:
  using Error::Error;
};

/// The work needs more memory than `RunOptions::memory_limit` allows.
class MemoryLimitExceeded : public Error {
 public:
  using Error::Error;
};

/// `RunOptions::cancel` was set while the work was under way. Nothing was written.
class Cancelled : public Error {
 public:
  Cancelled() : Error("interrupted") {}
};

}  // namespace mbn
