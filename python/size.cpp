// What a cycle of work asks of the joints, and the smallest motors for it.
#include "bindings.hpp"
#include "one_state.hpp"
#include "robot.hpp"
#include "ulna/study/size/motors.hpp"

namespace ulna::python {

namespace {

using sizing::Catalogue, sizing::CycleMotion, sizing::JointDemand, sizing::MotorDemand;

struct SizedCycle {
  CycleMotion motion;
  std::vector<JointDemand> joints;
  std::vector<MotorDemand> motors;  // none without a catalogue
};

py::dict joint_dict(const JointDemand& demand) {
  py::dict dict;
  dict["peak"] = demand.peak;
  dict["rms"] = demand.rms;
  dict["speed"] = demand.speed;
  dict["power"] = demand.power;
  dict["energy"] = demand.energy;
  dict["net_energy"] = demand.net_energy;
  return dict;
}

py::dict motor_dict(const Catalogue& catalogue, const MotorDemand& demand, double margin) {
  py::dict dict;
  dict["motor"] = catalogue.motors[demand.motor].name;
  dict["gear"] = catalogue.gears[demand.gear].ratio;
  dict["fits"] = demand.fits(margin);
  dict["peak"] = demand.peak;
  dict["rms"] = demand.rms;
  dict["speed"] = demand.speed;
  dict["energy"] = demand.energy;
  dict["net_energy"] = demand.net_energy;
  dict["torque_share"] = demand.torque_share;
  dict["thermal_share"] = demand.thermal_share;
  dict["speed_share"] = demand.speed_share;
  return dict;
}

py::dict cycle_dict(const std::string& title, const SizedCycle& sized, const Catalogue& catalogue, double margin) {
  const auto& [motion, joints, motors] = sized;
  py::list list;
  bool all_fit = true;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    py::dict joint = joint_dict(joints[k]);
    if (!motors.empty()) joint["motor"] = motor_dict(catalogue, motors[k], margin);
    all_fit = all_fit && (motors.empty() || motors[k].fits(margin));
    list.append(joint);
  }
  py::dict dict;
  dict["title"] = title;
  dict["time"] = motion.t.back();
  dict["rows"] = motion.t.size();
  dict["joints"] = list;
  if (!motors.empty()) dict["fits"] = all_fit;
  py::list notes;
  for (const std::string& note : motion.notes) notes.append(note);
  dict["notes"] = notes;
  dict["t"] = array_of(motion.t);
  for (const auto& [key, rows] : {std::pair{"q", &motion.q}, {"v", &motion.v}, {"a", &motion.a}, {"tau", &motion.tau}})
    dict[key] = array_of(*rows).attr("reshape")(motion.t.size(), joints.size());
  return dict;
}

/// Task and catalogue: a path or, where it is none, a text; a catalogue may be neither.
py::dict size(const Robot& robot, const std::string& task, bool task_is_text, const std::string& motors,
              bool motors_are_text, double margin) {
  const sizing::Cycle cycle = task_is_text ? sizing::parse_cycle(task, "task") : sizing::load_cycle(task);
  Catalogue catalogue;
  if (!motors.empty())
    catalogue = motors_are_text ? sizing::parse_catalogue(motors, "motors") : sizing::load_catalogue(motors);
  try {
    const SizedCycle sized = without_gil([&] {
      SizedCycle all{sizing::run_cycle(*robot.graph, cycle, &no_signal_came), {}, {}};
      all.joints = sizing::demands(all.motion);
      if (!motors.empty())
        all.motors = sizing::smallest_motors(*robot.model, all.motion, catalogue, margin, &no_signal_came);
      return all;
    });
    return cycle_dict(cycle.title, sized, catalogue, margin);
  } catch (const Interrupted&) {
    throw py::error_already_set();
  }
}

}  // namespace

void bind_size(py::module_& module) {
  module.def("size", &size, "For ulna.size().", py::arg("model"), py::arg("task"), py::arg("task_is_text"),
             py::arg("motors"), py::arg("motors_are_text"), py::arg("margin"));
}

}  // namespace ulna::python
