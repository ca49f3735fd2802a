#include "ulna/model/body_inertia.hpp"

#include <stdexcept>

namespace ulna {

namespace {

thread_local const RecordedInertia* recorded = nullptr;

}  // namespace

RecordedInertia::RecordedInertia(const Body& body, const RigidInertia<Trace>& inertia)
    : body_(body), inertia_(inertia) {
  if (recorded != nullptr) throw std::logic_error("one body's inertia at a time is an input of a recording");
  recorded = this;
}

RecordedInertia::~RecordedInertia() { recorded = nullptr; }

RigidInertia<Trace> RecordedInertia::of(const Body& body) {
  return recorded != nullptr && &recorded->body_ == &body ? recorded->inertia_ : cast<Trace>(body.inertia);
}

}  // namespace ulna
