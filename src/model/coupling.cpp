#include "coupling.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace ulna {

namespace {

Eigen::MatrixXd gears_of(const GraphCoupling& coupling) {
  const auto n = static_cast<Eigen::Index>(coupling.joints.size());
  Eigen::MatrixXd gears(n, n);
  for (Eigen::Index m = 0; m < n; ++m)
    for (Eigen::Index j = 0; j < n; ++j)
      gears(m, j) = coupling.motors[static_cast<std::size_t>(m)].gears[static_cast<std::size_t>(j)];
  return gears;
}

bool is_sound(const GraphMotor& motor) {
  const auto is_good = [](double x) { return x >= 0.0 && std::isfinite(x); };
  return is_good(motor.inertia) && is_good(motor.viscous) && is_good(motor.coulomb) && motor.limits.velocity > 0.0 &&
         motor.limits.effort > 0.0;
}

bool are_numbers(const std::vector<double>& gears) {
  return std::all_of(gears.begin(), gears.end(), [](double x) { return std::isfinite(x); });
}

class CouplingCheck {
 public:
  explicit CouplingCheck(const Graph& graph) : graph_(graph) {
    for (const GraphJoint& joint : graph.joints) joints_.emplace(joint.name, &joint);
    for (const GraphCoupling& coupling : graph.couplings)
      for (const std::string& joint : coupling.joints) ++uses_[joint];
  }

  std::vector<Finding> run() {
    for (const GraphCoupling& coupling : graph_.couplings) check(coupling);
    return std::move(findings_);
  }

 private:
  void bad(const GraphCoupling& coupling, std::string reason, std::string remedy) {
    findings_.push_back(
        {Finding::Severity::error, coupling.name, std::move(reason), std::move(remedy), coupling.source, false});
  }

  void check(const GraphCoupling& coupling) {
    const std::size_t before = findings_.size();
    if (!names_.insert(coupling.name).second) bad(coupling, "two couplings have this name", "rename one");
    for (const std::string& name : coupling.joints) check_joint(coupling, name);
    if (coupling.joints.size() < 2) bad(coupling, "couples fewer than two joints", "give the joint a motor of its own");
    if (coupling.joints.size() > most_joints)
      return bad(coupling, fmt::format("couples more than {} joints", most_joints), "use several couplings");
    if (coupling.motors.size() != coupling.joints.size())
      bad(coupling, fmt::format("has {} motors for {} joints", coupling.motors.size(), coupling.joints.size()),
          "give one motor for each joint");
    for (const GraphMotor& motor : coupling.motors) check_motor(coupling, motor);
    if (findings_.size() == before && !Eigen::FullPivLU<Eigen::MatrixXd>(gears_of(coupling)).isInvertible())
      bad(coupling, "its motors leave a joint to itself, or two of them do the same",
          "check the gears: a row for each motor");
  }

  void check_joint(const GraphCoupling& coupling, const std::string& name) {
    const auto found = joints_.find(name);
    if (found == joints_.end())
      return bad(coupling, fmt::format("couples joint '{}', which does not exist", name),
                 "name joints of the robot; the motor of an elastic one is NAME_motor");
    const GraphJoint& joint = *found->second;
    if (!has_one_degree(joint.kind))
      bad(coupling, fmt::format("couples joint '{}', which is {}", name, name_of(joint.kind)),
          "couple joints of one degree of freedom");
    if (joint.mimic) bad(coupling, fmt::format("couples joint '{}', which follows another", name), "couple the other");
    if (uses_[name] > 1)
      bad(coupling, fmt::format("joint '{}' is coupled twice", name), "name all of its motors in one coupling");
  }

  void check_motor(const GraphCoupling& coupling, const GraphMotor& motor) {
    if (motor.gears.size() != coupling.joints.size()) {
      bad(coupling, fmt::format("a motor has {} gears for {} joints", motor.gears.size(), coupling.joints.size()),
          "give its turns for a turn of each joint, 0 where it does nothing");
    } else if (!are_numbers(motor.gears) || !is_sound(motor)) {
      bad(coupling, "a motor has a number that is not finite, or a negative inertia, friction or limit", "correct it");
    }
  }

  static constexpr std::size_t most_joints = 100;  // their gears are a matrix
  const Graph& graph_;
  std::unordered_map<std::string_view, const GraphJoint*> joints_;
  std::unordered_map<std::string_view, int> uses_;
  std::unordered_set<std::string_view> names_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> coupling_findings(const Graph& graph) { return CouplingCheck(graph).run(); }

Coupling coupling_of(const GraphCoupling& written, std::vector<int> v, double friction_speed) {
  const Eigen::MatrixXd inverse = gears_of(written).inverse();
  Coupling coupling{written.name, std::move(v), {}};
  for (std::size_t m = 0; m < written.motors.size(); ++m) {
    const GraphMotor& motor = written.motors[m];
    double largest = 0.0;
    std::vector<double> shares;  // τ = Gᵀ τ_m, so τ_m = G⁻ᵀ τ
    for (std::size_t j = 0; j < motor.gears.size(); ++j) {
      largest = std::max(largest, std::fabs(motor.gears[j]));
      shares.push_back(inverse(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(m)));
    }
    coupling.motors.push_back(
        {motor.gears, std::move(shares), motor.viscous, motor.coulomb, largest * friction_speed, motor.limits});
  }
  return coupling;
}

Limits joint_limits(const Coupling& coupling, std::size_t j) {
  Limits most;
  most.velocity = most.effort = 0.0;
  for (const CoupledMotor& motor : coupling.motors) {  // 0 · ∞ is nothing here
    if (motor.gears[j] != 0.0) most.effort += std::fabs(motor.gears[j]) * motor.limits.effort;
    if (motor.shares[j] != 0.0) most.velocity += std::fabs(motor.shares[j]) * motor.limits.velocity;
  }
  return most;
}

}  // namespace ulna
