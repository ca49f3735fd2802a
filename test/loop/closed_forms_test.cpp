// Positions of the bundled mechanisms against geometry. assemble() closes loops to 1e-12; what hangs on them is
// a few lengths away.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "loop/mechanism.hpp"
#include "support/closed_state.hpp"
#include "ulna/loop/constrained_dynamics.hpp"

namespace ulna {
namespace {

using test::Mechanism;

constexpr double pi = std::numbers::pi, close = 1e-11;
constexpr std::uint64_t seed = 20260005;

std::vector<double> closed(const Mechanism& mechanism, const std::vector<double>& q) {
  const Assembly assembly = assemble(mechanism.model, q, mechanism.drives);
  EXPECT_TRUE(assembly.closed) << assembly.residual << " at " << assembly.worst_joint;
  return assembly.q;
}

/// The rocker's angle by the law of cosines on the diagonal. At q = 0 crank and rocker stand at 90 degrees.
TEST(FourBar, IsTheClosedForm) {
  const Mechanism four_bar("four_bar");
  const double ground = 0.8, crank = 0.2, coupler = 1.0, rocker = 0.8;
  std::vector<double> q = four_bar.model.neutral();
  for (int i = 0; i <= 72; ++i) {
    four_bar.at(q, "crank_pivot") = 2.0 * pi * i / 72.0;
    q = closed(four_bar, q);
    const double angle = q[0] + 0.5 * pi;
    const double dx = crank * std::cos(angle) - ground, dy = crank * std::sin(angle), diagonal = std::hypot(dx, dy);
    const double inner =
        std::acos((diagonal * diagonal + rocker * rocker - coupler * coupler) / (2.0 * diagonal * rocker));
    const double wanted = std::atan2(dy, dx) - inner - 0.5 * pi;
    EXPECT_NEAR(std::remainder(four_bar.at(q, "rocker_pivot") - wanted, 2.0 * pi), 0.0, close) << i;
  }
}

/// The pin lies where circles about the elbows meet, below them.
TEST(FiveBar, PinIsWhereTheForearmsMeet) {
  const Mechanism five_bar("five_bar");
  Kinematics<double> kinematics(five_bar.model);
  const double half_base = 0.15, upper = 0.25, fore = 0.5, home = std::atan2(0.8, 0.6);
  for (const double left : {-0.3, 0.0, 0.4}) {
    for (const double right : {-0.4, 0.1, 0.3}) {
      std::vector<double> q = five_bar.model.neutral();
      five_bar.at(q, "left_motor") = left;
      five_bar.at(q, "right_motor") = right;
      kinematics.update_positions(closed(five_bar, q));
      const Vec3<double> pin = kinematics.pose(five_bar.frame("pin")).p;
      const double a = left + pi + home, b = right - home;  // of the upper arms, from +x
      const Vec3<double> p{-half_base + upper * std::cos(a), upper * std::sin(a), 0};
      const Vec3<double> r{half_base + upper * std::cos(b), upper * std::sin(b), 0};
      const Vec3<double> across = r - p, middle = 0.5 * (p + r);
      const double half = 0.5 * norm(across), height = std::sqrt(fore * fore - half * half);
      const Vec3<double> down = (1.0 / norm(across)) * Vec3<double>{across.y, -across.x, 0};
      EXPECT_NEAR(norm(pin - (middle + height * down)), 0.0, close) << left << " " << right;
    }
  }
}

/// The wrist stays level, the forearm's pitch is the crank's, and so the tip is where a chain of three says.
TEST(Palletizer, KeepsTheWristLevelAndTheForearmWithTheCrank) {
  const Mechanism palletizer("palletizer");
  Kinematics<double> kinematics(palletizer.model);
  std::mt19937_64 generator(seed);
  for (int i = 0; i < 20; ++i) {
    std::vector<double> q = test::random_closed_state(palletizer.model, generator).q;
    kinematics.update_positions(q);
    const double turn = palletizer.at(q, "turn"), shoulder = palletizer.at(q, "shoulder");
    const double crank = palletizer.at(q, "crank"), flange = palletizer.at(q, "flange");
    EXPECT_NEAR(shoulder + palletizer.at(q, "elbow"), crank, close);
    EXPECT_NEAR(crank + palletizer.at(q, "crank_pin"), shoulder, close);
    EXPECT_NEAR(crank + palletizer.at(q, "wrist_pivot"), 0.0, close);
    const double out = 0.25 + 0.95 * std::sin(shoulder) + 1.15 * std::cos(crank) + 0.1;
    const double up = 0.75 + 0.95 * std::cos(shoulder) - 1.15 * std::sin(crank) - 0.12;
    const Pose<double> tip = kinematics.pose(palletizer.frame("gripper"));
    EXPECT_NEAR(norm(tip.p - Vec3<double>{out * std::cos(turn), out * std::sin(turn), up}), 0.0, close);
    EXPECT_NEAR(norm(tip.R * Vec3<double>{0, 0, 1} - Vec3<double>{0, 0, 1}), 0.0, close);
    EXPECT_NEAR(std::remainder(std::atan2(tip.R.yx, tip.R.xx) - turn - flange, 2.0 * pi), 0.0, close);
  }
}

struct Hexapod {
  Mechanism mechanism{"stewart"};
  std::vector<Vec3<double>> base, plate;
  double home = std::sqrt(0.9 * 0.9 + 0.8 * 0.8 + 0.5 * 0.5 - 2.0 * 0.8 * 0.5 * std::cos(40.0 * pi / 180.0));

