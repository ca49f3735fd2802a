// How long work is ended from outside.
#pragma once

#include <exception>
#include <functional>

namespace ulna {

/// Asked now and then in long work; false ends it with Interrupted.
using KeepGoing = std::function<bool()>;
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

}  // namespace ulna
