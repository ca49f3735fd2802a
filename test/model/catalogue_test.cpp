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
    EXPECT_TRUE(std::isfinite(joint.limits.effort) || model.name() == "irb120") << joint.name;  // not published
    EXPECT_GE(home->q[k], joint.limits.lower) << joint.name;
    EXPECT_LE(home->q[k], joint.limits.upper) << joint.name;
  }
}

/// All links that move have shapes, near themselves and of a size that a link has, and weigh what they weigh without.
TEST_P(Catalogue, HasShapesForPicturesAlone) {
  double size = 0.0;
  for (const Body& body : model.bodies()) size += norm(body.placement.p);
  for (const Frame& link : model.links()) {
    if (link.body < 0) continue;
    const GraphBody& body = *find_body(graph, link.name);
    EXPECT_FALSE(body.shapes.empty()) << link.name;
    for (const Shape& shape : body.shapes) {
      EXPECT_NE(shape.kind, Shape::Kind::mesh) << link.name;
      EXPECT_GT(shape.size[0], 0.0) << link.name;
      EXPECT_LT(shape.size[0], 0.2 * size) << link.name;
      EXPECT_LT(norm(shape.pose.p), 0.6 * size) << link.name;
    }
  }
  Graph bare = graph;
  for (GraphBody& body : bare.bodies) body.shapes.clear();
  const Model without = build(bare);
  std::mt19937_64 generator(2);
  const std::vector<double> q = random_position(model, generator);
  const auto n = static_cast<std::size_t>(model.nv());
  std::vector<double> M(n * n), same(n * n);
  make_method<double>("auto", Quantity::mass_matrix, model)->mass_matrix(q, {M.data(), model.nv(), model.nv()});
  make_method<double>("auto", Quantity::mass_matrix, without)->mass_matrix(q, {same.data(), model.nv(), model.nv()});
  EXPECT_EQ(M, same);
}

/// A link that ends at its tip has a shape that ends there; two that meet share a place on their axis.
TEST_P(Catalogue, IsDrawnWithoutGaps) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(model.find_posture("home")->q);
  const auto nearest = [&](const std::string& name, const Vec3<double>& point) {
    const Frame& link = *model.find_frame(name);
    double least = std::numeric_limits<double>::infinity();
    for (const Shape& shape : find_body(graph, name)->shapes) {
      const Pose<double> pose = kinematics.pose(link) * shape.pose;
      Vec3<double> p = transpose_times(pose.R, point - pose.p);
      const double half = shape.kind == Shape::Kind::cylinder ? 0.5 * shape.size[1] : 0.0;
      p.z = std::max(0.0, std::abs(p.z) - half);
      least = std::min(least, norm(p) - shape.size[0]);
    }
    return least;
  };
  for (std::size_t k = 0; k + 1 < model.joints().size(); ++k) {
    const std::string &before = model.joints()[k].child, &after = model.joints()[k + 1].child;
    const Shape& drum = find_body(graph, after)->shapes.back();  // at its joint
    EXPECT_LT(nearest(before, (kinematics.pose(*model.find_frame(after)) * drum.pose).p), 1e-3)
        << before << ", " << after;
  }
  EXPECT_LT(nearest(model.joints().back().child, kinematics.pose(model.tip()).p), 1e-3);
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
      {"irb120", {0.302 + 0.072, 0.0, 0.29 + 0.27 + 0.07}},
      {"tx60", {0.0, 0.02, 0.375 + 0.29 + 0.31 + 0.07}},
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
