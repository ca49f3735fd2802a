#include "ulna_robot.hpp"

#include "ulna/dynamics/articulated_body/articulated_body.hpp"
#include "ulna/dynamics/composite_body/composite_body.hpp"
#include "ulna/dynamics/newton_euler/newton_euler.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/trace/compiled.hpp"

namespace ulna::bench {

namespace {

using peers::Input;
using peers::Output;

class UlnaRobot : public peers::Peer {
 public:
  explicit UlnaRobot(const Model& model)
      : model_(model), composite_(model), kinematics_(model), newton_euler_(model), articulated_(model) {}

  Pose<double> tip_pose(Input q) override {
    kinematics_.update_positions(q);
    return kinematics_.pose(model_.tip());
  }
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    newton_euler::inverse_dynamics(model_, newton_euler_, q, v, a, tau);
  }
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    articulated_body::forward_dynamics(model_, articulated_, q, v, tau, a);
  }
  void mass_matrix(Input q, MatrixView<double> M) override { composite_body::mass_matrix(model_, composite_, q, M); }

 protected:
  const Model& model_;
  composite_body::Workspace<double> composite_;

 private:
  Kinematics<double> kinematics_;
  newton_euler::Workspace<double> newton_euler_;
  articulated_body::Workspace<double> articulated_;
};

class UlnaCompositeBodyRobot final : public UlnaRobot {
 public:
  using UlnaRobot::UlnaRobot;
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    composite_body::forward_dynamics(model_, composite_, q, v, tau, a);
  }
};

/// Generated code for what there is of it.
class UlnaCompiledRobot final : public UlnaRobot {
 public:
  UlnaCompiledRobot(const Model& model, Compiled<double> id, Compiled<double> fd, Compiled<double> M)
      : UlnaRobot(model), id_(std::move(id)), fd_(std::move(fd)), M_(std::move(M)) {}
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    id_.method->inverse_dynamics(q, v, a, tau, {});
  }
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    fd_.method->forward_dynamics(q, v, tau, a, {});
  }
  void mass_matrix(Input q, MatrixView<double> M) override { M_.method->mass_matrix(q, M); }

 private:
  Compiled<double> id_, fd_, M_;
};

}  // namespace

peers::Made make_ulna_compiled_robot(const Model& model) {
  auto id = compile<double>(model, Quantity::inverse_dynamics), fd = compile<double>(model, Quantity::forward_dynamics),
       M = compile<double>(model, Quantity::mass_matrix);
  for (const auto* compiled : {&id, &fd, &M})
    if (!compiled->note.empty()) return {nullptr, compiled->note};
  return {std::make_unique<UlnaCompiledRobot>(model, std::move(id), std::move(fd), std::move(M)), ""};
}

std::unique_ptr<peers::Peer> make_ulna_robot(const Model& model) { return std::make_unique<UlnaRobot>(model); }
std::unique_ptr<peers::Peer> make_ulna_composite_body_robot(const Model& model) {
  return std::make_unique<UlnaCompositeBodyRobot>(model);
}

}  // namespace ulna::bench
