// The inertia of a body as an algorithm computes with it: the model's numbers, or for a recording what was put in their
// place, so that generated code takes a payload as an input.
#pragma once

#include <type_traits>

#include "ulna/model/model.hpp"
#include "ulna/real/trace.hpp"

namespace ulna {

/// While it lives, recordings that this thread makes see `inertia` instead of the numbers of `body`.
class RecordedInertia {
 public:
  RecordedInertia(const Body& body, const RigidInertia<Trace>& inertia);
  ~RecordedInertia();
  RecordedInertia(const RecordedInertia&) = delete;
  RecordedInertia& operator=(const RecordedInertia&) = delete;

  static RigidInertia<Trace> of(const Body& body);

 private:
  const Body& body_;
  RigidInertia<Trace> inertia_;
};

template <Real T>
ULNA_INLINE decltype(auto) body_inertia(const Body& body) {
  if constexpr (std::is_same_v<T, Trace>)
    return RecordedInertia::of(body);
  else
    return (body.inertia);
}

}  // namespace ulna
