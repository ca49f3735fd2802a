// What the claims of legnani1996 do not check themselves: arm and curves against the reference of test/golden.
#include <gtest/gtest.h>

#include <cmath>

#include "papers/deviation.hpp"
#include "papers/legnani_arm.hpp"
#include "papers/legnani_loop.hpp"
#include "support/golden.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/model/build.hpp"

namespace ulna::reproduction {
namespace {

std::vector<double> flat(const nlohmann::json& rows) {
  std::vector<double> values;
  for (const nlohmann::json& row : rows)
    for (const nlohmann::json& x : row) values.push_back(x);
  return values;
}

TEST(Legnani, ArmIsThatOfTheReference) {
  const Model model = build(legnani_stanford());
  homogeneous::Workspace<double> ws(model);
  const nlohmann::json reference = test::golden("004_stanford");
  ASSERT_EQ(reference["states"].size(), 5u);
  for (const nlohmann::json& state : reference["states"]) {
    const std::vector<double> q = test::list(state["q"]), v = test::list(state["qd"]), a = test::list(state["qdd"]),
                              wanted = test::list(state["tau"]);
    for (std::size_t i = 1; i <= stanford_joints; ++i)
      EXPECT_LT(largest_difference(printed_position(0, i, q).e, flat(state["M_0i"][i - 1])), 1e-13);
    std::vector<double> tau(6);
    homogeneous::inverse_dynamics(model, ws, q, v, a, tau);
    EXPECT_LT(largest_difference(tau, wanted), 1e-13 * std::max(1.0, largest(wanted)));
  }
}

/// Every 15 degrees; the reference is good to 1e-10.
TEST(Legnani, SliderCrankCurvesAreThoseOfTheReference) {
  const Section section = legnani_loop();
  const auto& pictures = section.figures.at(0).pictures;
  const auto curve = [&](std::size_t picture, std::size_t k) -> const std::vector<double>& {
    return pictures.at(picture).curves.at(k).y;
  };
  const nlohmann::json reference = test::golden("004_slider_crank");
  ASSERT_EQ(reference["kinematics_w1"].size(), 25u);
  for (const nlohmann::json& row : reference["kinematics_w1"]) {
    const auto i = static_cast<std::size_t>(std::lround(row["alpha1"].get<double>() * 180.0 / M_PI));
    EXPECT_NEAR(curve(0, 0).at(i), row["alpha2"].get<double>(), 1e-10);
    EXPECT_NEAR(curve(0, 1).at(i), row["alpha3"].get<double>(), 1e-10);
    EXPECT_NEAR(curve(1, 0).at(i), row["a"].get<double>(), 1e-10);
    EXPECT_NEAR(curve(2, 0).at(i), row["vel"][3].get<double>(), 1e-10);
    EXPECT_NEAR(curve(3, 0).at(i), row["acc"][3].get<double>(), 1e-10);
    EXPECT_NEAR(curve(3, 1).at(i), row["acc_from_printed_b"][3].get<double>(), 1e-10);
  }
  for (const nlohmann::json& row : reference["driving_torque_w10"]) {
    const double degrees = row["alpha1"].get<double>() * 180.0 / M_PI;
    const auto i = static_cast<std::size_t>(std::lround(degrees));
    if (std::abs(degrees - static_cast<double>(i)) > 1e-9) continue;
    const double torque = row["torque"];
    EXPECT_NEAR(curve(4, 0).at(i), torque, 1e-9 * std::max(1.0, std::abs(torque)));
  }
}

}  // namespace
}  // namespace ulna::reproduction
