// Every function takes every kind of vector and matrix: the same bits as with spans, no copies and no allocation; and
// what is not side by side in memory is refused by the compiler.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <array>
#include <cstring>
#include <random>

#include "support/allocations.hpp"
#include "support/closed_state.hpp"
#include "support/own_cache.hpp"
#include "ulna/dynamics/newton_euler/convective_inertia.hpp"
#include "ulna/dynamics/newton_euler/derivatives.hpp"
#include "ulna/eigen.hpp"
#include "ulna/model/random_state.hpp"
#include "ulna/ulna.hpp"

namespace ulna {
namespace {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Vector7 = Eigen::Matrix<double, 7, 1>;

// ---- what a view is made of

template <class V>
constexpr bool reads = std::is_convertible_v<V, VectorIn<double>>;
template <class V>
constexpr bool writes = std::is_convertible_v<V, VectorOut<double>>;
template <class M>
constexpr bool reads_matrix = std::is_convertible_v<M, MatrixIn<double>>;
template <class M>
constexpr bool writes_matrix = std::is_convertible_v<M, MatrixOut<double>>;

template <class M>
using Column = decltype(std::declval<M&>().col(2));
template <class M>
using Row = decltype(std::declval<M&>().row(2));
template <class M>
using BlockOf = decltype(std::declval<M&>().block(1, 2, 3, 4));
using RowMajor = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;

static_assert(writes<std::vector<double>&> && writes<std::array<double, 7>&> && writes<double (&)[7]>);
static_assert(writes<std::span<double>> && writes<VectorXd&> && writes<Vector7&> && writes<Eigen::Ref<VectorXd>>);
static_assert(writes<Map<VectorXd>> && writes<Column<MatrixXd>> && writes<Row<RowMajor>>);
static_assert(writes<decltype(std::declval<VectorXd&>().head(3))>);
static_assert(reads<const std::vector<double>&> && reads<const VectorXd&> && reads<Column<const MatrixXd>>);
static_assert(reads<VectorXd> && reads<std::vector<double>>);  // a temporary lives as long as the call

// Numbers that are apart, of another type, or not numbers in memory at all.
static_assert(!reads<Row<MatrixXd>> && !reads<Row<Eigen::Matrix3d>> && !reads<Column<RowMajor>>);
static_assert(!reads<Map<VectorXd, 0, Eigen::InnerStride<>>> && !reads<Map<VectorXd, 0, Eigen::InnerStride<2>>>);
static_assert(!reads<std::vector<float>&> && !reads<Eigen::VectorXf&> && !reads<Vec3<double>&>);
static_assert(!reads<decltype(std::declval<VectorXd&>() + std::declval<VectorXd&>())>);
static_assert(!reads<MatrixXd&> && !reads<BlockOf<MatrixXd>>);  // not one column
// What is constant, and a temporary that takes the results away.
static_assert(!writes<const std::vector<double>&> && !writes<const VectorXd&> && !writes<std::span<const double>>);
static_assert(!writes<std::vector<double>> && !writes<VectorXd> && !writes<Map<const VectorXd>>);

static_assert(writes_matrix<MatrixXd&> && writes_matrix<BlockOf<MatrixXd>> && writes_matrix<Eigen::Matrix3d&>);
static_assert(writes_matrix<Map<MatrixXd, 0, Eigen::OuterStride<>>> && reads_matrix<BlockOf<const MatrixXd>>);
static_assert(!reads_matrix<RowMajor&> && !reads_matrix<decltype(std::declval<MatrixXd&>().transpose())>);
static_assert(!reads_matrix<Map<MatrixXd, 0, Eigen::Stride<-1, -1>>> && !reads_matrix<std::vector<double>&>);
static_assert(!writes_matrix<const MatrixXd&> && !writes_matrix<MatrixXd> && !writes_matrix<BlockOf<const MatrixXd>>);

// ---- vectors

constexpr int n = 7;

/// Every function that reads and writes vectors. at(0), at(1), at(2) are q, v and a or τ; at(3) is the result.
class VectorCalls {
 public:
  explicit VectorCalls(const Model& model)
      : model_(model),
        newton_euler_(model),
        articulated_body_(model),
        composite_body_(model),
        denoc_(model),
        constraint_force_(model),
        spatial_operator_(model),
        homogeneous_(model),
        kinematics_(model),
        method_(make_method<double>("auto", Quantity::forward_dynamics, model)),
        external_(model.bodies().size(), Force<double>{{0.1, 0.2, 0.3}, {1.0, -2.0, 3.0}}) {
    results.reserve(1000);
  }

