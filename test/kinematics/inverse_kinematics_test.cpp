// Inverse kinematics: what it finds is checked by forward kinematics, what it counts by closed forms.
#include "ulna/kinematics/inverse_kinematics.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

#include "support/test_robots.hpp"
#include "ulna/base/error.hpp"
#include "ulna/model/local_coordinates.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna {
namespace {

constexpr double tolerance = 1e-6, rounding = 1e-9;
constexpr double pi = std::numbers::pi;

Pose<double> pose_of(const Model& model, const Frame& frame, const std::vector<double>& q) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  return kinematics.pose(frame);
}

double turn_between(const Mat3<double>& a, const Mat3<double>& b) { return norm(log_rotation(transpose(a) * b)); }

void expect_at(const Model& model, const Frame& frame, const std::vector<double>& q, const Pose<double>& wanted) {
  const Pose<double> at = pose_of(model, frame, q);
  EXPECT_LE(norm(at.p - wanted.p), tolerance + rounding);
  EXPECT_LE(turn_between(at.R, wanted.R), tolerance + rounding);
}

void expect_within_limits(const Model& model, const std::vector<double>& q) {
  for (std::size_t k = 0; k < q.size(); ++k) {
    EXPECT_GE(q[k], model.lower_limits()[k]);
    EXPECT_LE(q[k], model.upper_limits()[k]);
  }
}

/// As many poses as `count` within the limits: all must be reached, and within the limits.
void expect_all_reached(const Model& model, int count) {
  SCOPED_TRACE(model.name());
  std::mt19937_64 generator(25);
  const Frame& tip = model.tip();
  InverseKinematics solver(model, {pose_target(tip, Pose<double>::identity())});
  std::vector<double> q(static_cast<std::size_t>(model.nq()));
  for (int k = 0; k < count; ++k) {
    const Pose<double> pose = pose_of(model, tip, random_position(model, generator));
    const IkResult result = solver.solve({&pose, 1}, {}, q);
    ASSERT_TRUE(result.solved) << "pose " << k << ": " << result.position_error << " m, " << result.orientation_error;
    expect_at(model, tip, q, pose);
    expect_within_limits(model, q);
  }
}

TEST(InverseKinematics, ReachesWhatForwardKinematicsGives) {
  for (const Graph& graph : test::test_robots()) expect_all_reached(build(graph), 200);
}

TEST(InverseKinematics, JointsThatFollowOthers) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Graph graph = test::random_robot({.bodies = 10, .only_one_degree = true}, 300 + seed);
    test::let_follow(graph, seed);
    expect_all_reached(build(graph), 50);
  }
}

/// Every pose gets its own, whatever was solved before.
TEST(InverseKinematics, SameCallSameBits) {
  const Model model = load("panda_like");
  std::mt19937_64 generator(3);
  InverseKinematics one(model, {pose_target(model.tip(), Pose<double>::identity())}), other = std::move(one);
  InverseKinematics fresh(model, {pose_target(model.tip(), Pose<double>::identity())});
  std::vector<double> a(7), b(7);
  for (int k = 0; k < 50; ++k) {
    const Pose<double> pose = pose_of(model, model.tip(), random_position(model, generator));
    other.solve({&pose, 1}, {}, a);
    fresh.solve({&pose, 1}, {}, b);
    fresh.solve({&pose, 1}, {}, b);
    EXPECT_EQ(a, b);
  }
}

TEST(InverseKinematics, StartIsTriedFirst) {
  const Model model = load("panda_like");
  std::mt19937_64 generator(4);
  for (int k = 0; k < 50; ++k) {
    const std::vector<double> q = random_position(model, generator);
    std::vector<double> start = q;
    for (std::size_t j = 0; j < 7; ++j)
      start[j] = std::clamp(start[j] + 1e-3, model.lower_limits()[j], model.upper_limits()[j]);
    const IkSolution found =
        solve_ik(model, {pose_target(model.tip(), pose_of(model, model.tip(), q))}, start, IkPreference::near);
    ASSERT_TRUE(found.solved);
    for (std::size_t j = 0; j < 7; ++j) EXPECT_NEAR(found.q[j], q[j], 0.05) << "joint " << j;
  }
}

