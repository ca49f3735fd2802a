// In the place of feedback.cpp in a build without optimal control.
#include "study/feedback.hpp"
#include "ulna/base/error.hpp"

namespace ulna {

StateFeedbackDrive lqr_drive(const Model&, std::span<const double>, const FeedbackWeights&, double, ReferencePointer) {
  throw InputError("drive 'lqr' is not in this build");
}

UserDrive mpc_drive(const Model&, std::vector<double>, const FeedbackWeights&, int, double) {
  throw InputError("drive 'mpc' is not in this build");
}

}  // namespace ulna