  template <class At>
  void run(const At& at) {
    results.clear();
    const auto keep = [&](const auto& call) {
      call();
      const VectorIn<double> out(at(3));
      results.insert(results.end(), out.begin(), out.end());
    };
    const Model& m = model_;
    keep([&] { newton_euler::inverse_dynamics(m, newton_euler_, at(0), at(1), at(2), at(3), external_); });
    keep([&] { newton_euler::bias(m, newton_euler_, at(0), at(1), at(3)); });
    keep([&] { newton_euler::gravity(m, newton_euler_, at(0), at(3)); });
    keep([&] { newton_euler::coriolis_force(m, newton_euler_, at(0), at(1), at(3)); });
    keep([&] { articulated_body::forward_dynamics(m, articulated_body_, at(0), at(1), at(2), at(3), external_); });
    keep([&] { articulated_body::response(m, articulated_body_, at(2), at(3)); });
    keep([&] { composite_body::forward_dynamics(m, composite_body_, at(0), at(1), at(2), at(3)); });
    keep([&] { denoc::inverse_dynamics(m, denoc_, at(0), at(1), at(2), at(3)); });
    keep([&] { denoc::forward_dynamics(m, denoc_, at(0), at(1), at(2), at(3)); });
    keep([&] { constraint_force::forward_dynamics(m, constraint_force_, at(0), at(1), at(2), at(3)); });
    keep([&] { spatial_operator::inverse_dynamics(m, spatial_operator_, at(0), at(1), at(2), at(3)); });
    keep([&] { spatial_operator::forward_dynamics(m, spatial_operator_, at(0), at(1), at(2), at(3)); });
    keep([&] { spatial_operator::gravity(m, spatial_operator_, at(0), at(3)); });
    keep([&] { spatial_operator::external_forces(m, spatial_operator_, at(0), external_, at(3)); });
    keep([&] { homogeneous::inverse_dynamics(m, homogeneous_, at(0), at(1), at(2), at(3)); });
    keep([&] { homogeneous::forward_dynamics(m, homogeneous_, at(0), at(1), at(2), at(3)); });
    keep([&] { homogeneous::velocity_and_gravity(m, homogeneous_, at(0), at(1), at(3)); });
    keep([&] { homogeneous::gravity(m, homogeneous_, at(0), at(3)); });
    keep([&] { method_->forward_dynamics(at(0), at(1), at(2), at(3)); });
    kinematics_.update_positions(at(0));
    kinematics_.update_velocities(at(1));
    kinematics_.update_accelerations(at(1), at(2));
    results.push_back(kinematics_.kinetic_energy(at(1)) + kinematics_.spring_energy(at(0)));
    results.push_back(kinematics_.acceleration(model_.tip(), Reference::world_axes).linear.x);
  }

  std::vector<double> results;

