// The module ulna_mujoco.so (peers/peer_module.hpp): robots in MuJoCo for `ulna bench`, and the robot and the PD
// drive of a task through its own forward dynamics and its own Runge–Kutta method of order 4 for `ulna reproduce`
// (papers/mujoco_engine.hpp).
#include <exception>
#include <span>

#include "papers/pd_task.hpp"
#include "peers/mujoco_joints.hpp"
#include "peers/mujoco_robot.hpp"

namespace ulna::peers {

namespace {

using reproduction::PdSamples;
using reproduction::PdTask;

class PdRun {
 public:
  PdRun(ModelHandle model, const PdTask& task)
      : m_(std::move(model)),
        d_(mj_makeData(m_.get())),
        joints_(*m_, *task.graph, *task.model),
        task_(task),
        q_(task.q),
        v_(task.v),
        wanted_(3 * v_.size()),
        tau_(v_.size()) {
    m_->opt.integrator = mjINT_RK4;
    m_->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_WARMSTART;
    joints_.set_position(q_, d_->qpos);
    joints_.to_mujoco(v_, d_->qvel);
  }

  void simulate(PdSamples& samples) {
    acting_ = this;
    mjcb_control = [](const mjModel*, mjData*) { acting_->control(); };
    samples.rows.push_back(row());
    for (std::size_t i = 0; i < task_.steps.size(); ++i) {
      const long steps = task_.steps[i];
      m_->opt.timestep = task_.every / static_cast<double>(steps);
      d_->time = static_cast<double>(i) * task_.every;  // without the rounding of sums
      for (long k = 0; k < steps; ++k) mj_step(m_.get(), d_.get());
      samples.rows.push_back(row());
    }
    mjcb_control = nullptr;
    acting_ = nullptr;
  }

 private:
  /// MuJoCo asks for it in each stage of a step, with the stage's time and state in place.
  void control() {
    read_state();
    const std::size_t n = v_.size();
    const std::span<double> all(wanted_);
    task_.drive->reference->at(d_->time, d_->time, all.first(n), all.subspan(n, n), all.last(n));
    for (std::size_t j = 0; j < n; ++j)
      tau_[j] = task_.drive->kp[j] * (all[j] - q_[j]) + task_.drive->kd[j] * (all[n + j] - v_[j]);
    joints_.to_mujoco(tau_, d_->qfrc_applied);
  }

  void read_state() {
    joints_.get_position(d_->qpos, q_);
    joints_.to_ulna(d_->qvel, v_.data());
  }

  std::vector<double> row() {
    mj_forward(m_.get(), d_.get());
    read_state();
    std::vector<double> a(v_.size()), values{d_->time};
    joints_.acceleration_to_ulna(d_->qacc, v_, a);
    for (const std::vector<double>& part : {q_, v_, a}) values.insert(values.end(), part.begin(), part.end());
    return values;
  }

  static thread_local PdRun* acting_;  // MuJoCo's callback has no argument of ours

  ModelHandle m_;
  DataHandle d_;
  MujocoJoints joints_;
  const PdTask& task_;
  std::vector<double> q_, v_, wanted_, tau_;
};

thread_local PdRun* PdRun::acting_ = nullptr;

}  // namespace

}  // namespace ulna::peers

extern "C" const char* ulna_mujoco_simulate_pd(const ulna::reproduction::PdTask* task,
                                               ulna::reproduction::PdSamples* samples) {
  static thread_local std::string refusal;
  try {
    ulna::peers::ModelHandle model = ulna::peers::make_mujoco_model(*task->graph, refusal);
    if (model == nullptr) return refusal.c_str();
    ulna::peers::PdRun(std::move(model), *task).simulate(*samples);
    return nullptr;
  } catch (const std::exception& e) {
    refusal = e.what();
    return refusal.c_str();
  }
}

extern "C" void ulna_make_peer(const ulna::Graph* graph, const ulna::Model* model, ulna::peers::Made* made) {
  try {
    *made = ulna::peers::make_mujoco_robot(*graph, *model);
  } catch (const std::exception& e) {
    made->refusal = e.what();
  }
}
