#include "ulna/model/body_inertia.hpp"

#include <algorithm>
#include <vector>

namespace ulna {

namespace {

thread_local std::vector<const RecordedInertia*> recorded;

}  // namespace

RecordedInertia::RecordedInertia(const Body& body, const RigidInertia<Trace>& inertia)
    : body_(body), inertia_(inertia) {
  recorded.push_back(this);
}

RecordedInertia::~RecordedInertia() { std::erase(recorded, this); }

RigidInertia<Trace> RecordedInertia::of(const Body& body) {
  const auto own =
      std::find_if(recorded.begin(), recorded.end(), [&](const RecordedInertia* one) { return &one->body_ == &body; });
  return own != recorded.end() ? (*own)->inertia_ : cast<Trace>(body.inertia);
}

}  // namespace ulna
