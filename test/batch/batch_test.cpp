// Batches: every quantity agrees with one state at a time, and a state's result depends on nothing but
// the state, to the last bit.
#include "ulna/batch/batch.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "batch/states.hpp"
#include "support/bundled.hpp"
#include "support/own_cache.hpp"
#include "support/skew.hpp"
#include "support/tolerance.hpp"
#include "ulna/base/error.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/model/payload.hpp"
#include "ulna/trace/generate.hpp"

namespace ulna {
namespace {

using test::evaluate;
using test::States;

template <class S>
bool same_bits(const std::vector<S>& a, const std::vector<S>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(S)) == 0);
}

/// Robots of every kind of joint, and what a batch can give for them.
const std::vector<std::string>& robots() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = test::bundled_trees();
    std::erase(all, "puma560_printed");  // its M has no inverse
    return all;
  }();
  return names;
}

/// The number that this result is rounded against: sizes of torques or accelerations of the state.
double limit_of(const Model& model, Quantity quantity, const std::vector<std::vector<double>>& in,
                const std::vector<double>& want, double epsilon) {
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()), 0.0);
  const test::StateScale scale =
      test::scale_of(model, in[0], in.size() > 1 ? in[1] : rest, in.size() > 2 ? in[2] : rest);
  const double n = model.nv();
  switch (quantity) {
    case Quantity::inverse_dynamics:
    case Quantity::gravity: return 4.0 * test::torque_tolerance(model, scale, epsilon);
    case Quantity::forward_dynamics: return 4.0 * test::acceleration_tolerance(model, scale, epsilon);
    case Quantity::pose:
    case Quantity::jacobian: return 16.0 * epsilon * n * (1.0 + test::largest(want));
    case Quantity::inverse_mass_matrix: return 16.0 * n * epsilon * scale.condition * test::largest(want);
    case Quantity::forward_derivatives:
      return 16.0 * n * epsilon * scale.condition * (test::largest(want) + scale.torque * scale.inverse);
    default: return 16.0 * n * epsilon * (test::largest(want) + scale.torque);
  }
}

/// Against the library's own double path, one state after the other.
template <class S>
void expect_agreement(const std::string& robot, bool compiled) {
  const Model model = load(robot);
  const States<S> states(model, 11);
  Batch<S> batch(model, {.compiled = compiled, .threads = 1});
  for (const Quantity quantity : test::batch_quantities) {
    const std::vector<S> got = evaluate(batch, quantity, states, states.n);
    EXPECT_TRUE(!compiled || batch.note(quantity).empty()) << robot << " " << batch.note(quantity);
    for (int k = 0; k < states.n; ++k) {
      const States<S> one = states.at(k);
      const auto numbers = [](const std::vector<S>& x) { return std::vector<double>(x.begin(), x.end()); };
      std::vector<std::vector<double>> in{numbers(one.q), numbers(one.v), numbers(one.x)};
      in.resize(trace::random_inputs(model, quantity, 1).size());
      const auto want = trace::generic_result(model, quantity, in);
      std::size_t begin = 0;
      for (const std::vector<double>& array : want) {
        const double limit = limit_of(model, quantity, in, array, std::numeric_limits<S>::epsilon());
        for (std::size_t i = 0; i < array.size(); ++i) {
          const auto at = begin + static_cast<std::size_t>(k) * array.size() + i;
          ASSERT_NEAR(static_cast<double>(got[at]), array[i], limit) << robot << " " << word_of(quantity) << " " << i;
        }
        begin += array.size() * static_cast<std::size_t>(states.n);
      }
    }
  }
}

TEST(Batch, AgreesWithSingleStatesInDouble) {
  for (const std::string& robot : robots()) expect_agreement<double>(robot, false);
}
TEST(Batch, AgreesWithSingleStatesInFloat) {
  for (const std::string& robot : robots()) expect_agreement<float>(robot, false);
}
TEST(Batch, CompiledAgreesInDouble) {
  for (const char* robot : {"panda_like", "stanford", "scara", "satellite_arm"}) expect_agreement<double>(robot, true);
}
TEST(Batch, CompiledAgreesInFloat) {
  for (const char* robot : {"kuka_lwr4", "stanford"}) expect_agreement<float>(robot, true);
}

/// Formulations that work at mass centres or invert links take parameters that are not regrouped.
TEST(Batch, CompiledByEveryFormulation) {
  const Model model = load("stanford");
  for (const MethodInfo& info : methods()) {
    if (!info.can(Quantity::forward_dynamics)) continue;
    Batch<double> batch(model, {.method = std::string(info.name), .threads = 1});
    batch.prepare(Quantity::forward_dynamics);
    EXPECT_EQ(batch.note(Quantity::forward_dynamics), "") << info.name;
  }
}