TEST(InverseKinematics, PartsOfAPose) {
  const Model model = load("panda_like");
  std::mt19937_64 generator(5);
  for (int k = 0; k < 50; ++k) {
    const Pose<double> pose = pose_of(model, model.tip(), random_position(model, generator));
    const IkSolution position = solve_ik(model, {position_target(model.tip(), pose.p)});
    ASSERT_TRUE(position.solved);
    EXPECT_LE(norm(pose_of(model, model.tip(), position.q).p - pose.p), tolerance + rounding);

    const IkSolution orientation = solve_ik(model, {orientation_target(model.tip(), pose.R)});
    ASSERT_TRUE(orientation.solved);
    EXPECT_LE(turn_between(pose_of(model, model.tip(), orientation.q).R, pose.R), tolerance + rounding);

    const Vec3<double> axis{0.6, 0.0, 0.8};
    const IkSolution direction = solve_ik(model, {direction_target(model.tip(), axis, pose.R * axis, pose.p)});
    ASSERT_TRUE(direction.solved);
    const Pose<double> at = pose_of(model, model.tip(), direction.q);
    EXPECT_LE(norm(at.p - pose.p), tolerance + rounding);
    EXPECT_LE(norm(cross(at.R * axis, pose.R * axis)), tolerance + rounding);
    EXPECT_GT(dot(at.R * axis, pose.R * axis), 0.0);

    IkTarget height = pose_target(model.tip(), pose);
    height.position = {0.0, 0.0, 1.0};
    height.orientation = {1.0, 0.0, 0.5};
    const IkSolution parts = solve_ik(model, {height});
    ASSERT_TRUE(parts.solved);
    EXPECT_NEAR(pose_of(model, model.tip(), parts.q).p.z, pose.p.z, tolerance + rounding);
    const Vec3<double> left = log_rotation(transpose(pose_of(model, model.tip(), parts.q).R) * pose.R);
    EXPECT_LE(std::hypot(left.x, left.z), tolerance + rounding);
  }
}

/// A trunk that turns, and two arms on it.
Graph two_hands() {
  Graph graph;
  graph.name = "two hands";
  graph.bodies.push_back({"trunk", {1.0, Vec3<double>::zero(), {1, 1, 1, 0, 0, 0}}, {}, {}});
  GraphJoint trunk;
  trunk.name = "trunk";
  trunk.parent = "base";
  trunk.child = "trunk";
  trunk.axis = {0, 0, 1};
  trunk.kind = JointKind::revolute;
  graph.joints.push_back(trunk);
  for (const double side : {1.0, -1.0}) {
    std::string before = "trunk";
    for (int k = 0; k < 6; ++k) {
      GraphJoint joint;
      joint.name = (side > 0 ? "left" : "right") + std::to_string(k);
      joint.parent = before;
      joint.child = joint.name;
      joint.kind = JointKind::revolute;
      joint.axis = k % 2 == 0 ? Vec3<double>{0, 0, 1} : Vec3<double>{0, 1, 0};
      joint.in_parent.p = k == 0 ? Vec3<double>{0, 0.2 * side, 0.5} : Vec3<double>{0.1, 0.05 * side, 0.15};
      graph.bodies.push_back({joint.child, {1.0, Vec3<double>::zero(), {1, 1, 1, 0, 0, 0}}, {}, {}});
      graph.joints.push_back(joint);
      before = joint.child;
    }
  }
  return graph;
}

TEST(InverseKinematics, TwoHandsAtOnce) {
  const Model model = build(two_hands());
  const Frame &left = *model.find_frame("left5"), &right = *model.find_frame("right5");
  std::mt19937_64 generator(6);
  InverseKinematics solver(model, {pose_target(left, {}), position_target(right, {})});
  std::vector<double> q(static_cast<std::size_t>(model.nq()));
  for (int k = 0; k < 100; ++k) {
    const std::vector<double> wanted = random_position(model, generator);
    const std::array poses{pose_of(model, left, wanted), pose_of(model, right, wanted)};
    ASSERT_TRUE(solver.solve(poses, {}, q).solved);
    expect_at(model, left, q, poses[0]);
    EXPECT_LE(norm(pose_of(model, right, q).p - poses[1].p), tolerance + rounding);
  }
}

TEST(InverseKinematics, AFreeBaseGoesAnywhere) {
  const Model model = build(test::random_robot({.bodies = 5, .branched = true, .free_base = true}, 7));
  const IkSolution far = solve_ik(model, {position_target(model.tip(), {100.0, -50.0, 3.0})});
  ASSERT_TRUE(far.solved);
  EXPECT_LE(norm(pose_of(model, model.tip(), far.q).p - Vec3<double>{100.0, -50.0, 3.0}), tolerance + rounding);
}

