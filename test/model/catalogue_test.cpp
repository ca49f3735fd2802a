// The arms of robots/catalogue: physical, complete, and where their data sheets say they reach.
#include <gtest/gtest.h>

#include <map>

#include "support/bundled.hpp"
#include "support/tolerance.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

class Catalogue : public ::testing::TestWithParam<std::string> {
 protected:
  Graph graph = load_graph(GetParam());
  Model model = build(graph);
};

TEST_P(Catalogue, HasNothingToComplainAbout) {
  for (const Finding& finding : check(graph)) ADD_FAILURE() << finding.link << ": " << finding.reason;
}

TEST_P(Catalogue, SaysWhereItsNumbersComeFrom) {
  EXPECT_FALSE(graph.title.empty());
  EXPECT_NE(graph.provenance.find("github.com/"), std::string::npos) << graph.provenance;
}

TEST_P(Catalogue, HasLimitsAndAHomeWithinThem) {
  const Posture* home = model.find_posture("home");
  ASSERT_NE(home, nullptr);
  for (const JointInfo& joint : model.joints()) {
    const auto k = static_cast<std::size_t>(model.bodies()[static_cast<std::size_t>(joint.body)].q_index);
    EXPECT_TRUE(joint.continuous || std::isfinite(joint.limits.lower)) << joint.name;
    EXPECT_TRUE(std::isfinite(joint.limits.effort)) << joint.name;
    EXPECT_GE(home->q[k], joint.limits.lower) << joint.name;
    EXPECT_LE(home->q[k], joint.limits.upper) << joint.name;
  }
}

TEST_P(Catalogue, IsTheSameByAllFormulations) {
  std::mt19937_64 generator(1);
  const auto n = static_cast<std::size_t>(model.nv());
  for (int state = 0; state < 3; ++state) {
    const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator),
                              a = random_velocity(model, generator, 5.0);
    const test::StateScale scale = test::scale_of(model, q, v, a);
    std::vector<double> tau(n), result(n);
    make_method<double>("auto", Quantity::inverse_dynamics, model)->inverse_dynamics(q, v, a, tau);
    for (const MethodInfo& info : methods()) {
      if (!info.refusal(model).empty()) continue;
      if (info.can(Quantity::inverse_dynamics)) {
        make_method<double>(info.name, Quantity::inverse_dynamics, model)->inverse_dynamics(q, v, a, result);
        for (std::size_t k = 0; k < n; ++k)
          EXPECT_NEAR(result[k], tau[k], test::torque_tolerance(model, scale, 2.3e-16)) << info.name;
      }
      if (info.can(Quantity::forward_dynamics)) {
        make_method<double>(info.name, Quantity::forward_dynamics, model)->forward_dynamics(q, v, tau, result);
        for (std::size_t k = 0; k < n; ++k)
          EXPECT_NEAR(result[k], a[k], test::acceleration_tolerance(model, scale, 2.3e-16)) << info.name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Catalogue, ::testing::ValuesIn(test::catalogue()),
                         [](const auto& robot) { return robot.param; });

TEST(CatalogueFacts, HasFourteenArmsAtLeast) { EXPECT_GE(test::catalogue().size(), 14u); }

/// Lengths of the makers' drawings, summed along the arm at q = 0.
TEST(CatalogueFacts, ReachesWhereTheDrawingsSay) {
  const std::map<std::string, Vec3<double>> drawn{
      {"ur5e", {-0.425 - 0.3922, -0.1333 - 0.0996, 0.1625 - 0.0997}},
      {"ur10e", {-0.6127 - 0.57155, -0.17415 - 0.11655, 0.1807 - 0.11985}},
      {"fr3", {0.088, 0.0, 0.333 + 0.316 + 0.384 - 0.107}},
      {"iiwa7", {0.0, 0.0, 0.34 + 0.4 + 0.4 + 0.126}},
      {"iiwa14", {0.0, 0.0, 0.36 + 0.42 + 0.4 + 0.126}},
      {"xarm7", {0.206, 0.0, 0.1205}},
      {"xarm6", {0.207, 0.0, 0.112}},
      {"kr6_r900_2", {0.025 + 0.455 + 0.42 + 0.09, 0.0, 0.4 + 0.025}},
      {"wam7", {0.0, 0.0, 0.346 + 0.55 + 0.3 + 0.0609}},
  };
  for (const auto& [name, tip] : drawn) {
    const Model model = load(name);
    Kinematics<double> kinematics(model);
    kinematics.update_positions(model.neutral());
    const Vec3<double> p = kinematics.pose(model.tip()).p;
    EXPECT_LT(norm(p - tip), 1e-4) << name << " at " << p.x << ", " << p.y << ", " << p.z;
  }
}

}  // namespace
}  // namespace ulna
