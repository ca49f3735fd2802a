// What a cycle of work asks of joints and motors, as a page of pictures.
#pragma once

#include "ulna/study/size/motors.hpp"

namespace ulna::sizing {

/// Torque, speed and power over the cycle and what is asked of each joint; of its motor, if one was chosen, torque over
/// speed within what it can give, and its margins.
std::string size_page(const std::string& title, const Model& model, const CycleMotion& motion,
                      const Catalogue& catalogue, const std::vector<MotorDemand>& motors, double margin);

}  // namespace ulna::sizing
