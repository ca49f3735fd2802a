#include "study/feedback.hpp"

#include <algorithm>
#include <limits>

#include "ulna/base/error.hpp"
#include "ulna/control/linearise.hpp"
#include "ulna/control/lqr.hpp"
#include "ulna/control/optimal_control.hpp"

namespace ulna {

namespace {

/// A problem that goes on from sample to sample; a run begins it anew.
class Prediction {
 public:
  Prediction(const Model& model, ControlProblem problem) : control_(model, std::move(problem)) {}

  void add(double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) {
    constexpr int first_iterations = 30;  // until a motion is there; then one for each sample
    const bool begins = !(t > last_);
    last_ = t;
    try {
      if (begins) {
        control_.start(q, v);
        control_.solve(first_iterations);
      } else {
        control_.restart(q, v, 0);
        control_.iterate();
      }
    } catch (const InputError&) {  // no motion from here has finite numbers: the run has diverged
      std::ranges::fill(tau, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += control_.torque(0)[k];
  }

 private:
  OptimalControl control_;
  double last_ = std::numeric_limits<double>::infinity();
};

}  // namespace

StateFeedbackDrive lqr_drive(const Model& model, std::span<const double> q, const FeedbackWeights& weights,
                             double sample, ReferencePointer reference) {
  Lineariser lineariser(model);
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()), 0.0);
  const LinearisedRobot robot = lineariser(q, rest, lineariser.torques(q, rest));
  if (robot.inputs != model.nv()) throw InputError("drive 'lqr' needs a motor in every joint");
  LqrWeights all{weights.position, weights.effort};
  all.state.insert(all.state.end(), weights.velocity.begin(), weights.velocity.end());
  LqrGains gains = sample > 0.0 ? sampled_lqr(robot, all, sample) : lqr(robot, all);
  if (!gains.found()) throw InputError("drive 'lqr': " + gains.reason);
  return {std::move(reference), std::move(gains.K)};
}

UserDrive mpc_drive(const Model& model, std::vector<double> posture, const FeedbackWeights& weights, int knots,
                    double step) {
  if (motor_indices(model).size() != static_cast<std::size_t>(model.nv()))
    throw InputError("drive 'mpc' needs a motor in every joint");
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()), 0.0);
  ControlProblem problem;
  problem.knots = knots;
  problem.step = step;
  // What holds the posture costs nothing, or the arm would hang below it.
  problem.running = {
      posture, weights.position, weights.velocity, Lineariser(model).torques(posture, rest), weights.effort, {}};
  // What is left at the end costs as much as a whole horizon of it.
  problem.terminal = {std::move(posture), weights.position, weights.velocity, {}, {}, {}};
  for (auto* list : {&problem.terminal.posture_weight, &problem.terminal.velocity_weight})
    for (double& weight : *list) weight *= knots * step;
  const auto prediction = std::make_shared<Prediction>(model, std::move(problem));
  return {[prediction](double t, std::span<const double> q, std::span<const double> v, std::span<double> tau) {
    prediction->add(t, q, v, tau);
  }};
}

}  // namespace ulna