  Hexapod() {
    for (int i = 0; i < 6; ++i) {
      const int pair = i / 2;
      const double middle = pair * 2.0 * pi / 3.0, side = (i % 2 == 0 ? 1.0 : -1.0) * pi / 180.0;
      base.push_back({0.8 * std::cos(middle + 10.0 * side), 0.8 * std::sin(middle + 10.0 * side), 0});
      plate.push_back({0.5 * std::cos(middle + 50.0 * side), 0.5 * std::sin(middle + 50.0 * side), 0});
    }
  }

  /// The position with these leg positions.
  std::vector<double> position(const std::vector<double>& legs) const {
    std::vector<double> q = mechanism.model.neutral();
    for (std::size_t i = 0; i < 6; ++i) mechanism.at(q, "leg" + std::to_string(i + 1)) = legs[i];
    return closed(mechanism, q);
  }
};

const std::vector<double> some_legs{0.05, -0.04, 0.12, 0.0, -0.08, 0.1};

/// Inverse kinematics in closed form: a leg is as long as its two ends are apart.
TEST(Stewart, LegsAreAsLongAsTheirEndsAreApart) {
  const Hexapod hexapod;
  Kinematics<double> kinematics(hexapod.mechanism.model);
  kinematics.update_positions(hexapod.position(some_legs));
  const Pose<double> plate = kinematics.pose(hexapod.mechanism.frame("platform"));
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(norm(plate * hexapod.plate[i] - hexapod.base[i]), hexapod.home + some_legs[i], close);
}

/// Virtual work at rest: a leg pushes as much as the potential energy grows with its length.
TEST(Stewart, LegForcesAreTheSlopesOfPotentialEnergy) {
  const Hexapod hexapod;
  const Model& model = hexapod.mechanism.model;
  Kinematics<double> kinematics(model);
  const auto energy_with = [&](std::size_t leg, double more) {
    std::vector<double> legs = some_legs;
    legs[leg] += more;
    kinematics.update_positions(hexapod.position(legs));
    return kinematics.gravity_energy();
  };
  ConstrainedDynamics dynamics(model);
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()), 0.0);
  std::vector<double> tau = rest;
  dynamics.inverse_dynamics(hexapod.position(some_legs), rest, rest, hexapod.mechanism.drives, tau);
  // central differences: h² of a third derivative of about the weight per leg, and 1e-12 m of closure over h
  const double h = 1e-4, weight = 279.8 * 9.81;
  double total = 0.0;
  for (std::size_t leg = 0; leg < 6; ++leg) {
    const double force = tau[static_cast<std::size_t>(hexapod.mechanism.drives[leg])];
    EXPECT_NEAR((energy_with(leg, h) - energy_with(leg, -h)) / (2.0 * h), force, 10.0 * weight * h * h) << leg;
    total += std::abs(force);
  }
  EXPECT_GT(total, 200.0 * 9.81);  // the platform is carried, and legs are not upright
}

/// Whatever the arms do, the hands stay as they grip the box.
TEST(DualArm, HandsKeepTheirRelation) {
  const Mechanism dual_arm("dual_arm");
  Kinematics<double> kinematics(dual_arm.model);
  const auto right_in_left = [&](const std::vector<double>& q) {
    kinematics.update_positions(q);
    return inverse(kinematics.pose(dual_arm.frame("left_hand"))) * kinematics.pose(dual_arm.frame("right_hand"));
  };
  const Pose<double> home = right_in_left(dual_arm.model.neutral());
  EXPECT_NEAR(norm(home.p - Vec3<double>{0, 0, 0.54}), 0.0, 1e-15 * 10.0);  // 0.07 + 0.4 + 0.07, face to face
  std::mt19937_64 generator(seed);
  for (int i = 0; i < 20; ++i) {
    const test::ClosedState state = test::random_closed_state(dual_arm.model, generator);
    const Pose<double> there = right_in_left(state.q);
    EXPECT_NEAR(norm(there.p - home.p), 0.0, close);
    const Mat3<double> turn = there.R - home.R;
    EXPECT_NEAR(norm(turn.row_x()) + norm(turn.row_y()) + norm(turn.row_z()), 0.0, close);
  }
}

/// With the box at rest each arm keeps one freedom, the swing of its elbow.
TEST(DualArm, ElbowsSwingWhileTheBoxStandsStill) {
  const Mechanism dual_arm("dual_arm");
  const int n = dual_arm.model.nv();
  const std::vector<double> q = dual_arm.model.neutral();
  LoopEquations equations(dual_arm.model);
  equations.update(q);
  Kinematics<double> kinematics(dual_arm.model);
  kinematics.update_positions(q);
  Eigen::MatrixXd box(6, n), all(12, n);
  kinematics.jacobian(dual_arm.frame("box"), Reference::world_axes, {box.data(), 6, n});
  all << box, Eigen::Map<const Eigen::MatrixXd>(equations.matrix().data, 6, n);
  EXPECT_EQ(n - all.fullPivLu().rank(), 2);
}

}  // namespace
}  // namespace ulna
