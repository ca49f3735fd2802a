// What stays constant for a while and then jumps: pulses, noise, steps of a table, loads on links,
// and a drive that is sampled. The times at which it jumps are known, so that no step of an
// integrator goes across them.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "ulna/simulate/drive.hpp"

namespace ulna {

/// A wrench at a body's mass centre in world axes, while from ≤ t < until.
struct LinkLoad {
  int body;
  Force<double> wrench;
  double from = 0.0, until = std::numeric_limits<double>::infinity();
};
struct TorquePulse {
  int v_index;
  double torque;
  double from = 0.0, until = std::numeric_limits<double>::infinity();
};
/// Gaussian torque with mean zero, held for `every` seconds.
struct TorqueNoise {
  int v_index;
  double deviation;
  double every;
  double from = 0.0, until = std::numeric_limits<double>::infinity();
};
/// Torques that hold from their time to the next; zero before the first.
struct TorqueSteps {
  std::vector<double> times{}, torques{};  // torques: one row per time
};

struct HeldSpec {
  std::vector<LinkLoad> loads{};
  std::vector<TorquePulse> pulses{};
  std::vector<TorqueNoise> noises{};
  TorqueSteps steps{};
  double sample = 0.0;  // > 0: the drive is evaluated at its multiples and held in between
  std::uint64_t seed = 0;
};

class HeldActions {
 public:
  /// `sampled` is the drive to hold, or null. Throws InputError for impossible numbers.
  HeldActions(const Model& model, HeldSpec spec, Drive<double>* sampled);

  /// The first time after t at which something jumps; infinite if nothing does.
  double next_break(double t) const;
  /// Takes the values that hold from t on.
  void enter(double t, std::span<const double> q, std::span<const double> v);

  /// Of drives (sampled ones and tables), which effort limits hold for; and of pulses and noise.
  std::span<const double> torque() const { return torque_; }
  std::span<const double> disturbance() const { return disturbance_; }   // empty without disturbances
  std::span<const Force<double>> wrenches() const { return wrenches_; }  // empty without loads

 private:
  HeldSpec spec_;
  Drive<double>* sampled_;
  double last_ = std::numeric_limits<double>::infinity();  // when the drive was sampled
  std::vector<double> sample_, torque_, disturbance_;
  std::vector<Force<double>> wrenches_;
};

}  // namespace ulna