// ---- all postures

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(std::remainder(a[k] - b[k], 2.0 * pi)));
  return most;
}

void expect_distinct(const Model& model, const Pose<double>& pose, const InverseKinematics::Postures& postures) {
  for (std::size_t i = 0; i < postures.q.size(); ++i) {
    expect_at(model, model.tip(), postures.q[i], pose);
    expect_within_limits(model, postures.q[i]);
    for (std::size_t k = 0; k < i; ++k) EXPECT_GT(apart(postures.q[i], postures.q[k]), 1e-4);
  }
}

class ClosedForm : public testing::TestWithParam<const char*> {};

TEST_P(ClosedForm, HasEightPostures) {
  const std::string name = GetParam();
  if (name.find('/') != std::string::npos && !std::filesystem::exists(name)) GTEST_SKIP() << name << " is not there";
  const Model model = load(name);
  InverseKinematics solver(model, {pose_target(model.tip(), {})});
  std::mt19937_64 generator(8);
  int eight = 0;
  for (int k = 0; k < 200; ++k) {
    const std::vector<double> q = random_position(model, generator);
    const Pose<double> pose = pose_of(model, model.tip(), q);
    const InverseKinematics::Postures postures = solver.all({&pose, 1});
    EXPECT_TRUE(postures.closed_form);
    expect_distinct(model, pose, postures);
    EXPECT_TRUE(std::ranges::any_of(postures.q, [&](const auto& one) { return apart(one, q) < 1e-4; }));
    EXPECT_LE(postures.q.size(), 8U);
    EXPECT_EQ(postures.q.size() % 2, 0U);  // they come in pairs
    eight += postures.q.size() == 8 ? 1 : 0;
  }
  EXPECT_GT(eight, 50);
}

INSTANTIATE_TEST_SUITE_P(InverseKinematics, ClosedForm,
                         testing::Values("puma560", "ur5_like", ULNA_SHARED "/robots/ur5.urdf"));

/// Six hinges one after the other: the axis of each, and its place in the one before.
Model six_hinges(const std::array<Vec3<double>, 6>& axes, const std::array<Vec3<double>, 6>& places) {
  Graph graph;
  graph.name = "six hinges";
  std::string before = "base";
  for (std::size_t k = 0; k < 6; ++k) {
    GraphJoint joint;
    joint.name = joint.child = "link" + std::to_string(k + 1);
    joint.parent = before;
    joint.kind = JointKind::revolute;
    joint.axis = axes[k];
    joint.in_parent.p = places[k];
    graph.bodies.push_back({joint.child, {1.0, Vec3<double>::zero(), {1, 1, 1, 0, 0, 0}}, {}, {}});
    graph.joints.push_back(joint);
    before = joint.child;
  }
  return build(graph);
}

/// Every shape that has a closed form, from the base to the tip and the other way round.
TEST(InverseKinematics, EveryShapeOfTheClosedForm) {
  const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, o{0, 0, 0}, odd{0.3, 0.1, 0.2}, along{0.4, 0.05, 0.1};
  const Vec3<double> skew{0.6, 0.0, 0.8};
  const std::vector<Model> arms{
      six_hinges({z, y, y, x, y, x}, {o, odd, along, along, o, o}),     // wrist, second parallel to third
      six_hinges({z, y, skew, x, y, x}, {o, o, along, along, o, o}),    // wrist, first meets second
      six_hinges({z, z, skew, x, y, x}, {o, odd, along, along, o, o}),  // wrist, first parallel to second
      six_hinges({z, y, y, y, z, x}, {o, odd, along, along, odd, o}),   // three parallel
      six_hinges({z, y, z, y, y, x}, {o, o, o, along, odd, along}),     // a shoulder of three, fourth parallel to fifth
      six_hinges({x, z, y, y, y, z}, {o, o, odd, along, along, odd}),   // three parallel, from the tip
  };
  std::mt19937_64 generator(12);
  for (std::size_t arm = 0; arm < arms.size(); ++arm) {
    SCOPED_TRACE(arm);
    const Model& model = arms[arm];
    InverseKinematics solver(model, {pose_target(model.tip(), {})});
    for (int k = 0; k < 100; ++k) {
      const std::vector<double> q = random_position(model, generator);
      const Pose<double> pose = pose_of(model, model.tip(), q);
      const InverseKinematics::Postures postures = solver.all({&pose, 1});
      EXPECT_TRUE(postures.closed_form);
      expect_distinct(model, pose, postures);
      EXPECT_TRUE(std::ranges::any_of(postures.q, [&](const auto& one) { return apart(one, q) < 1e-4; }));
    }
  }
}