TEST(Batch, PreparedTogether) {
  const Model model = load("stanford");
  const States<double> states(model, 9);
  Batch<double> batch(model, {.threads = 1}), single(model, {.threads = 1});
  batch.prepare(test::batch_quantities);
  for (const Quantity quantity : test::batch_quantities) {
    EXPECT_EQ(batch.note(quantity), "") << word_of(quantity);
    const std::vector<double> got = evaluate(batch, quantity, states, states.n),
                              want = evaluate(single, quantity, states, states.n);
    const double limit = 1e-12 * (1.0 + test::largest(want));  // compilers may contract other products
    for (std::size_t i = 0; i < want.size(); ++i) ASSERT_NEAR(got[i], want[i], limit) << word_of(quantity);
  }
}

TEST(Batch, EveryFormulation) {
  const Model model = load("stanford");
  const States<double> states(model, 9);
  for (const MethodInfo& info : methods()) {
    Batch<double> batch(model, {.method = std::string(info.name), .compiled = false, .threads = 1});
    for (const Quantity quantity : {Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::mass_matrix}) {
      if (!info.can(quantity)) {
        EXPECT_THROW(batch.prepare(quantity), InputError) << info.name;
        continue;
      }
      const std::vector<double> got = evaluate(batch, quantity, states, states.n);
      for (int k = 0; k < states.n; ++k) {
        const States<double> one = states.at(k);
        std::vector<std::vector<double>> in{one.q, one.v, one.x};
        in.resize(trace::random_inputs(model, quantity, 1).size());
        const std::vector<double> want = trace::generic_result(model, quantity, in)[0];
        const double limit = limit_of(model, quantity, in, want, std::numeric_limits<double>::epsilon());
        for (std::size_t i = 0; i < want.size(); ++i)
          EXPECT_NEAR(got[static_cast<std::size_t>(k) * want.size() + i], want[i], limit) << info.name;
      }
    }
  }
}

void expect_wrenches(bool compiled) {
  for (const char* robot : {"stanford", "satellite_arm"}) {
    const Model model = load(robot);
    const States<double> states(model, 11);
    const int rows = 6 * model.body_count(), n = states.n;
    std::mt19937 generator(5);
    std::normal_distribution<double> normal;
    Eigen::MatrixXd wrenches = Eigen::MatrixXd::NullaryExpr(rows, n, [&] { return normal(generator); });
    const auto columns = [&](const std::vector<double>& x) {
      return MatrixView<const double>(x.data(), static_cast<int>(x.size()) / n, n);
    };
    Eigen::MatrixXd tau(model.nv(), n), a(model.nv(), n);
    Batch<double> batch(model, {.compiled = compiled, .threads = 2});
    batch.inverse_dynamics(columns(states.q), columns(states.v), columns(states.x), tau, {.wrenches = wrenches});
    batch.forward_dynamics(columns(states.q), columns(states.v), tau, a, {.wrenches = wrenches});
    EXPECT_EQ(batch.note(Quantity::inverse_dynamics) + batch.note(Quantity::forward_dynamics), "");
    const auto inverse = make_method<double>("auto", Quantity::inverse_dynamics, model);
    for (int k = 0; k < n; ++k) {
      const States<double> one = states.at(k);
      std::vector<Force<double>> external;
      for (int body = 0; body < model.body_count(); ++body) {
        const double* w = wrenches.col(k).data() + 6 * body;
        external.push_back({Vec3<double>::load(w), Vec3<double>::load(w + 3)});
      }
      std::vector<double> want(one.x.size()), without(one.x.size());
      inverse->inverse_dynamics(one.q, one.v, one.x, want, external);
      inverse->inverse_dynamics(one.q, one.v, one.x, without);
      const double epsilon = std::numeric_limits<double>::epsilon();
      double loads = 0.0;  // torques of the wrenches alone: they round as well
      for (std::size_t i = 0; i < want.size(); ++i) loads = std::max(loads, std::abs(want[i] - without[i]));
      EXPECT_GT(loads, 0.1);
      const auto scale = test::scale_of(model, one.q, one.v, one.x);
      const double limit = 4.0 * test::torque_tolerance(model, scale, epsilon) + 64.0 * epsilon * loads;
      for (int i = 0; i < model.nv(); ++i) {
        EXPECT_NEAR(tau(i, k), want[static_cast<std::size_t>(i)], limit) << robot;
        EXPECT_NEAR(a(i, k), one.x[static_cast<std::size_t>(i)],
                    4.0 * test::acceleration_tolerance(model, scale, epsilon) + limit * scale.inverse)
            << robot;
      }
    }
    EXPECT_THROW(batch.inverse_dynamics(columns(states.q), columns(states.v), columns(states.x), tau,
                                        {.wrenches = wrenches.topRows(rows - 1)}),
                 std::invalid_argument);
  }
}
TEST(Batch, WrenchesAreThoseOfSingleStates) {
  expect_wrenches(false);
  expect_wrenches(true);
}

