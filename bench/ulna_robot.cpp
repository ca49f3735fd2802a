#include "ulna_robot.hpp"

#include "ulna/dynamics/articulated_body/articulated_body.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
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
      : model_(model),
        composite_(model),
        kinematics_(model),
        newton_euler_(model),
        articulated_(model),
        derivatives_(model) {}

  Pose<double> tip_pose(Input q) override {
    kinematics_.update_positions(q);
    return kinematics_.pose(model_.tip());
  }
  bool tip_jacobian(Input q, MatrixView<double> J) override {
    kinematics_.update_positions(q);
    kinematics_.jacobian(model_.tip(), Reference::world_axes, J);
    return true;
  }
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    newton_euler::inverse_dynamics(model_, newton_euler_, q, v, a, tau);
  }
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    articulated_body::forward_dynamics(model_, articulated_, q, v, tau, a);
  }
  void mass_matrix(Input q, MatrixView<double> M) override { composite_body::mass_matrix(model_, composite_, q, M); }
  bool forward_derivatives(Input q, Input v, Input tau, Output a, MatrixView<double> dq, MatrixView<double> dv,
                           MatrixView<double> dtau) override {
    articulated_body::forward_derivatives(model_, derivatives_, q, v, tau, a, dq, dv, dtau);
    return true;
  }

 protected:
  const Model& model_;
  composite_body::Workspace<double> composite_;

 private:
  Kinematics<double> kinematics_;
  newton_euler::Workspace<double> newton_euler_;
  articulated_body::Workspace<double> articulated_;
  articulated_body::DerivativeWorkspace<double> derivatives_;
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
  UlnaCompiledRobot(const Model& model, Compiled<double> id, Compiled<double> fd, Compiled<double> M,
                    CompiledDerivatives derivatives)
      : UlnaRobot(model),
        id_(std::move(id)),
        fd_(std::move(fd)),
        M_(std::move(M)),
        derivatives_(std::move(derivatives)) {}
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    id_.method->inverse_dynamics(q, v, a, tau, {});
  }
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    fd_.method->forward_dynamics(q, v, tau, a, {});
  }
  void mass_matrix(Input q, MatrixView<double> M) override { M_.method->mass_matrix(q, M); }
  bool tip_jacobian(Input, MatrixView<double>) override { return false; }
  bool forward_derivatives(Input q, Input v, Input tau, Output a, MatrixView<double> dq, MatrixView<double> dv,
                           MatrixView<double> dtau) override {
    derivatives_.evaluate(q, v, tau, a, dq, dv, dtau);
    return true;
  }

 private:
  Compiled<double> id_, fd_, M_;
  CompiledDerivatives derivatives_;
};

}  // namespace

peers::Made make_ulna_compiled_robot(const Model& model) {
  auto id = compile<double>(model, Quantity::inverse_dynamics), fd = compile<double>(model, Quantity::forward_dynamics),
       M = compile<double>(model, Quantity::mass_matrix);
  for (const auto* compiled : {&id, &fd, &M})
    if (!compiled->note.empty()) return {nullptr, compiled->note};
  CompiledDerivatives derivatives = compile_derivatives(model);
  if (!derivatives.note.empty()) return {nullptr, derivatives.note};
  return {
      std::make_unique<UlnaCompiledRobot>(model, std::move(id), std::move(fd), std::move(M), std::move(derivatives)),
      ""};
}

std::unique_ptr<peers::Peer> make_ulna_robot(const Model& model) { return std::make_unique<UlnaRobot>(model); }
std::unique_ptr<peers::Peer> make_ulna_composite_body_robot(const Model& model) {
  return std::make_unique<UlnaCompositeBodyRobot>(model);
}

}  // namespace ulna::bench