/// The search knows nothing of the closed form; it finds the same postures.
TEST(InverseKinematics, SearchFindsAllThatTheClosedFormHas) {
  for (const char* name : {"puma560", "ur5_like"}) {
    SCOPED_TRACE(name);
    const Model model = load(name);
    InverseKinematics closed(model, {pose_target(model.tip(), {})});
    // the position a second time: the same postures, and no closed form for two targets
    InverseKinematics search(model, {pose_target(model.tip(), {}), position_target(model.tip(), {})});
    std::mt19937_64 generator(9);
    std::size_t wanted = 0, found = 0;
    for (int k = 0; k < 30; ++k) {
      const Pose<double> pose = pose_of(model, model.tip(), random_position(model, generator));
      const auto all = closed.all({&pose, 1}), seen = search.all(std::array{pose, pose});
      EXPECT_FALSE(seen.closed_form);
      wanted += all.q.size();
      for (const auto& q : all.q)
        found += std::ranges::any_of(seen.q, [&](const auto& one) { return apart(one, q) < 1e-3; }) ? 1U : 0U;
    }
    EXPECT_EQ(found, wanted);
  }
}

TEST(InverseKinematics, ARedundantArmHasFamilies) {
  const Model model = load("panda_like");
  std::mt19937_64 generator(10);
  InverseKinematics solver(model, {pose_target(model.tip(), {})});
  for (int k = 0; k < 5; ++k) {
    const std::vector<double> q = random_position(model, generator);
    const Pose<double> pose = pose_of(model, model.tip(), q);
    const InverseKinematics::Postures postures = solver.all({&pose, 1}, 12);
    ASSERT_GE(postures.q.size(), 1U);
    ASSERT_EQ(postures.q.size(), postures.family.size());
    for (const auto& one : postures.q) {
      expect_at(model, model.tip(), one, pose);
      expect_within_limits(model, one);
    }
    for (std::size_t i = 1; i < postures.family.size(); ++i) {
      EXPECT_GE(postures.family[i], postures.family[i - 1]);
      EXPECT_LE(std::ranges::count(postures.family, postures.family[i]), 12);
    }
  }
}

// ---- preferences

TEST(InverseKinematics, PreferencesGetWhatTheyPrefer) {
  const Model model = load("panda_like");
  std::mt19937_64 generator(11);
  const std::vector<double> start{0.0, 0.0, 0.0, -1.5, 0.0, 1.8, 0.0};
  const auto middle_cost = [&](const std::vector<double>& q) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 7; ++k) {
      const double low = model.lower_limits()[k], high = model.upper_limits()[k];
      sum += std::pow((2.0 * q[k] - low - high) / (high - low), 2);
    }
    return sum;
  };
  const auto near_cost = [&](const std::vector<double>& q) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 7; ++k) sum += (q[k] - start[k]) * (q[k] - start[k]);
    return sum;
  };
  const auto torque_cost = [&](const std::vector<double>& q) {
    newton_euler::Workspace<double> workspace(model);
    std::vector<double> zero(7), tau(7);
    newton_euler::inverse_dynamics<double>(model, workspace, q, zero, zero, tau);
    double sum = 0.0;
    for (const double x : tau) sum += x * x;
    return sum;
  };
  const auto singular_cost = [&](const std::vector<double>& q) {
    Kinematics<double> kinematics(model);
    kinematics.update_positions(q);
    std::vector<double> J(42);
    kinematics.jacobian(model.tip(), Reference::world_axes, {J.data(), 6, 7});
    return -manipulability({J.data(), 6, 7}).yoshikawa;
  };
  for (int k = 0; k < 10; ++k) {
    const Pose<double> pose = pose_of(model, model.tip(), random_position(model, generator));
    const auto found = [&](IkPreference preference) {
      const IkSolution one = solve_ik(model, {pose_target(model.tip(), pose)}, start, preference);
      EXPECT_TRUE(one.solved);
      expect_at(model, model.tip(), one.q, pose);
      expect_within_limits(model, one.q);
      return one.q;
    };
    const auto any = found(IkPreference::any), near = found(IkPreference::near), middle = found(IkPreference::middle),
               good = found(IkPreference::manipulability), light = found(IkPreference::gravity);
    for (const auto* q : {&any, &near, &middle, &good, &light}) {
      EXPECT_LE(near_cost(near), near_cost(*q) + 1e-6);
      EXPECT_LE(middle_cost(middle), middle_cost(*q) + 1e-6);
      EXPECT_LE(torque_cost(light), torque_cost(*q) * (1 + 1e-6));
      EXPECT_LE(singular_cost(good), singular_cost(*q) * (1 - 1e-6) + 1e-9);
    }
  }
}