/// A payload of its own in each state, and wrenches that act where the mass centres are without it, against a robot
/// that is built with that payload: torques, accelerations, M and g.
template <class S>
void expect_payloads(const std::string& robot, bool compiled) {
  const Graph graph = load_graph(robot);
  const Model model = build(graph);
  const States<S> states(model, 11);
  const int n = states.n, nv = model.nv(), rows = 6 * model.body_count();
  using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
  std::mt19937 generator(5);
  std::normal_distribution<S> normal;
  const Matrix wrenches = Matrix::NullaryExpr(rows, n, [&] { return normal(generator); });
  Matrix payload(10, n), tau(nv, n), a(nv, n), M(nv * nv, n), g(nv, n);
  for (int k = 0; k < n; ++k)
    payload.col(k) << S(k), S(0.1), S(-0.05), S(0.2), S(k) * S(0.01), S(k) * S(0.02), S(k) * S(0.025), S(k) * S(0.001),
        S(k) * S(-0.002), S(k) * S(0.003);
  const auto columns = [&](const std::vector<S>& x) {
    return MatrixView<const S>(x.data(), static_cast<int>(x.size()) / n, n);
  };
  Batch<S> batch(model, {.compiled = compiled, .threads = 2, .payload = model.tip()});
  const BatchLoads<S> both{.wrenches = wrenches, .payload = payload}, carried{.payload = payload};
  batch.inverse_dynamics(columns(states.q), columns(states.v), columns(states.x), tau, both);
  batch.forward_dynamics(columns(states.q), columns(states.v), columns(states.x), a, both);
  batch.mass_matrix(columns(states.q), M, carried);
  batch.gravity(columns(states.q), g, both);  // which a wrench does not change
  if (compiled) {
    for (const Quantity quantity :
         {Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::mass_matrix, Quantity::gravity})
      EXPECT_EQ(batch.note(quantity), "") << robot;
  }
  for (int k = 0; k < n; ++k) {
    const States<S> one = states.at(k);
    const auto numbers = [](const auto& x) { return std::vector<double>(x.begin(), x.end()); };
    const std::vector<double> q = numbers(one.q), v = numbers(one.v), x = numbers(one.x);
    const Eigen::VectorXd p = payload.col(k).template cast<double>(), w = wrenches.col(k).template cast<double>();
    Graph held = graph;
    add_payload(held,
                {.frame = model.tip().name,
                 .mass = {.mass = p[0], .com = {p[1], p[2], p[3]}, .inertia = {p[4], p[5], p[6], p[7], p[8], p[9]}}});
    const Model with = build(held);
    Kinematics<double> kinematics(model);
    kinematics.update_positions(q);
    std::vector<Force<double>> external;
    double push = 0.0;  // of the wrenches: they round as well
    for (int body = 0; body < model.body_count(); ++body) {
      Force<double> wrench{Vec3<double>::load(&w[6 * body]), Vec3<double>::load(&w[6 * body + 3])};
      wrench.moment += cross(kinematics.pose(Frame{"", body}).R * (model.com(body) - with.com(body)), wrench.force);
      push += norm(wrench.moment) + norm(wrench.force);
      external.push_back(wrench);
    }
    const auto scale = test::scale_of(with, q, v, x);
    const double epsilon = std::numeric_limits<S>::epsilon();
    const double torque = 8.0 * test::torque_tolerance(with, scale, epsilon) + 64.0 * epsilon * nv * push;
    const double acceleration = 8.0 * test::acceleration_tolerance(with, scale, epsilon) + torque * scale.inverse;
    const auto expect = [&](const Matrix& got, Quantity quantity, std::vector<std::vector<double>> in, double limit) {
      const std::vector<double> want = trace::generic_result(with, quantity, in, "auto", {}, external)[0];
      for (std::size_t i = 0; i < want.size(); ++i)
        ASSERT_NEAR(static_cast<double>(got(static_cast<int>(i), k)), want[i], limit)
            << robot << " " << word_of(quantity) << " " << i << " of state " << k;
    };
    expect(tau, Quantity::inverse_dynamics, {q, v, x}, torque);
    expect(a, Quantity::forward_dynamics, {q, v, x}, acceleration);
    expect(M, Quantity::mass_matrix, {q}, torque);
    expect(g, Quantity::gravity, {q}, torque);
  }
}
TEST(Batch, PayloadsOfStates) {
  for (const char* robot : {"stanford", "satellite_arm", "panda_like"}) {
    expect_payloads<double>(robot, false);
    expect_payloads<double>(robot, true);
  }
  expect_payloads<float>("kuka_lwr4", false);
  expect_payloads<float>("kuka_lwr4", true);
}

