// An arm under PD control reaches for a point behind a wall: it leans on the wall with the force that its springs
// leave.
#include <cmath>
#include <cstdio>

#include "ulna/ulna.hpp"

int main() {
  const ulna::Model model = ulna::build(ulna::load_graph("ur5_like"));
  const auto n = static_cast<std::size_t>(model.nv());
  const std::vector<double> start{0.0, -1.2, 1.6, -0.4, 1.2, 0.0};
  ulna::Kinematics<double> kinematics(model);
  kinematics.update_positions(start);
  const ulna::Vec3<double> tip = kinematics.pose(model.tip()).p;

  const double stiffness = 2e4;
  const ulna::FrameWall wall{.frame = model.tip(),
                             .point = tip - ulna::Vec3<double>{0, 0, 0.05},
                             .normal = {0, 0, 1},
                             .stiffness = stiffness,
                             .damping = 200.0};
  ulna::SimulationSetup setup{.q0 = start, .duration = 4.0};
  std::vector<double> behind = start;
  behind[1] += 0.3;  // the shoulder lowers the arm into the wall
  setup.actions.drive = ulna::PdDrive{.reference = ulna::make_reference(ulna::PointToPoint{
                                          ulna::PointToPoint::Profile::quintic, start, behind, 0.0, 1.0, 0.25}),
                                      .kp = std::vector<double>(n, 500.0),
                                      .kd = std::vector<double>(n, 60.0),
                                      .gravity = true};
  setup.actions.frame_loads = {wall};
  setup.watched = {{.value = wall.point.z, .text = "touches the wall", .frame = model.tip()}};

  ulna::Trajectory trajectory;
  const ulna::RunResult result = ulna::simulate(model, setup, trajectory);
  kinematics.update_positions(result.final_q);
  const double depth = wall.point.z - kinematics.pose(model.tip()).p.z;
  for (const ulna::RunEvent& event : result.events) std::printf("t = %.3f s: %s\n", event.t, event.text.c_str());
  std::printf("at the end the tip is %.2f mm deep and leans on the wall with %.1f N\n", 1e3 * depth, stiffness * depth);
  return result.status == ulna::RunStatus::completed && !result.events.empty() && depth > 0.0 ? 0 : 1;
}
