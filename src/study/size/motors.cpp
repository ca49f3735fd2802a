#include "ulna/study/size/motors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_file.hpp"
#include "io/toml/toml_table.hpp"

namespace ulna::sizing {

namespace {

double torque_at(const Motor& motor, double speed) {
  if (speed <= motor.full_speed) return motor.peak_torque;
  return motor.peak_torque * std::max(0.0, (motor.speed - speed) / (motor.speed - motor.full_speed));
}

Motor read_motor(TomlTable& t) {
  Motor motor;
  for (const char* key : {"name", "torque", "speed"}) t.require(key);
  motor.name = t.text("name");
  motor.torque = t.positive("torque", 1.0);
  motor.peak_torque = t.positive("peak_torque", motor.torque);
  motor.speed = t.positive("speed", 1.0);
  motor.full_speed = t.positive("full_speed", motor.speed);
  motor.inertia = t.number("inertia", 0.0);
  motor.torque_constant = t.positive("torque_constant", 1.0);
  motor.resistance = t.number("resistance", 0.0);
  motor.size = t.positive("mass", motor.torque);
  if (motor.peak_torque < motor.torque) t.problem("peak_torque", "'peak_torque' is below 'torque'", "swap the two");
  if (motor.full_speed > motor.speed) t.problem("full_speed", "'full_speed' is above 'speed'", "swap the two");
  if (t.has("torque_constant") != t.has("resistance"))
    t.problem("resistance", "'resistance' and 'torque_constant' belong together", "give both or none");
  for (const char* key : {"inertia", "resistance"})
    if (t.number(key, 0.0) < 0.0) t.problem(key, fmt::format("'{}' must not be negative", key));
  t.finish();
  return motor;
}

Gear read_gear(TomlTable& t) {
  t.require("ratio");
  Gear gear{t.positive("ratio", 1.0), t.positive("efficiency", 1.0), t.number("inertia", 0.0)};
  if (gear.efficiency > 1.0)
    t.problem("efficiency", "'efficiency' is above 1", "give the share of the torque that comes through");
  if (gear.inertia < 0.0) t.problem("inertia", "'inertia' must not be negative");
  t.finish();
  return gear;
}

}  // namespace

Catalogue parse_catalogue(const std::string& text, const std::string& file) {
  const toml::table root = parse_toml_text(text, file);
  TomlProblems problems{file, {}};
  TomlTable table(root, "catalogue", problems);
  Catalogue catalogue;
  for (const toml::table* one : table.tables("motor")) {
    TomlTable t(*one, "motor", problems);
    catalogue.motors.push_back(read_motor(t));
  }
  for (const toml::table* one : table.tables("gear")) {
    TomlTable t(*one, "gear", problems);
    catalogue.gears.push_back(read_gear(t));
  }
  if (catalogue.motors.empty()) table.problem("motor", "there is no [[motor]]", "give one at least");
  if (catalogue.gears.empty()) catalogue.gears.push_back({});
  table.finish();
  if (!problems.findings.empty()) throw InputError(std::move(problems.findings));
  return catalogue;
}

Catalogue load_catalogue(const std::string& path) {
  return parse_catalogue(read_text_file(path, "catalogue of motors"), path);
}

std::vector<JointDemand> demands(const CycleMotion& motion) {
  const CycleMotion::Samples& samples = motion.samples;
  const std::size_t count = samples.weight.size(), n = count == 0 ? 0 : samples.tau.size() / count;
  std::vector<JointDemand> list(n);
  for (std::size_t k = 0; k < count; ++k) {
    const double dt = samples.weight[k];
    for (std::size_t i = 0; i < n; ++i) {
      const double tau = samples.tau[k * n + i], v = samples.v[k * n + i], power = tau * v;
      JointDemand& joint = list[i];
      joint.peak = std::max(joint.peak, std::abs(tau));
      joint.speed = std::max(joint.speed, std::abs(v));
      joint.power = std::max(joint.power, std::abs(power));
      joint.rms += dt * tau * tau;
      joint.energy += dt * std::max(0.0, power);
      joint.net_energy += dt * power;
    }
  }
  for (JointDemand& joint : list) joint.rms = std::sqrt(joint.rms / motion.t.back());
  return list;
}

ShaftState shaft_at(double v, double a, double tau, double armature, const Motor& motor, const Gear& gear) {
  const double load = tau - armature * a;
  // Where the joint drives the motor, the gear's losses help to brake.
  const double through = load * v >= 0.0 ? load / (gear.ratio * gear.efficiency) : load * gear.efficiency / gear.ratio;
  return {through + (motor.inertia + gear.inertia) * gear.ratio * a, gear.ratio * v};
}

MotorDemand demand_on(const CycleMotion& motion, std::size_t joint, double armature, const Catalogue& catalogue,
                      std::size_t motor_index, std::size_t gear_index) {
  const Motor& motor = catalogue.motors.at(motor_index);
  const Gear& gear = catalogue.gears.at(gear_index);
  MotorDemand demand{motor_index, gear_index};
  const CycleMotion::Samples& samples = motion.samples;
  const std::size_t n = samples.weight.empty() ? 0 : samples.tau.size() / samples.weight.size();
  for (std::size_t k = 0; k < samples.weight.size(); ++k) {
    const std::size_t at = k * n + joint;
    const ShaftState shaft = shaft_at(samples.v[at], samples.a[at], samples.tau[at], armature, motor, gear);
    const double torque = shaft.torque, speed = std::abs(shaft.speed), dt = samples.weight[k];
    const double current = torque / motor.torque_constant;
    const double power = torque * shaft.speed + current * current * motor.resistance;
    demand.peak = std::max(demand.peak, std::abs(torque));
    demand.speed = std::max(demand.speed, speed);
    demand.rms += dt * torque * torque;
    demand.energy += dt * std::max(0.0, power);
    demand.net_energy += dt * power;
    // Beyond its speed it has no torque; then the share of speed is above 1 already.
    if (speed < motor.speed && torque != 0.0)
      demand.torque_share = std::max(demand.torque_share, std::abs(torque) / torque_at(motor, speed));
  }
  demand.rms = std::sqrt(demand.rms / motion.t.back());
  demand.thermal_share = demand.rms / motor.torque;
  demand.speed_share = demand.speed / motor.speed;
  return demand;
}

std::vector<MotorDemand> smallest_motors(const Model& model, const CycleMotion& motion, const Catalogue& catalogue,
                                         double margin, const KeepGoing& keep_going) {
  if (!(margin >= 1.0) || !std::isfinite(margin)) throw InputError("margin: 1 or more");
  if (model.has_couplings())
    throw InputError("joints share the motors of '" + model.couplings().front().name +
                     "'; motors are chosen for joints that have their own");
  std::vector<std::size_t> order(catalogue.motors.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return catalogue.motors[k].size; });
  std::vector<MotorDemand> chosen;
  for (int joint = 0; joint < model.nv(); ++joint) {
    std::optional<MotorDemand> nearest;
    for (const std::size_t motor : order) {
      std::optional<MotorDemand> best;
      for (std::size_t gear = 0; gear < catalogue.gears.size(); ++gear) {
        if (keep_going && !keep_going()) throw Interrupted{};
        const auto i = static_cast<std::size_t>(joint);
        const MotorDemand demand = demand_on(motion, i, model.armature()[i], catalogue, motor, gear);
        if (!best || demand.largest_share() < best->largest_share()) best = demand;
      }
      if (!nearest || best->largest_share() < nearest->largest_share()) nearest = best;
      if (!best->fits(margin)) continue;
      nearest = best;
      break;
    }
    chosen.push_back(*nearest);
  }
  return chosen;
}

}  // namespace ulna::sizing