TEST(Batch, ImpossiblePayloadsStayInTheirStates) {
  const Model model = load("ur5_like");
  const States<double> states(model, 21);
  const MatrixView<const double> q(states.q.data(), model.nq(), states.n);
  Eigen::MatrixXd payload = Eigen::MatrixXd::Zero(10, states.n), good(model.nv(), states.n), g = good;
  payload.row(0).setConstant(2.0);
  for (const bool compiled : {false, true}) {
    Batch<double> batch(model, {.compiled = compiled, .threads = 1, .payload = model.tip()});
    batch.gravity(q, good, {.payload = payload});
    Eigen::MatrixXd bad = payload;
    bad(0, 3) = -1.0;
    bad(5, 20) = std::numeric_limits<double>::infinity();
    batch.gravity(q, g, {.payload = bad});
    for (int k = 0; k < states.n; ++k) {
      EXPECT_EQ(g.col(k).array().isNaN().all(), k == 3 || k == 20) << compiled << " " << k;
      if (k != 3 && k != 20) {
        EXPECT_EQ(g.col(k), good.col(k)) << compiled << " " << k;
      }
    }
  }
}

TEST(Batch, PayloadsNeedTheirFrame) {
  const Model model = load("planar2r");
  const Eigen::MatrixXd q = Eigen::MatrixXd::Zero(2, 3), payload = Eigen::MatrixXd::Zero(10, 3);
  Eigen::MatrixXd g(2, 3);
  Batch<double> batch(model, {.compiled = false, .threads = 1});
  EXPECT_THROW(batch.gravity(q, g, {.payload = payload}), std::invalid_argument);
  Batch<double> carrier(model, {.compiled = false, .threads = 1, .payload = model.tip()});
  EXPECT_THROW(carrier.gravity(q, g, {.payload = payload.topRows(4)}), std::invalid_argument);
  EXPECT_THROW(Batch<double>(model, {.payload = Frame{"ground", -1, Pose<double>::identity()}}), InputError);
  EXPECT_THROW(Batch<double>(model, {.method = "homogeneous", .payload = model.tip()}), InputError);
}

TEST(Batch, JacobiansInEveryReference) {
  const Model model = load("panda_like");
  const States<double> states(model, 9);
  const auto columns = MatrixView<const double>(states.q.data(), model.nq(), states.n);
  for (const bool compiled : {false, true}) {
    for (const Reference reference : {Reference::world_axes, Reference::own_axes, Reference::world_origin}) {
      Batch<double> batch(model, {.compiled = compiled, .threads = 1, .reference = reference});
      Eigen::MatrixXd all(6 * model.nv(), states.n), one(6, model.nv());
      batch.jacobian(columns, all);
      EXPECT_EQ(batch.note(Quantity::jacobian), "");
      Kinematics<double> kinematics(model);
      for (int k = 0; k < states.n; ++k) {
        kinematics.update_positions(states.at(k).q);
        kinematics.jacobian(model.tip(), reference, one);
        const Eigen::Map<const Eigen::MatrixXd> got(all.col(k).data(), 6, model.nv());
        EXPECT_LT((got - one).cwiseAbs().maxCoeff(), 1e-14);
      }
    }
  }
}

/// One after the other in each column, on a free base too; the ground's frame among them.
TEST(Batch, SeveralFrames) {
  for (const char* name : {"panda_like", "satellite_arm"}) {
    const Model model = load(name);
    const Frame ground{"ground", -1, {Mat3<double>::identity(), {0.1, 0.2, 0.3}}};
    const std::vector<Frame> frames{model.tip(), {"elbow", 2, {Mat3<double>::identity(), {0.1, 0.2, 0.3}}}, ground};
    const States<double> states(model, 9);
    const int n = states.n, nv = model.nv();
    const MatrixView<const double> q(states.q.data(), model.nq(), n), v(states.v.data(), nv, n);
    for (const bool compiled : {false, true}) {
      Eigen::MatrixXd R(27, n), p(9, n), T(48, n), J(18 * nv, n), velocity(18, n);
      Batch<double> batch(model, {.compiled = compiled, .threads = 1, .frames = frames});
      batch.pose(q, R, p);
      batch.pose(q, T);
      batch.jacobian(q, J);
      batch.velocity(q, v, velocity);
      EXPECT_EQ(batch.note(Quantity::pose) + batch.note(Quantity::jacobian), "");
      Kinematics<double> kinematics(model);
      Eigen::MatrixXd one(6, nv);
      for (int k = 0; k < n; ++k) {
        kinematics.update_positions(states.at(k).q);
        for (int f = 0; f < 3; ++f) {
          const Pose<double> want = kinematics.pose(frames[static_cast<std::size_t>(f)]);
          const Vec3<double> x = want.R.column_x();
          EXPECT_LT((p.col(k).segment(3 * f, 3) - Eigen::Vector3d(want.p.x, want.p.y, want.p.z)).norm(), 1e-14);
          EXPECT_LT((R.col(k).segment(9 * f, 3) - Eigen::Vector3d(x.x, x.y, x.z)).norm(), 1e-14);
          EXPECT_LT((T.col(k).segment(16 * f + 12, 3) - p.col(k).segment(3 * f, 3)).norm(), 1e-14);
          kinematics.jacobian(frames[static_cast<std::size_t>(f)], Reference::world_axes, one);
          const Eigen::Map<const Eigen::MatrixXd> got(J.col(k).data() + 6 * nv * f, 6, nv);
          EXPECT_LT((got - one).cwiseAbs().maxCoeff(), 1e-14) << name << " " << f;
          const Eigen::VectorXd rates = got * Eigen::Map<const Eigen::VectorXd>(v.column(k), nv);
          EXPECT_LT((velocity.col(k).segment(6 * f, 6) - rates).norm(), 1e-13) << name << " " << f;
        }
      }
    }
  }
}