// ---- out of reach

TEST(InverseKinematics, TooFarGivesTheNearest) {
  const Model model = load("planar2r");
  const double reach = pose_of(model, model.tip(), {0.0, 0.0}).p.x;
  const IkSolution far = solve_ik(model, {position_target(model.tip(), {0.0, reach + 0.25, 0.0})});
  EXPECT_FALSE(far.solved);
  EXPECT_NEAR(far.position_error, 0.25, 1e-6);
  EXPECT_NEAR(far.q[0], pi / 2, 1e-3);
  EXPECT_NE(far.reason.find("lengths"), std::string::npos) << far.reason;
}

TEST(InverseKinematics, LimitsAreTheReason) {
  Graph graph = load_graph("planar2r");
  graph.joints[0].limits.lower = -0.5;
  graph.joints[0].limits.upper = 0.5;
  graph.joints[1].limits.lower = -0.5;
  graph.joints[1].limits.upper = 0.5;
  const Model model = build(graph);
  const Vec3<double> behind = pose_of(model, model.tip(), {pi / 2, 0.1}).p;
  const IkSolution one = solve_ik(model, {position_target(model.tip(), behind)});
  EXPECT_FALSE(one.solved);
  expect_within_limits(model, one.q);
  EXPECT_NE(one.reason.find("limits"), std::string::npos) << one.reason;
  EXPECT_NE(one.reason.find(model.joints()[0].name), std::string::npos) << one.reason;
  // no position on a grid within the limits is nearer
  double least = 1e9;
  for (int i = 0; i <= 200; ++i)
    for (int k = 0; k <= 200; ++k)
      least = std::min(least, norm(pose_of(model, model.tip(), {-0.5 + 0.005 * i, -0.5 + 0.005 * k}).p - behind));
  EXPECT_LE(one.position_error, least + 1e-9);
}

// ---- wrong input

TEST(InverseKinematics, RefusesWrongInput) {
  const Model model = load("panda_like");
  const Frame& tip = model.tip();
  EXPECT_THROW(InverseKinematics(model, {}), InputError);
  IkTarget target = pose_target(tip, {});
  target.position.x = -1.0;
  EXPECT_THROW(InverseKinematics(model, {target}), InputError);
  target.position = target.orientation = Vec3<double>::zero();
  EXPECT_THROW(InverseKinematics(model, {target}), InputError);
  EXPECT_THROW(InverseKinematics(model, {pose_target(tip, {})}, {.position_tolerance = 0.0}), InputError);
  EXPECT_THROW(InverseKinematics(model, {pose_target(tip, {})}, {.starts = 0}), InputError);
  Frame other = tip;
  other.body = 99;
  EXPECT_THROW(InverseKinematics(model, {pose_target(other, {})}), std::invalid_argument);
  const Model loops = load("four_bar");
  EXPECT_THROW(InverseKinematics(loops, {pose_target(loops.tip(), {})}), InputError);
  InverseKinematics solver(model, {pose_target(tip, Pose<double>::identity())});
  std::vector<double> q(7), wrong(6);
  Pose<double> pose = Pose<double>::identity();
  EXPECT_THROW(solver.solve({&pose, 1}, {}, wrong), std::invalid_argument);
  EXPECT_THROW(solver.solve({&pose, 1}, wrong, q), std::invalid_argument);
  EXPECT_THROW(solver.solve({}, {}, q), std::invalid_argument);
  pose.p.y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solver.solve({&pose, 1}, {}, q), std::invalid_argument);
  pose = Pose<double>::identity();
  pose.R.zz = -1.0;  // a mirror image
  EXPECT_THROW(solver.solve({&pose, 1}, {}, q), std::invalid_argument);
  EXPECT_THROW(direction_target(tip, Vec3<double>::zero(), {0, 0, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace ulna