 private:
  const Model& model_;
  newton_euler::Workspace<double> newton_euler_;
  articulated_body::Workspace<double> articulated_body_;
  composite_body::Workspace<double> composite_body_;
  denoc::Workspace<double> denoc_;
  constraint_force::Workspace<double> constraint_force_;
  spatial_operator::Workspace<double> spatial_operator_;
  homogeneous::Workspace<double> homogeneous_;
  Kinematics<double> kinematics_;
  std::unique_ptr<Method<double>> method_;
  std::vector<Force<double>> external_;
};

TEST(Containers, AllKindsOfVectorsGiveTheSameBitsWithoutAllocation) {
  const Model model = load("panda_like");
  ASSERT_EQ(model.nv(), n);
  VectorCalls calls(model);
  std::mt19937_64 generator(1);
  std::array<std::vector<double>, 4> vectors{random_position(model, generator), random_velocity(model, generator),
                                             random_velocity(model, generator), std::vector<double>(n)};
  calls.run([&](std::size_t k) { return std::span<double>(vectors[k]); });
  const std::vector<double> want = calls.results;

  const auto expect_same = [&](const char* kind, const auto& at) {
    const std::size_t before = allocations;
    calls.run(at);
    EXPECT_EQ(allocations, before) << kind;
    ASSERT_EQ(calls.results.size(), want.size());
    EXPECT_EQ(std::memcmp(calls.results.data(), want.data(), want.size() * sizeof(double)), 0) << kind;
  };
  expect_same(
      "std::vector", [&](std::size_t k) -> auto& { return vectors[k]; });
  std::array<std::array<double, n>, 4> arrays{};
  double plain[4][n];
  std::array<VectorXd, 4> eigen;
  std::array<Vector7, 4> fixed;
  MatrixXd columns = MatrixXd::Zero(n, 4);
  VectorXd one_after_the_other = VectorXd::Zero(4 * n);
  for (std::size_t k = 0; k < 4; ++k) {
    std::copy_n(vectors[k].data(), n, arrays[k].data());
    std::copy_n(vectors[k].data(), n, plain[k]);
    eigen[k] = fixed[k] = Map<Vector7>(vectors[k].data());
    columns.col(static_cast<Eigen::Index>(k)) = eigen[k];
    one_after_the_other.segment(static_cast<Eigen::Index>(k) * n, n) = eigen[k];
  }
  expect_same(
      "std::array", [&](std::size_t k) -> auto& { return arrays[k]; });
  expect_same(
      "array", [&](std::size_t k) -> auto& { return plain[k]; });
  expect_same(
      "VectorXd", [&](std::size_t k) -> auto& { return eigen[k]; });
  expect_same(
      "Matrix<double, 7, 1>", [&](std::size_t k) -> auto& { return fixed[k]; });
  expect_same("Map", [&](std::size_t k) { return Map<VectorXd>(vectors[k].data(), n); });
  expect_same("Ref", [&](std::size_t k) { return Eigen::Ref<VectorXd>(eigen[k]); });
  expect_same("a column", [&](std::size_t k) { return columns.col(static_cast<Eigen::Index>(k)); });
  expect_same("a segment",
              [&](std::size_t k) { return one_after_the_other.segment(static_cast<Eigen::Index>(k) * n, n); });
}

TEST(Containers, OfTheWrongLengthAreRefused) {
  const Model model = load("panda_like");
  newton_euler::Workspace<double> ws(model);
  VectorXd seven = VectorXd::Zero(7), eight = VectorXd::Zero(8);
  EXPECT_THROW(newton_euler::inverse_dynamics(model, ws, seven, seven, seven, eight), std::invalid_argument);
  EXPECT_THROW(newton_euler::inverse_dynamics(model, ws, seven.head(6), seven, seven, seven), std::invalid_argument);
}

template <class Solver>
void expect_same_on_threads() {
  const Model model = load("chain:20");
  const VectorXd q = VectorXd::LinSpaced(20, -1.0, 1.0), v = 0.3 * q, tau = 2.0 * q;
  std::vector<double> want(20);
  MatrixXd out = MatrixXd::Zero(20, 2);
  Solver solver(model);
  solver.forward_dynamics(std::span(q.data(), 20), std::span(v.data(), 20), std::span(tau.data(), 20), want);
  solver.forward_dynamics(q, v, tau, out.col(1));
  EXPECT_EQ(out.col(1), Map<VectorXd>(want.data(), 20));
}

TEST(Containers, ChainsOnThreadsTakeEigenVectors) {
  expect_same_on_threads<articulated_body::ParallelSolver>();
  expect_same_on_threads<constraint_force::ParallelSolver>();
}

TEST(Containers, LoopsTakeEigenVectors) {
  const Model model = build(load_graph("five_bar"));
  std::mt19937_64 generator(2);
  const test::ClosedState state = test::random_closed_state(model, generator);
  const auto nv = static_cast<Eigen::Index>(state.v.size());
  const VectorXd q = Map<const VectorXd>(state.q.data(), nv), v = Map<const VectorXd>(state.v.data(), nv);
  const std::vector<double> tau(state.v.size(), 0.3);
  std::vector<double> want(tau.size());
  MatrixXd out = MatrixXd::Zero(nv, 2);
  ConstrainedDynamics dynamics(model);
  dynamics.forward_dynamics(state.q, state.v, tau, want);
  dynamics.forward_dynamics(q, v, VectorXd::Constant(nv, 0.3).eval(), out.col(1));
  EXPECT_EQ(out.col(1), Map<VectorXd>(want.data(), nv));
  EXPECT_LT(dynamics.drift(q, v), promised_residual);
}

// ---- matrices

/// Every function that writes matrices; at(k) is an nv × nv place for k = 0, 1, 2 and a 6 × nv one for k = 3.
class MatrixCalls {
 public:
  MatrixCalls(const Model& model, const std::vector<double>& q, const std::vector<double>& v)
      : model_(model),
        q_(q),
        v_(v),
        a_(v.size()),
        composite_body_(model),
        coriolis_(model),
        denoc_(model),
        denoc_convective_(model),
        convective_(model),
        spatial_operator_(model),
        homogeneous_(model),
        inverse_(model),
        forward_(model),
        kinematics_(model),
        compiled_(compile<double>(model, Quantity::mass_matrix)),
        derivatives_(compile_derivatives(model)) {
    results.reserve(2000);
  }