TEST(Batch, VelocitiesInEveryReference) {
  for (const char* name : {"panda_like", "satellite_arm"}) {
    const Model model = load(name);
    const States<double> states(model, 9);
    const MatrixView<const double> q(states.q.data(), model.nq(), states.n), v(states.v.data(), model.nv(), states.n);
    for (const Reference reference : {Reference::world_axes, Reference::own_axes, Reference::world_origin}) {
      Batch<double> batch(model, {.threads = 1, .reference = reference});
      Eigen::MatrixXd velocity(6, states.n), J(6 * model.nv(), states.n);
      batch.velocity(q, v, velocity);
      batch.jacobian(q, J);
      for (int k = 0; k < states.n; ++k) {
        const Eigen::Map<const Eigen::MatrixXd> own(J.col(k).data(), 6, model.nv());
        const Eigen::Map<const Eigen::VectorXd> rates(v.column(k), model.nv());
        EXPECT_LT((velocity.col(k) - own * rates).cwiseAbs().maxCoeff(), 1e-13) << name;
      }
    }
  }
}

/// Packs and single states add in the same order, so that they differ by the rounding of sines and products alone.
TEST(Batch, EnergiesMassCentreAndMomentum) {
  for (const char* name : {"panda_like", "stanford", "satellite_arm"}) {
    const Model model = load(name);
    const States<double> states(model, 9);
    const MatrixView<const double> q(states.q.data(), model.nq(), states.n), v(states.v.data(), model.nv(), states.n);
    Batch<double> batch(model, {.threads = 1});
    Eigen::VectorXd potential(states.n), kinetic(states.n);
    Eigen::MatrixXd com(3, states.n), momentum(6, states.n);
    batch.potential_energy(q, potential);
    batch.kinetic_energy(q, v, kinetic);
    batch.com(q, com);
    batch.momentum(q, v, momentum);
    Kinematics<double> kinematics(model);
    for (int k = 0; k < states.n; ++k) {
      const VectorView<const double> position(q.column(k), static_cast<std::size_t>(model.nq())),
          rates(v.column(k), static_cast<std::size_t>(model.nv()));
      kinematics.update_positions(position);
      kinematics.update_velocities(rates);
      const double energy = kinematics.gravity_energy() + kinematics.spring_energy(position);
      EXPECT_NEAR(potential(k), energy, 1e-12 * (1.0 + std::fabs(energy))) << name;
      EXPECT_NEAR(kinetic(k), kinematics.kinetic_energy(rates), 1e-12 * (1.0 + kinetic(k))) << name;
      const Vec3<double> centre = kinematics.com();
      EXPECT_LT((com.col(k) - Eigen::Vector3d(centre.x, centre.y, centre.z)).norm(), 1e-13) << name;
      const Force<double> sum = kinematics.momentum();
      Eigen::VectorXd want(6);
      want << sum.moment.x, sum.moment.y, sum.moment.z, sum.force.x, sum.force.y, sum.force.z;
      EXPECT_LT((momentum.col(k) - want).norm(), 1e-12 * (1.0 + want.norm())) << name;
    }
    EXPECT_THROW(batch.com(q, momentum), std::invalid_argument);
    std::vector<double> too_few(2);
    EXPECT_THROW(batch.potential_energy(q, too_few), std::invalid_argument);
  }
}

TEST(Batch, PosesAsOneMatrix) {
  const Model model = load("satellite_arm");
  const States<double> states(model, 9);
  const MatrixView<const double> q(states.q.data(), model.nq(), states.n);
  Batch<double> batch(model, {.compiled = false, .threads = 1});
  Eigen::MatrixXd T(16, states.n), R(9, states.n), p(3, states.n);
  batch.pose(q, T);
  batch.pose(q, R, p);
  for (int k = 0; k < states.n; ++k) {
    Eigen::Matrix4d want = Eigen::Matrix4d::Identity();
    want.topLeftCorner(3, 3) = Eigen::Map<const Eigen::Matrix3d>(R.col(k).data());
    want.topRightCorner(3, 1) = p.col(k);
    EXPECT_EQ(Eigen::Map<const Eigen::Matrix4d>(T.col(k).data()), want);
  }
}

