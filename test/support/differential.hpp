// A wrist whose two joints share two motors, as TOML.
#pragma once

#include <string>

namespace ulna::test {

/// A hand on two hinges through a bevel differential: motors turn by g (pitch + roll) and g (pitch − roll).
inline std::string differential(const std::string& motors) {
  return R"(
name = "wrist"
gravity = [0, 0, 0]
[[body]]
name = "yoke"
mass = 1
inertia = [0.02, 0.02, 0.02]
[[body]]
name = "hand"
mass = 1
inertia = [0.01, 0.03, 0.03]
[[joint]]
name = "pitch"
kind = "revolute"
parent = "base"
child = "yoke"
axis = [0, 1, 0]
[[joint]]
name = "roll"
kind = "revolute"
parent = "yoke"
child = "hand"
axis = [1, 0, 0]
)" + motors;
}

inline const char* const bevel = R"(
[[coupling]]
name = "bevel"
joints = ["pitch", "roll"]
[[coupling.motor]]
gears = [50, 50]
inertia = 2e-5
torque = 0.1
speed = 200
[[coupling.motor]]
gears = [50, -50]
inertia = 1e-5
torque = 0.2
)";

}  // namespace ulna::test
