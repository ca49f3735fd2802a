#include "peers/mujoco_mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "peers/mujoco_joints.hpp"

namespace ulna::peers {

namespace {

class Mechanism final : public MechanismPeer {
 public:
  Mechanism(ModelHandle model, const Graph& graph, const Model& tree)
      : m_(std::move(model)), joints_(*m_, graph, tree) {
    // one step of Newton's method solves a system without inequalities, from anywhere
    m_->opt.solver = mjSOL_NEWTON;
    m_->opt.jacobian = mjJAC_DENSE;
    m_->opt.iterations = 1;
    m_->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_ACTUATION | mjDSBL_SENSOR | mjDSBL_WARMSTART;
    for (int k = 0; k < m_->neq; ++k) std::fill_n(m_->eq_solimp + mjNIMP * k, 2, mjMAXIMP);
    d_.reset(mj_makeData(m_.get()));
  }

  /// As mj_forward does it, without what a mechanism here has not (contacts, actuators, sensors).
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    joints_.set_position(q, d_->qpos);
    joints_.to_mujoco(v, d_->qvel);
    joints_.to_mujoco(tau, d_->qfrc_applied);
    mj_fwdPosition(m_.get(), d_.get());
    mj_fwdVelocity(m_.get(), d_.get());
    mj_fwdAcceleration(m_.get(), d_.get());
    mj_fwdConstraint(m_.get(), d_.get());
    joints_.acceleration_to_ulna(d_->qacc, v, a);
  }

  LoopSystem system(Input q, Input v, Input tau) override {
    LoopSystem result;
    set_state(q, v);
    result.rows = d_->nefc;
    const auto n = static_cast<std::size_t>(m_->nv), rows = static_cast<std::size_t>(d_->nefc);
    result.M.resize(n * n);
    joints_.mass_matrix(*d_, {result.M.data(), m_->nv, m_->nv});
    result.force.resize(n);
    joints_.to_mujoco(tau, d_->qfrc_applied);
    std::vector<double> work(n);
    for (std::size_t k = 0; k < n; ++k) work[k] = d_->qfrc_applied[k] + d_->qfrc_passive[k] - d_->qfrc_bias[k];
    joints_.to_ulna(work.data(), result.force.data());
    result.J.resize(rows * n);
    for (std::size_t i = 0; i < rows; ++i) {
      joints_.to_ulna(d_->efc_J + i * n, work.data());
      for (std::size_t k = 0; k < n; ++k) result.J[k * rows + i] = work[k];
    }
    result.softness.assign(d_->efc_R, d_->efc_R + rows);
    set_rate_of_jacobian(q, v, result);
    return result;
  }

 private:
  void set_state(Input q, Input v) {
    joints_.set_position(q, d_->qpos);
    joints_.to_mujoco(v, d_->qvel);
    mj_fwdPosition(m_.get(), d_.get());
    mj_fwdVelocity(m_.get(), d_.get());
  }

  /// −J̇ v, which MuJoCo does not compute, by the five-point rule on its J along the motion. It is off by the
  /// fifth derivative, which the sum of the rates bounds, and by rounding over the step: nv products, and as
  /// many turns before them.
  void set_rate_of_jacobian(Input q, Input v, LoopSystem& result) {
    constexpr double step = 3e-4;
    const auto rows = static_cast<std::size_t>(d_->nefc);
    std::vector<double> there(rows);
    double product = 0.0, rates = 0.0;
    for (int k = 0; k < d_->nefc * m_->nv; ++k)
      product = std::max(product, std::abs(d_->efc_J[k] * d_->qvel[k % m_->nv]));
    for (int k = 0; k < m_->nv; ++k) rates += std::abs(d_->qvel[k]);
    result.right_error =
        m_->nv * product *
        (std::pow(step, 4) * std::pow(rates, 5) / 30.0 + 2.0 * 1.5 * std::numeric_limits<double>::epsilon() / step);
    result.right.assign(rows, 0.0);
    for (const auto& [shift, weight] : {std::pair{-2, 1.0}, {-1, -8.0}, {1, 8.0}, {2, -1.0}}) {
      joints_.set_position(q, d_->qpos);
      joints_.to_mujoco(v, d_->qvel);
      mj_integratePos(m_.get(), d_->qpos, d_->qvel, shift * step);
      mj_fwdPosition(m_.get(), d_.get());
      mj_mulJacVec(m_.get(), d_.get(), there.data(), d_->qvel);
      for (std::size_t i = 0; i < rows; ++i) result.right[i] -= weight / (12.0 * step) * there[i];
    }
  }

  ModelHandle m_;
  DataHandle d_;
  MujocoJoints joints_;
};

}  // namespace

MadeMechanism make_mujoco_mechanism(const Graph& graph, const Model& tree, Hinge hinge) {
  MadeMechanism made;
  if (graph.free_base) {
    made.refusal = "free bases are not mapped here";
    return made;
  }
  ModelHandle compiled = make_mujoco_model(graph, made.refusal, hinge);
  if (compiled != nullptr) made.mechanism = std::make_unique<Mechanism>(std::move(compiled), graph, tree);
  return made;
}

}  // namespace ulna::peers