/// What is left keeps what stood there.
TEST(Batch, EndsWhenTheCallerSaysSo) {
  const Model model = load("planar2r");
  const int n = 100'000;
  const Eigen::MatrixXd q = Eigen::MatrixXd::Random(model.nq(), n);
  for (const int threads : {1, 2}) {
    int asked = 0;
    Batch<double> batch(model, {.compiled = false, .threads = threads, .proceed = [&] { return ++asked < 3; }});
    Eigen::MatrixXd g = Eigen::MatrixXd::Constant(model.nv(), n, 1e9), want(model.nv(), n);
    batch.gravity(q, g);
    Batch<double>(model, {.compiled = false}).gravity(q, want);
    EXPECT_EQ(asked, 3);
    int done = 0;
    for (int k = 0; k < n; ++k) {
      if (g(0, k) == 1e9) continue;
      ++done;
      EXPECT_EQ(g.col(k), want.col(k));
    }
    EXPECT_GT(done, 0);
    EXPECT_LT(done, n);
  }
}

TEST(Batch, ConvectiveInertiaTimesVelocityIsThatOfC) {
  const Model model = load("puma560");
  const States<double> states(model, 9);
  const MatrixView<const double> q(states.q.data(), model.nq(), states.n), v(states.v.data(), model.nv(), states.n);
  Eigen::MatrixXd C(model.nv() * model.nv(), states.n), MCI = C;
  Batch<double> batch(model, {.threads = 1});
  batch.coriolis_matrix(q, v, C);
  batch.convective_inertia(q, v, MCI);
  for (int k = 0; k < states.n; ++k) {
    const Eigen::Map<const Eigen::VectorXd> rates(v.column(k), model.nv());
    const Eigen::Map<const Eigen::MatrixXd> c(C.col(k).data(), model.nv(), model.nv());
    const Eigen::Map<const Eigen::MatrixXd> mci(MCI.col(k).data(), model.nv(), model.nv());
    EXPECT_LT((c * rates - mci * rates).norm(), 1e-13 * (1.0 + (c * rates).norm()));
    EXPECT_GT((c - mci).norm(), 1e-3 * c.norm());  // and no more than that
  }
}

/// Ṁ − 2C is skew-symmetric for every robot and every way to a C.
template <class S>
void expect_skew(const Model& model, const std::string& method, bool compiled) {
  const States<S> states(model, 3);
  Batch<S> batch(model, {.method = method, .compiled = compiled, .threads = 1});
  const std::vector<S> got = evaluate(batch, Quantity::coriolis_matrix, states, states.n);
  const std::size_t size = got.size() / static_cast<std::size_t>(states.n);
  for (int k = 0; k < states.n; ++k) {
    const States<S> one = states.at(k);
    const auto numbers = [](const auto begin, const auto end) { return std::vector<double>(begin, end); };
    const auto q = numbers(one.q.begin(), one.q.end()), v = numbers(one.v.begin(), one.v.end());
    const auto first = got.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(k) * size);
    const auto C = numbers(first, first + static_cast<std::ptrdiff_t>(size));
    const double limit = limit_of(model, Quantity::coriolis_matrix, {q, v}, C, std::numeric_limits<S>::epsilon());
    EXPECT_LT(test::skew_defect(model, q, v, C), limit) << model.name() << " " << method << " " << compiled;
  }
}

TEST(Batch, MassRateMinusTwiceCoriolisIsSkew) {
  for (const std::string& robot : robots()) {
    const Model model = load(robot);
    expect_skew<float>(model, "auto", false);
    expect_skew<double>(model, "auto", true);
    for (const MethodInfo& info : methods())
      if (info.can(Quantity::coriolis_matrix) && info.refusal(model).empty())
        expect_skew<double>(model, std::string(info.name), false);
  }
  for (const char* robot : {"planar2r", "stanford", "puma560"}) {
    const Model model = load(robot);
    expect_skew<float>(model, "auto", true);
    expect_skew<double>(model, "spatial_operator", true);
    EXPECT_THROW(expect_skew<double>(model, "denoc", true), InputError);
  }
}

/// From none to a pack more than four thousand: each as in the largest.
template <class S>
void expect_any_number(bool compiled) {
  const Model model = load("planar2r");
  const States<S> states(model, 4097);
  Batch<S> batch(model, {.compiled = compiled, .threads = 2});
  const std::vector<S> all = evaluate(batch, Quantity::forward_dynamics, states, states.n);
  for (int n = 0; n <= states.n; ++n) {
    const std::vector<S> some = evaluate(batch, Quantity::forward_dynamics, states, n);
    ASSERT_TRUE(some.empty() || std::memcmp(some.data(), all.data(), some.size() * sizeof(S)) == 0) << n;
  }
}
TEST(Batch, AnyNumberOfStates) {
  expect_any_number<double>(false);
  expect_any_number<double>(true);
  expect_any_number<float>(false);
  expect_any_number<float>(true);
}

