// A robot in a loop of your own: torques in, a step of time, positions and velocities out.
#pragma once

#include "ulna/simulate/simulation.hpp"

namespace ulna {

class MotionOde;

struct StepperOptions {
  std::string method = "auto";
  IntegratorOptions accuracy{};  // of integrators that choose their steps: as many as it asks for make one of yours
  std::vector<FrameLoad> frame_loads{};
  std::vector<UserLoad> user_loads{};
  double baumgarte = 0.0;  // 1/s, for closed loops; 0: they are held by projection
};

class Stepper {
 public:
  /// At the neutral position, at rest. Keeps a reference to the model. Throws InputError for an integrator or options
  /// that cannot be, and where the loops of a mechanism do not close.
  Stepper(const Model& model, std::string_view integrator, double step, const StepperOptions& options = {});
  Stepper(Model&&, std::string_view, double, const StepperOptions& = {}) = delete;
  ~Stepper();

  /// Quaternions are brought to unit length, loops to the closed state next to it.
  void set_state(VectorIn<double> q, VectorIn<double> v, double t = 0.0);

  /// One step under these torques, and wrenches at the mass centres of the bodies in world axes (none, or one per
  /// body). Allocates nothing with the explicit methods. Throws std::runtime_error with the reason where no step can be
  /// taken; the state is then what it was.
  void step(VectorIn<double> tau, Wrenches<double> wrenches = {});

  double time() const { return t_; }
  std::span<const double> q() const { return q_; }
  std::span<const double> v() const { return v_; }

 private:
  /// To `end`, into y_, next_q_ and next_v_.
  void advance(double end);

  const Model& model_;
  std::unique_ptr<const Model> opened_;  // without its loops, where it has some
  const Model& tree_;
  double step_, t_ = 0.0, begin_ = 0.0;
  long steps_ = 0;  // since begin_: times are multiples and do not add up rounding
  std::unique_ptr<MotionOde> system_;
  std::unique_ptr<Integrator> integrator_;
  std::vector<double> q_, v_, y_, next_q_, next_v_;
};

}  // namespace ulna
