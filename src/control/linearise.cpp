#include "ulna/control/linearise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "closed_mechanism.hpp"
#include "ulna/base/error.hpp"
#include "ulna/dynamics/articulated_body/derivatives.hpp"
#include "ulna/model/expect_size.hpp"

namespace ulna {

namespace control {
namespace {

void expect_indices(const Model& model, const char* what, const std::vector<int>& indices) {
  std::vector<int> sorted = indices;
  std::ranges::sort(sorted);
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= model.nv()))
    throw InputError(fmt::format("{}: velocity indices go from 0 to {}", what, model.nv() - 1));
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    throw InputError(fmt::format("{}: a velocity index is there twice", what));
}

/// −v × x for the joints with a quaternion, in the upper left of A.
void put_adjoint(const Model& model, std::span<const double> v, Matrix& A) {
  const auto cross = [](const double* w) {
    return (Eigen::Matrix3d() << 0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0).finished();
  };
  for (const Body& body : model.bodies()) {
    if (!has_quaternion(body.kind)) continue;
    const double* at = &v[static_cast<std::size_t>(body.v_index)];
    const Eigen::Matrix3d turn = cross(at);
    A.block<3, 3>(body.v_index, body.v_index) = -turn;
    if (body.kind != JointKind::free) continue;
    A.block<3, 3>(body.v_index + 3, body.v_index + 3) = -turn;
    A.block<3, 3>(body.v_index + 3, body.v_index) = -cross(at + 3);
  }
}

}  // namespace
}  // namespace control

using control::Matrix;

struct [[gnu::visibility("hidden")]] Lineariser::Implementation {
  Implementation(const Model& robot, std::vector<int> motors, std::vector<int> chosen)
      : model(robot), actuated(std::move(motors)), independent(std::move(chosen)) {
    control::expect_indices(model, "actuated", actuated);
    control::expect_indices(model, "independent", independent);
    if (actuated.empty()) actuated = motor_indices(model);
    if (!model.loops().empty()) {
      mechanism = std::make_unique<control::ClosedMechanism>(model);
      return;
    }
    if (!independent.empty()) throw InputError("independent: for robots with closed loops; in a tree all joints are");
    workspace.emplace(model);
    method = make_method<double>("auto", Quantity::inverse_dynamics, model);
  }

  /// Both halves of x, B from the rows that torques of all joints have.
  LinearisedRobot assembled(const Matrix& top, const Matrix& dq, const Matrix& dv, const Matrix& dtau,
                            std::vector<int> own, std::vector<double> a) const {
    const Eigen::Index n = dq.rows();
    Matrix A(2 * n, 2 * n);
    A << top, Matrix::Identity(n, n), dq, dv;
    Matrix B = Matrix::Zero(2 * n, static_cast<Eigen::Index>(actuated.size()));
    for (std::size_t k = 0; k < actuated.size(); ++k)
      B.col(static_cast<Eigen::Index>(k)).tail(n) = dtau.col(actuated[k]);
    LinearisedRobot robot;
    robot.states = static_cast<int>(2 * n);
    robot.inputs = static_cast<int>(actuated.size());
    robot.A = control::elements_of(A);
    robot.B = control::elements_of(B);
    robot.independent = std::move(own);
    robot.actuated = actuated;
    robot.a = std::move(a);
    return robot;
  }

  LinearisedRobot tree(std::span<const double> q, std::span<const double> v, std::span<const double> tau) {
    const int n = model.nv();
    Matrix dq(n, n), dv(n, n), dtau(n, n), top = Matrix::Zero(n, n);
    std::vector<double> a(static_cast<std::size_t>(n));
    articulated_body::forward_derivatives<double>(model, *workspace, q, v, tau, a, dq, dv, dtau);
    control::put_adjoint(model, v, top);
    std::vector<int> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    return assembled(top, dq, dv, dtau, std::move(all), std::move(a));
  }

  LinearisedRobot closed(std::span<const double> q, std::span<const double> v, std::span<const double> tau) {
    std::vector<int> own = independent;
    mechanism->update(q, v, tau, own, actuated);
    std::vector<double> a = mechanism->acceleration(v);
    const Matrix dq = mechanism->by_position();
    const auto [dv, dtau] = mechanism->by_velocity_and_torque(v, a);
    return assembled(Matrix::Zero(dq.rows(), dq.cols()), dq, dv, dtau, std::move(own), std::move(a));
  }

  const Model& model;
  std::vector<int> actuated, independent;
  std::optional<articulated_body::DerivativeWorkspace<double>> workspace;
  std::unique_ptr<Method<double>> method;
  std::unique_ptr<control::ClosedMechanism> mechanism;
};

std::vector<int> motor_indices(const Model& model) {
  std::vector<int> indices;
  for (const Body& body : model.bodies()) {
    if (body.column != body.v_index || body.kind == JointKind::free) continue;
    for (int k = 0; k < degrees_of(body.kind); ++k) indices.push_back(body.v_index + k);
  }
  std::ranges::sort(indices);
  return indices;
}

Lineariser::Lineariser(const Model& model, std::vector<int> actuated, std::vector<int> independent)
    : implementation_(std::make_unique<Implementation>(model, std::move(actuated), std::move(independent))) {}
Lineariser::Lineariser(Lineariser&&) noexcept = default;
Lineariser& Lineariser::operator=(Lineariser&&) noexcept = default;
Lineariser::~Lineariser() = default;

LinearisedRobot Lineariser::operator()(VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau) {
  const Model& model = implementation_->model;
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_size("tau", tau.size(), model.nv());
  return implementation_->mechanism ? implementation_->closed(q, v, tau) : implementation_->tree(q, v, tau);
}

std::vector<double> Lineariser::torques(VectorIn<double> q, VectorIn<double> v, VectorIn<double> a) {
  Implementation& own = *implementation_;
  expect_size("q", q.size(), own.model.nq());
  expect_size("v", v.size(), own.model.nv());
  const std::vector<double> none(v.size());
  if (own.mechanism) {
    std::vector<int> independent = own.independent;
    own.mechanism->update(q, v, none, independent, own.actuated);
    return own.mechanism->torques_for(v, a, own.actuated);
  }
  std::vector<double> tau(v.size());
  own.method->inverse_dynamics(q, v, a.empty() ? VectorIn<double>(none) : a, tau);
  for (int k = 0; k < own.model.nv(); ++k)
    if (std::ranges::find(own.actuated, k) == own.actuated.end()) tau[static_cast<std::size_t>(k)] = 0.0;
  return tau;
}

const std::vector<int>& Lineariser::actuated() const { return implementation_->actuated; }

LinearisedRobot linearise(const Model& model, VectorIn<double> q, VectorIn<double> v, VectorIn<double> tau,
                          std::vector<int> actuated, std::vector<int> independent) {
  return Lineariser(model, std::move(actuated), std::move(independent))(q, v, tau);
}

}  // namespace ulna