TEST(Batch, EveryStateAsIfAlone) {
  for (const bool compiled : {false, true}) {
    const Model model = load("panda_like");
    const States<double> states(model, 37);
    Batch<double> batch(model, {.compiled = compiled, .threads = 1});
    for (const Quantity quantity : {Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::mass_matrix}) {
      const std::vector<double> all = evaluate(batch, quantity, states, states.n);
      for (int k = 0; k < states.n; ++k) {
        const std::vector<double> one = evaluate(batch, quantity, states.at(k), 1);
        ASSERT_EQ(std::memcmp(one.data(), &all[static_cast<std::size_t>(k) * one.size()], one.size() * sizeof(double)),
                  0)
            << word_of(quantity) << " " << k;
      }
    }
  }
}

/// The pack of one's own hands: the same formulation over PackDouble, however wide the batch's packs are.
TEST(Batch, SameBitsAsAPackOfOnesOwn) {
  const Model model = load("panda_like");
  const States<double> states(model, 4);
  Batch<double> batch(model, {.compiled = false, .threads = 1});
  const auto lanes = [&](const std::vector<double>& all) {
    std::vector<PackDouble> packs(7);
    for (std::size_t k = 0; k < all.size(); ++k) packs[k % 7].set(static_cast<int>(k / 7), all[k]);
    return packs;
  };
  const std::vector<PackDouble> q = lanes(states.q), v = lanes(states.v), x = lanes(states.x);
  std::vector<PackDouble> tau(7), a(7);
  make_method<PackDouble>("auto", Quantity::inverse_dynamics, model)->inverse_dynamics(q, v, x, tau);
  make_method<PackDouble>("auto", Quantity::forward_dynamics, model)->forward_dynamics(q, v, x, a);
  const std::vector<double> torques = evaluate(batch, Quantity::inverse_dynamics, states, 4),
                            accelerations = evaluate(batch, Quantity::forward_dynamics, states, 4);
  for (std::size_t k = 0; k < torques.size(); ++k) {
    EXPECT_EQ(torques[k], tau[k % 7][static_cast<int>(k / 7)]);
    EXPECT_EQ(accelerations[k], a[k % 7][static_cast<int>(k / 7)]);
  }
}

TEST(Batch, SameBitsForAnyNumberOfThreads) {
  const Model model = load("panda_like");
  const States<double> states(model, 3001);
  for (const bool compiled : {false, true}) {
    for (const Quantity quantity : {Quantity::inverse_dynamics, Quantity::forward_dynamics, Quantity::jacobian}) {
      Batch<double> single(model, {.compiled = compiled, .threads = 1});
      const std::vector<double> want = evaluate(single, quantity, states, states.n);
      for (const int threads : {2, 3, 7, 0}) {
        Batch<double> batch(model, {.compiled = compiled, .threads = threads});
        EXPECT_TRUE(same_bits(evaluate(batch, quantity, states, states.n), want))
            << word_of(quantity) << " " << threads;
      }
    }
  }
}

/// A state that is not a number, or beyond the fast sine's reach, changes no bit of another.
template <class S>
void expect_lanes_apart(bool compiled, S odd) {
  const Model model = load("ur5_like");
  States<S> states(model, 21);
  Batch<S> batch(model, {.compiled = compiled, .threads = 1});
  constexpr std::size_t which = 10;
  for (const Quantity quantity : test::batch_quantities) {
    const std::vector<S> clean = evaluate(batch, quantity, states, states.n);
    States<S> spoilt = states;
    spoilt.q[which * static_cast<std::size_t>(model.nq()) + 2] = odd;
    const std::vector<S> got = evaluate(batch, quantity, spoilt, states.n);
    std::vector<S> own = evaluate(batch, quantity, spoilt.at(which), 1);
    bool not_a_number = false;
    for (const S x : own) not_a_number = not_a_number || std::isnan(x);
    EXPECT_EQ(not_a_number, std::isnan(odd)) << word_of(quantity);
    const std::size_t rows = own.size();  // of all arrays together; the first array tells them apart
    ASSERT_EQ(got.size(), rows * static_cast<std::size_t>(states.n));
    std::size_t different = 0;
    for (std::size_t i = 0; i < got.size(); ++i) different += std::memcmp(&got[i], &clean[i], sizeof(S)) != 0 ? 1 : 0;
    EXPECT_GT(different, 0U);
    EXPECT_LE(different, rows) << word_of(quantity);
  }
}
TEST(Batch, NaNStaysInItsLane) {
  for (const bool compiled : {false, true}) {
    expect_lanes_apart<double>(compiled, std::numeric_limits<double>::quiet_NaN());
    expect_lanes_apart<double>(compiled, 3.0e5);
    expect_lanes_apart<float>(compiled, std::numeric_limits<float>::quiet_NaN());
    expect_lanes_apart<float>(compiled, 3.0e5f);
  }
}