  template <class At>
  void run(const At& at) {
    results.clear();
    const auto keep = [&](int count, const auto& call) {
      call();
      for (int k = 0; k < count; ++k) keep_matrix(at(k));
    };
    const Model& m = model_;
    keep(1, [&] { composite_body::mass_matrix(m, composite_body_, q_, at(0)); });
    keep(1, [&] { composite_body::coriolis_matrix(m, coriolis_, q_, v_, at(0)); });
    keep(1, [&] { denoc::mass_matrix(m, denoc_, q_, at(0)); });
    keep(1, [&] { denoc::convective_inertia(m, denoc_convective_, q_, v_, at(0)); });
    keep(1, [&] { newton_euler::convective_inertia(m, convective_, q_, v_, at(0)); });
    keep(1, [&] { spatial_operator::mass_matrix(m, spatial_operator_, q_, at(0)); });
    keep(1, [&] { spatial_operator::coriolis_matrix(m, spatial_operator_, q_, v_, at(0)); });
    keep(1, [&] { homogeneous::mass_matrix(m, homogeneous_, q_, at(0)); });
    keep(3, [&] { newton_euler::inverse_derivatives(m, inverse_, q_, v_, v_, at(0), at(1), at(2)); });
    keep(3, [&] { articulated_body::forward_derivatives(m, forward_, q_, v_, v_, a_, at(0), at(1), at(2)); });
    keep(1, [&] { compiled_.method->mass_matrix(q_, at(0)); });
    keep(3, [&] { derivatives_.evaluate(q_, v_, v_, a_, at(0), at(1), at(2)); });
    kinematics_.update_positions(q_);
    kinematics_.jacobian(m.tip(), Reference::own_axes, at(3));
    keep_matrix(at(3));
    results.push_back(manipulability(at(3)).yoshikawa);
  }

  bool has_own_code() const { return compiled_.own && derivatives_.note.empty(); }

  std::vector<double> results;

 private:
  void keep_matrix(MatrixIn<double> m) {
    for (int j = 0; j < m.cols; ++j) results.insert(results.end(), m.column(j), m.column(j) + m.rows);
  }

