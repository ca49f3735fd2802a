// What is refused at the door of every algorithm, with a word: quaternions that are no rotations, and frames of another
// model.
#include <gtest/gtest.h>

#include <cmath>

#include "support/scalar_cases.hpp"
#include "support/test_robots.hpp"
#include "ulna/dynamics/parallel_method.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/ulna.hpp"

namespace ulna {
namespace {

using test::ScalarCase;

std::vector<Graph> robots_with_quaternions() {
  std::vector<Graph> robots{load_graph("satellite_arm")};
  robots.push_back(test::random_robot({.bodies = 7, .branched = true, .passive = true}, 103));
  robots.push_back(test::random_robot({.bodies = 8}, 5));
  for (const Graph& robot : robots) {
    const Model model = build(robot);
    EXPECT_TRUE(std::ranges::any_of(model.bodies(), [](const Body& body) { return has_quaternion(body.kind); }))
        << robot.name;
  }
  return robots;
}

/// The last quaternion of q.
std::size_t quaternion_in(const Model& model) {
  std::size_t at = 0;
  for (const Body& body : model.bodies())
    if (has_quaternion(body.kind)) at = static_cast<std::size_t>(body.q_index + quaternion_of(body.kind));
  return at;
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "nothing was thrown";
}

/// The quaternion of the last lane made longer.
template <class T>
std::vector<T> stretched(const Model& model, const std::vector<double>& q, double factor) {
  std::vector<T> all = test::spread<T>(q);
  for (std::size_t k = quaternion_in(model), end = k + 4; k < end; ++k)
    ScalarCase<T>::set(all[k], ScalarCase<T>::lanes - 1, factor * q[k]);
  return all;
}

template <class T>
void call(const MethodInfo& info, Quantity quantity, const Model& model, const std::vector<T>& q) {
  const auto n = static_cast<std::size_t>(model.nv());
  const std::vector<T> v(n, T(0.1));
  std::vector<T> out(n), square(n * n);
  const MatrixView<T> view{square.data(), model.nv(), model.nv()};
  const auto method = make_method<T>(info.name, quantity, model);
  switch (quantity) {
    case Quantity::inverse_dynamics: return method->inverse_dynamics(q, v, v, out);
    case Quantity::forward_dynamics: return method->forward_dynamics(q, v, v, out);
    case Quantity::mass_matrix: return method->mass_matrix(q, view);
    case Quantity::inverse_mass_matrix: return method->inverse_mass_matrix(q, view);
    case Quantity::coriolis_matrix: return method->coriolis_matrix(q, v, view);
    case Quantity::convective_inertia: return method->convective_inertia(q, v, view);
    case Quantity::gravity: return method->gravity(q, out);
    default: FAIL() << "no quantity of a formulation";
  }
}

template <class T>
class Doors : public ::testing::Test {};
TYPED_TEST_SUITE(Doors, test::AllScalars);

TYPED_TEST(Doors, RefuseAQuaternionThatIsNoRotation) {
  using T = TypeParam;
  for (const Graph& graph : robots_with_quaternions()) {
    const Model model = build(graph);
    std::mt19937_64 generator(4);
    const std::vector<double> q = random_position(model, generator);
    for (const double length : {1.1, 0.9, 1.00001, 0.0}) {
      const std::vector<T> bad = stretched<T>(model, q, length);
      for (const MethodInfo& info : methods()) {
        if (!info.refusal(model).empty()) continue;
        for (const Quantity quantity : info.gives)
          EXPECT_NE(message_of([&] { call<T>(info, quantity, model, bad); }).find("it must be 1"), std::string::npos)
              << info.name << " " << graph.name << " " << length;
      }
      Kinematics<T> kinematics(model);
      EXPECT_NE(message_of([&] { kinematics.update_positions(bad); }).find("it must be 1"), std::string::npos);
    }
  }
}

/// Rounding is none of it, and a NaN comes out as one.
TYPED_TEST(Doors, LetRoundingAndNanThrough) {
  using T = TypeParam;
  const Model model = load("satellite_arm");
  std::mt19937_64 generator(4);
  const std::vector<double> q = random_position(model, generator);
  for (const double length : {1.0 + 4e-7, std::nan("")}) {
    for (const MethodInfo& info : methods()) {
      if (!info.refusal(model).empty()) continue;
      for (const Quantity quantity : info.gives)
        EXPECT_NO_THROW(call<T>(info, quantity, model, stretched<T>(model, q, length))) << info.name;
    }
  }
}

TEST(DoorsOfLongChains, RefuseAQuaternionThatIsNoRotation) {
  const Model model = build(test::random_robot({.bodies = 40}, 5));
  std::mt19937_64 generator(4);
  const std::vector<double> q = random_position(model, generator), v(static_cast<std::size_t>(model.nv()), 0.1);
  std::vector<double> a(v.size());
  for (const char* name : {"articulated_body", "constraint_force"}) {
    if (!method_info(name).refusal(model).empty()) continue;
    const auto method = make_parallel_method(name, model, 2);
    EXPECT_NO_THROW(method->forward_dynamics(q, v, v, a));
    EXPECT_THROW(method->forward_dynamics(stretched<double>(model, q, 1.1), v, v, a), std::invalid_argument) << name;
  }
}

TEST(DoorsOfKinematics, NameTheJoint) {
  const Model model = load("satellite_arm");
  std::vector<double> q = model.neutral();
  q[6] = 1.1;
  Kinematics<double> kinematics(model);
  EXPECT_EQ(message_of([&] { kinematics.update_positions(q); }),
            "the quaternion x, y, z, w of joint 'free_base' has length 1.100000; it must be 1");
}

TYPED_TEST(Doors, RefuseAFrameOfAnotherModel) {
  using T = TypeParam;
  const Model small = load("planar2r"), large = load("panda_like");
  const std::vector<T> q(2, T(0.3)), v(2, T(0.1));
  Kinematics<T> kinematics(small);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  kinematics.update_accelerations(v, v);
  std::vector<T> J(12);
  Frame below = small.tip();
  below.body = -2;
  for (const Frame& frame : {large.tip(), below}) {
    EXPECT_NE(message_of([&] { kinematics.pose(frame); }).find("it is a frame of another model"), std::string::npos);
    EXPECT_THROW(kinematics.jacobian(frame, Reference::own_axes, {J.data(), 6, 2}), std::invalid_argument);
    EXPECT_THROW(kinematics.velocity(frame, Reference::world_axes), std::invalid_argument);
    EXPECT_THROW(kinematics.acceleration(frame, Reference::world_axes), std::invalid_argument);
    EXPECT_THROW(kinematics.rates_of(frame), std::invalid_argument);
  }
  EXPECT_THROW(kinematics.unit_motion(large.bodies()[6], 0, Vec3<T>::zero()), std::invalid_argument);
}

}  // namespace
}  // namespace ulna
