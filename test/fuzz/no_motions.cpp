// In the place of src/study/path_plan.cpp: what is fuzzed reads path files and plans none.
#include "ulna/study/path_plan.hpp"

namespace ulna {

std::shared_ptr<const ReferenceMotion> motion_of(const PathPlan&, const Model&) {
  throw InputError("paths are not planned here");
}

}  // namespace ulna