/// A quaternion that is no rotation makes its own state's results NaN, all of them, and no other's.
template <class S>
void expect_bad_quaternions_apart(bool compiled) {
  const Model model = load("satellite_arm");
  const States<S> good(model, 21);
  States<S> bad = good;
  const std::vector<int> where{0, 5, 20};
  for (const int k : where) bad.q[static_cast<std::size_t>(k * bad.nq + 4)] += S(k == 5 ? 0.5 : -2.0);
  Batch<S> batch(model, {.compiled = compiled, .threads = 1});
  for (const Quantity quantity : test::batch_quantities) {
    const std::vector<S> want = evaluate(batch, quantity, good, good.n), got = evaluate(batch, quantity, bad, bad.n);
    EXPECT_TRUE(!compiled || batch.note(quantity).empty()) << batch.note(quantity);
    std::size_t at = 0;
    for (const auto& array : trace::generic_result(model, quantity, trace::random_inputs(model, quantity, 1))) {
      for (std::size_t end = at + array.size() * 21, first = at; at < end; ++at) {
        const auto k = static_cast<int>((at - first) / array.size());
        const bool is_bad = std::find(where.begin(), where.end(), k) != where.end();
        EXPECT_TRUE(is_bad ? std::isnan(got[at]) : got[at] == want[at]) << word_of(quantity) << " " << k;
      }
    }
    EXPECT_EQ(at, got.size());
  }
}

TEST(Batch, BadQuaternionsStayInTheirStates) {
  for (const bool compiled : {false, true}) {
    expect_bad_quaternions_apart<double>(compiled);
    expect_bad_quaternions_apart<float>(compiled);
  }
}

TEST(Batch, AnyFrame) {
  const Model model = load("panda_like");
  Frame frame = model.tip();
  frame.body = 2;
  frame.pose.p = {0.1, 0.2, 0.3};
  const States<double> states(model, 6);
  Batch<double> batch(model, {.threads = 1, .frames = {frame}});
  const std::vector<double> got = evaluate(batch, Quantity::pose, states, states.n);
  EXPECT_EQ(batch.note(Quantity::pose), "");
  for (int k = 0; k < states.n; ++k) {
    Kinematics<double> kinematics(model);
    kinematics.update_positions(states.at(k).q);
    const Pose<double> want = kinematics.pose(frame);
    const double* p = &got[9 * 6 + 3 * static_cast<std::size_t>(k)];
    EXPECT_NEAR(p[0], want.p.x, 1e-14);
    EXPECT_NEAR(p[1], want.p.y, 1e-14);
    EXPECT_NEAR(p[2], want.p.z, 1e-14);
  }
}

TEST(Batch, ResultInPlaceOfAnArgument) {
  const Model model = load("ur5_like");
  States<double> states(model, 19);
  Batch<double> batch(model, {.compiled = false, .threads = 1});
  const std::vector<double> want = evaluate(batch, Quantity::forward_dynamics, states, states.n);
  const int nv = model.nv();
  batch.forward_dynamics({states.q.data(), nv, 19}, {states.v.data(), nv, 19}, {states.x.data(), nv, 19},
                         {states.x.data(), nv, 19});
  EXPECT_TRUE(same_bits(states.x, want));
}

/// Plain matrices, and blocks of larger ones whose columns have gaps, to the same bits; 13 states are no whole packs.
TEST(Batch, EigenMatricesAndBlocks) {
  const Model model = load("planar2r");
  Batch<double> batch(model, {.compiled = false, .threads = 1});
  const Eigen::MatrixXd q = Eigen::MatrixXd::Random(2, 13), v = Eigen::MatrixXd::Random(2, 13);
  Eigen::MatrixXd tau(2, 13), state(4, 13), results = Eigen::MatrixXd::Constant(5, 13, 7.0);
  state << q, v;
  batch.inverse_dynamics(q, v, v, tau);
  batch.inverse_dynamics(state.topRows(2), state.bottomRows(2), state.bottomRows(2), results.middleRows(1, 2));
  EXPECT_TRUE(tau.allFinite());
  EXPECT_EQ(results.middleRows(1, 2), tau);
  EXPECT_TRUE((results.topRows(1).array() == 7.0).all() && (results.bottomRows(2).array() == 7.0).all());
}

TEST(Batch, RefusesWhatDoesNotFit) {
  const Model model = load("planar2r");
  EXPECT_THROW(Batch<double>(model, {.method = "nothing"}), InputError);
  EXPECT_THROW(Batch<double>(model, {.threads = -1}), InputError);
  Frame nowhere = model.tip();
  nowhere.body = 2;
  EXPECT_THROW(Batch<double>(model, {.frames = {nowhere}}), std::invalid_argument);
  Batch<double> batch(model, {.compiled = false, .threads = 1});
  std::vector<double> x(12);
  const MatrixView<const double> two{x.data(), 2, 3}, three{x.data(), 3, 3}, wide{x.data(), 2, 4};
  const MatrixView<double> out{x.data(), 2, 3}, narrow{x.data(), 2, 2};
  EXPECT_THROW(batch.inverse_dynamics(three, two, two, out), std::invalid_argument);
  EXPECT_THROW(batch.inverse_dynamics(two, wide, two, out), std::invalid_argument);
  EXPECT_THROW(batch.inverse_dynamics(two, two, two, narrow), std::invalid_argument);
}

}  // namespace
}  // namespace ulna
