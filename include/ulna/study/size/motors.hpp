// What a motion asks of each joint and of a motor behind a gear, and the smallest of a catalogue that gives it.
#pragma once

#include <string>

#include "ulna/study/size/cycle.hpp"

namespace ulna::sizing {

/// As data sheets give them. Sliding joints have gears in radians per metre.
struct Motor {
  std::string name{};
  double torque = 0.0;           // N·m that it can give all the time: the thermal limit of the root of the mean square
  double peak_torque = 0.0;      // N·m for a moment
  double speed = 0.0;            // rad/s, the largest
  double full_speed = 0.0;       // rad/s up to which it has peak_torque, which then falls to zero at `speed`
  double inertia = 0.0;          // kg·m² of the rotor
  double torque_constant = 0.0;  // N·m/A, with
  double resistance = 0.0;       // Ω: what it loses as heat; both or none
  double size = 0.0;             // what "smallest" is told by: its mass, or without one its torque
};
struct Gear {
  double ratio = 1.0, efficiency = 1.0;
  double inertia = 0.0;  // kg·m², at the motor's shaft
};
struct Catalogue {
  std::vector<Motor> motors{};
  std::vector<Gear> gears{};
};
/// Throws InputError with the lines.
Catalogue load_catalogue(const std::string& path);
Catalogue parse_catalogue(const std::string& text, const std::string& file);

/// Of one joint over the cycle, its armature included.
struct JointDemand {
  double peak = 0.0, rms = 0.0;  // N·m or N
  double speed = 0.0;            // rad/s or m/s
  double power = 0.0;            // W, of |τ v|
  double energy = 0.0;           // J a cycle, nothing fed back
  double net_energy = 0.0;       // J a cycle, everything fed back
};
std::vector<JointDemand> demands(const CycleMotion& motion);

/// At a motor's shaft, N·m and rad/s, with the signs of the joint.
struct ShaftState {
  double torque, speed;
};
/// Rotor and gear set in motion too. `armature`: what the joint's torque already has of a rotor there, and the new one
/// replaces.
ShaftState shaft_at(double v, double a, double tau, double armature, const Motor& motor, const Gear& gear);

/// A motor and a gear at one joint: what the motion asks of the motor, rotor and gear set in motion too.
struct MotorDemand {
  std::size_t motor = 0, gear = 0;
  double peak = 0.0, rms = 0.0, speed = 0.0;  // N·m and rad/s at the motor's shaft
  double energy = 0.0, net_energy = 0.0;      // J a cycle from the supply, with losses
  /// Shares that are asked for: of the torque at each speed, of the continuous torque, of the speed. Above 1: too much.
  double torque_share = 0.0, thermal_share = 0.0, speed_share = 0.0;

  double largest_share() const { return std::max({torque_share, thermal_share, speed_share}); }
  bool fits(double margin) const { return margin * largest_share() <= 1.0; }
};
MotorDemand demand_on(const CycleMotion& motion, std::size_t joint, double armature, const Catalogue& catalogue,
                      std::size_t motor, std::size_t gear);

/// By joint the smallest motor that is asked for at most 1/margin of what it gives, with the gear that leaves most;
/// where none is, the one that comes nearest. Throws InputError for a margin below 1, and Interrupted.
std::vector<MotorDemand> smallest_motors(const Model& model, const CycleMotion& motion, const Catalogue& catalogue,
                                         double margin = 1.0, const KeepGoing& keep_going = {});

}  // namespace ulna::sizing