  const Model& model_;
  const std::vector<double>&q_, &v_;
  std::vector<double> a_;
  composite_body::Workspace<double> composite_body_;
  composite_body::CoriolisWorkspace<double> coriolis_;
  denoc::Workspace<double> denoc_;
  denoc::ConvectiveWorkspace<double> denoc_convective_;
  newton_euler::ConvectiveWorkspace<double> convective_;
  spatial_operator::Workspace<double> spatial_operator_;
  homogeneous::Workspace<double> homogeneous_;
  newton_euler::DerivativeWorkspace<double> inverse_;
  articulated_body::DerivativeWorkspace<double> forward_;
  Kinematics<double> kinematics_;
  Compiled<double> compiled_;
  CompiledDerivatives derivatives_;
};

TEST(Containers, ResultsLandInBlocksOfLargerMatrices) {
  const Model model = load("panda_like");
  std::mt19937_64 generator(3);
  const std::vector<double> q = random_position(model, generator), v = random_velocity(model, generator);
  MatrixCalls calls(model, q, v);
  EXPECT_TRUE(calls.has_own_code());
  std::array<std::vector<double>, 4> memory;
  memory.fill(std::vector<double>(n * n));
  const auto rows = [](int k) { return k < 3 ? n : 6; };
  const auto plain = [&](int k) { return MatrixView<double>(memory[static_cast<std::size_t>(k)].data(), rows(k), n); };
  calls.run(plain);
  const std::vector<double> want = calls.results;
  const auto expect_same = [&](const char* kind, const auto& at) {
    calls.run(at);
    ASSERT_EQ(calls.results.size(), want.size());
    EXPECT_EQ(std::memcmp(calls.results.data(), want.data(), want.size() * sizeof(double)), 0) << kind;
  };
  std::array<MatrixXd, 4> whole;
  for (int k = 0; k < 4; ++k) whole[static_cast<std::size_t>(k)].resize(rows(k), n);
  expect_same(
      "MatrixXd", [&](int k) -> auto& { return whole[static_cast<std::size_t>(k)]; });

  // A = [· ∂q; · ∂v] and the like, of which everything else stays as it was.
  constexpr double untouched = 7.0;
  MatrixXd large = MatrixXd::Constant(4 * n + 3, n + 2, untouched);
  expect_same("a block", [&](int k) { return large.block(1 + k * n, 1, rows(k), n); });
  expect_same("a Map with a stride", [&](int k) {
    return Map<MatrixXd, 0, Eigen::OuterStride<>>(&large(1 + k * n, 1), rows(k), n,
                                                  Eigen::OuterStride<>(large.outerStride()));
  });
  for (int k = 0; k < 4; ++k) large.block(1 + k * n, 1, rows(k), n).setConstant(untouched);
  EXPECT_EQ(large, MatrixXd::Constant(large.rows(), large.cols(), untouched));
}

TEST(Containers, AMatrixOfTheWrongSizeIsRefused) {
  const Model model = load("panda_like");
  composite_body::Workspace<double> ws(model);
  MatrixXd large(9, 9);
  EXPECT_THROW(composite_body::mass_matrix(model, ws, VectorXd::Zero(7).eval(), large), std::invalid_argument);
}

// ---- eigen.hpp

TEST(Eigen, ThereAndBack) {
  const Pose<double> pose{rotation_of(Quaternion<double>{0.5, -0.5, 0.1, 0.7}), {1.0, 2.0, 3.0}};
  const Eigen::Isometry3d x = to_eigen(pose);
  const Vec3<double> p{0.3, -0.4, 0.5};
  EXPECT_LT((x * to_eigen(p) - to_eigen(pose * p)).norm(), 1e-15 * 8.0);
  const Pose<double> back = to_pose(x);
  EXPECT_EQ(to_eigen(back).matrix(), x.matrix());

  const Quaternion<double> turn = quaternion_of(pose.R);
  EXPECT_LT((to_eigen(turn).toRotationMatrix() - to_eigen(rotation_of(turn))).norm(), 1e-15 * 8.0);
  EXPECT_EQ(to_eigen(to_quaternion(to_eigen(turn))).coeffs(), to_eigen(turn).coeffs());

  const Sym3<double> inertia{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(to_eigen(inertia)(2, 1), inertia.yz);
  EXPECT_EQ(to_eigen(inertia), to_eigen(inertia).transpose());
  const Eigen::Matrix<double, 6, 1> six{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(to_eigen(to_motion(six)), six);
  EXPECT_EQ(to_eigen(to_force(six)), six);
  EXPECT_EQ(to_motion(six).linear.x, 4.0);
  EXPECT_EQ(to_force(six).moment.z, 3.0);
}

TEST(Eigen, OfAViewWritesThroughIt) {
  MatrixXd large = MatrixXd::Zero(5, 5);
  to_eigen(MatrixView(large.block(1, 2, 2, 3))).setOnes();
  EXPECT_EQ(large.sum(), 6.0);
  EXPECT_EQ(large.block(1, 2, 2, 3).sum(), 6.0);
}

}  // namespace
}  // namespace ulna
