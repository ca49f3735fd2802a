#include "peers/mujoco_robot.hpp"

#include <algorithm>

#include "peers/graph_tree.hpp"
#include "peers/mujoco_joints.hpp"

namespace ulna::peers {

namespace {

class MujocoRobot final : public Peer {
 public:
  MujocoRobot(ModelHandle model, const Graph& graph, const Model& ulna)
      : m_(std::move(model)),
        d_(mj_makeData(m_.get())),
        joints_(*m_, graph, ulna),
        force_(static_cast<std::size_t>(m_->nv)),
        has_passive_(ulna.has_passive()),
        only_scalar_(!ulna.has_general_joints()) {
    const FramePlace tip = place_of(graph, ulna.tip().name);
    tip_pose_ = tip.pose;
    // −1 for the ground, which is MuJoCo's world
    tip_body_ = std::max(0, mj_name2id(m_.get(), mjOBJ_BODY, mujoco_body_name(graph, tip.body).c_str()));
  }

  Pose<double> tip_pose(Input q) override {
    joints_.set_position(q, d_->qpos);
    mj_kinematics(m_.get(), d_.get());
    const double* R = d_->xmat + 9 * tip_body_;
    const double* p = d_->xpos + 3 * tip_body_;
    const Pose<double> body{{R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]}, {p[0], p[1], p[2]}};
    return body * tip_pose_;
  }

  /// What mj_inverse does for a robot without contacts, less the factorisation of M that it does
  /// not need.
  void inverse_dynamics(Input q, Input v, Input a, Output tau) override {
    joints_.set_position(q, d_->qpos);
    joints_.to_mujoco(v, d_->qvel);
    joints_.acceleration_to_mujoco(v, a, d_->qacc);
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_comVel(m_.get(), d_.get());
    mj_rne(m_.get(), d_.get(), 1, force_.data());
    for (std::size_t k = 0; k < force_.size(); ++k) force_[k] += m_->dof_armature[k] * d_->qacc[k];
    subtract_passive();
    joints_.to_ulna(force_.data(), tau.data());
  }

  /// What mj_forward does for a robot without contacts, actuators and sensors.
  void forward_dynamics(Input q, Input v, Input tau, Output a) override {
    joints_.set_position(q, d_->qpos);
    joints_.to_mujoco(v, d_->qvel);
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_crb(m_.get(), d_.get());
    mj_factorM(m_.get(), d_.get());
    mj_comVel(m_.get(), d_.get());
    mj_rne(m_.get(), d_.get(), 0, force_.data());
    subtract_passive();
    joints_.to_mujoco(tau, d_->qfrc_applied);
    for (std::size_t k = 0; k < force_.size(); ++k) force_[k] = d_->qfrc_applied[k] - force_[k];
    mj_solveM(m_.get(), d_.get(), d_->qacc, force_.data(), 1);
    joints_.acceleration_to_ulna(d_->qacc, v, a);
  }

  void mass_matrix(Input q, MatrixView<double> M) override {
    joints_.set_position(q, d_->qpos);
    mj_kinematics(m_.get(), d_.get());
    mj_comPos(m_.get(), d_.get());
    mj_crb(m_.get(), d_.get());
    joints_.mass_matrix(*d_, M);
  }

  /// mj_step as a user calls it, with its constraint solver switched off: there is nothing to solve.
  bool run_free(double step, long count, Output q, Output v) override {
    if (!only_scalar_) return false;
    m_->opt.integrator = mjINT_RK4;
    m_->opt.timestep = step;
    m_->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_ACTUATION | mjDSBL_WARMSTART;
    mj_resetData(m_.get(), d_.get());
    joints_.set_position(q, d_->qpos);
    joints_.to_mujoco(v, d_->qvel);
    for (long k = 0; k < count; ++k) mj_step(m_.get(), d_.get());
    joints_.get_position(d_->qpos, q);
    joints_.to_ulna(d_->qvel, v.data());
    return true;
  }

 private:
  void subtract_passive() {
    if (!has_passive_) return;
    mj_passive(m_.get(), d_.get());
    for (std::size_t k = 0; k < force_.size(); ++k) force_[k] -= d_->qfrc_passive[k];
  }

  ModelHandle m_;
  DataHandle d_;
  MujocoJoints joints_;
  std::vector<double> force_;
  bool has_passive_, only_scalar_;
  Pose<double> tip_pose_ = Pose<double>::identity();
  std::ptrdiff_t tip_body_ = 0;
};

}  // namespace

Made make_mujoco_robot(const Graph& graph, const Model& model) {
  Made made;
  ModelHandle compiled = make_mujoco_model(graph, made.refusal);
  if (compiled != nullptr) made.robot = std::make_unique<MujocoRobot>(std::move(compiled), graph, model);
  return made;
}

}  // namespace ulna::peers
