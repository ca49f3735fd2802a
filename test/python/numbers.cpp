// What the library itself computes, for test/python to compare to the last bit: reads numbers from a file, writes
// numbers. Usage: python_numbers ROBOT QUANTITY one|many N < inputs > outputs, all raw doubles; the state k is
// contiguous.
#include <cstdio>
#include <cstring>
#include <vector>

#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"
#include "ulna/dynamics/denoc/udu.hpp"
#include "ulna/dynamics/homogeneous/homogeneous.hpp"
#include "ulna/dynamics/spatial_operator/explicit_matrices.hpp"
#include "ulna/ulna.hpp"

namespace {

using namespace ulna;
using Numbers = std::vector<double>;

Numbers read(int count) {
  Numbers numbers(static_cast<std::size_t>(count));
  if (std::fread(numbers.data(), sizeof(double), numbers.size(), stdin) != numbers.size()) std::exit(2);
  return numbers;
}

void write(const Numbers& numbers) { std::fwrite(numbers.data(), sizeof(double), numbers.size(), stdout); }

void one(const Model& model, Quantity quantity, const Numbers& q, const Numbers& v, const Numbers& x) {
  const auto n = static_cast<std::size_t>(model.nv());
  const int nv = model.nv();
  Numbers vector(n), A(n * n), B(n * n), C(n * n), J(6 * n);
  const auto view = [&](Numbers& m) { return MatrixView<double>(m.data(), nv, nv); };
  if (quantity == Quantity::inverse_derivatives) {
    newton_euler::DerivativeWorkspace<double> workspace(model);
    newton_euler::inverse_derivatives(model, workspace, q, v, x, view(A), view(B), view(C));
    write(A), write(B), write(C);
  } else if (quantity == Quantity::forward_derivatives) {
    articulated_body::DerivativeWorkspace<double> workspace(model);
    articulated_body::forward_derivatives(model, workspace, q, v, x, vector, view(A), view(B), view(C));
    write(A), write(B), write(C);
  } else if (quantity == Quantity::jacobian || quantity == Quantity::pose) {
    Kinematics<double> kinematics(model);
    kinematics.update_positions(q);
    if (quantity == Quantity::jacobian) {
      kinematics.jacobian(model.tip(), Reference::own_axes, {J.data(), 6, nv});
      return write(J);
    }
    const Pose<double> pose = kinematics.pose(model.tip());
    const Mat3<double>& R = pose.R;
    write({R.xx, R.xy, R.xz, pose.p.x, R.yx, R.yy, R.yz, pose.p.y, R.zx, R.zy, R.zz, pose.p.z, 0, 0, 0, 1});
  } else {
    const auto method = make_method<double>("auto", quantity, model);
    switch (quantity) {
      case Quantity::inverse_dynamics: method->inverse_dynamics(q, v, x, vector); return write(vector);
      case Quantity::forward_dynamics: method->forward_dynamics(q, v, x, vector); return write(vector);
      case Quantity::gravity: method->gravity(q, vector); return write(vector);
      case Quantity::mass_matrix: method->mass_matrix(q, view(A)); return write(A);
      case Quantity::coriolis_matrix: method->coriolis_matrix(q, v, view(A)); return write(A);
      default: method->convective_inertia(q, v, view(A)); return write(A);
    }
  }
}

Numbers numbers_of(const Motion<double>& m) {
  return {m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
}

/// What the bodies do at one state: quantities of their own, that no formulation gives.
bool motion(const Model& model, const std::string& word, const Numbers& q, const Numbers& v, const Numbers& a) {
  Kinematics<double> kinematics(model);
  kinematics.update_positions(q);
  kinematics.update_velocities(v);
  kinematics.update_accelerations(v, a);
  const Vec3<double> c = kinematics.com();
  const Force<double> m = kinematics.momentum();
  if (word == "velocity")
    write(numbers_of(kinematics.velocity(model.tip(), Reference::own_axes)));
  else if (word == "acceleration")
    write(numbers_of(kinematics.acceleration(model.tip(), Reference::own_axes)));
  else if (word == "momentum")
    write({m.moment.x, m.moment.y, m.moment.z, m.force.x, m.force.y, m.force.z});
  else if (word == "energies")
    write({kinematics.kinetic_energy(v), kinematics.gravity_energy() + kinematics.spring_energy(q), c.x, c.y, c.z});
  else
    return false;
  return true;
}

/// The formulations' own matrices at one state.
bool matrices(const Model& model, const std::string& word, const Numbers& q, const Numbers& v, const Numbers& a) {
  if (word == "udu") {
    const int n = model.nv();
    Numbers I(static_cast<std::size_t>(n * n)), U(I.size()), D(static_cast<std::size_t>(n));
    denoc::Workspace<double> workspace(model);
    denoc::mass_matrix(model, workspace, q, {I.data(), n, n});
    denoc::reverse_gaussian_elimination<double>({I.data(), n, n}, {U.data(), n, n}, D.data());
    write(U), write(D);
  } else if (word == "constraint_force") {
    const constraint_force::ExplicitMatrices m = constraint_force::explicit_matrices(model, q);
    write(m.A), write(m.B), write(m.C);
  } else if (word == "spatial_operator") {
    const auto X = spatial_operator::explicit_matrices<double>(model, q, v);
    write(X.Phi.data), write(X.D().data), write(X.C().data), write(X.G().data);
  } else if (word == "joint_actions") {
    homogeneous::Workspace<double> workspace(model);
    std::vector<Force<double>> actions(model.bodies().size());
    homogeneous::joint_actions<double>(model, workspace, q, v, a, actions);
    for (const Force<double>& f : actions) write({f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z});
  } else {
    return false;
  }
  return true;
}

void many_velocities(const Model& model, int n, const Numbers& q, const Numbers& v) {
  Batch<double> batch(model, {.compiled = false, .reference = Reference::own_axes});
  Numbers all(6 * static_cast<std::size_t>(n));
  batch.velocity({q.data(), model.nq(), n}, {v.data(), model.nv(), n}, {all.data(), 6, n});
  write(all);
}

void many(const Model& model, Quantity quantity, int n, Numbers& q, Numbers& v, Numbers& x) {
  const int nv = model.nv(), square = nv * nv;
  Batch<double> batch(model, {.compiled = false, .reference = Reference::own_axes});
  const MatrixView<const double> Q(q.data(), model.nq(), n), V(v.data(), nv, n), X(x.data(), nv, n);
  const auto sized = [&](int rows) { return Numbers(static_cast<std::size_t>(rows) * static_cast<std::size_t>(n)); };
  Numbers a = sized(nv), A = sized(square), B = sized(square), C = sized(square), J = sized(6 * nv), R = sized(9),
          p = sized(3);
  const auto view = [&](Numbers& m, int rows) { return MatrixView<double>(m.data(), rows, n); };
  switch (quantity) {
    case Quantity::inverse_dynamics: batch.inverse_dynamics(Q, V, X, view(a, nv)); return write(a);
    case Quantity::forward_dynamics: batch.forward_dynamics(Q, V, X, view(a, nv)); return write(a);
    case Quantity::gravity: batch.gravity(Q, view(a, nv)); return write(a);
    case Quantity::mass_matrix: batch.mass_matrix(Q, view(A, square)); return write(A);
    case Quantity::coriolis_matrix: batch.coriolis_matrix(Q, V, view(A, square)); return write(A);
    case Quantity::convective_inertia: batch.convective_inertia(Q, V, view(A, square)); return write(A);
    case Quantity::jacobian: batch.jacobian(Q, view(J, 6 * nv)); return write(J);
    case Quantity::pose:
      batch.pose(Q, view(R, 9), view(p, 3));
      write(R);
      return write(p);
    case Quantity::inverse_derivatives:
      batch.inverse_derivatives(Q, V, X, view(A, square), view(B, square));
      batch.mass_matrix(Q, view(C, square));
      break;
    default: batch.forward_derivatives(Q, V, X, view(a, nv), view(A, square), view(B, square), view(C, square));
  }
  write(A), write(B), write(C);
}

}  // namespace

int main(int, char** argument) {
  const Model model = load(argument[1]);
  const std::string word = argument[2];
  const bool batch = std::strcmp(argument[3], "many") == 0;
  const int n = std::atoi(argument[4]);
  Numbers q = read(n * model.nq()), v = read(n * model.nv()), x = read(n * model.nv());
  if (batch && word == "velocity") return many_velocities(model, n, q, v), 0;
  if (!batch && (motion(model, word, q, v, x) || matrices(model, word, q, v, x))) return 0;
  const Quantity quantity = quantity_named(word);
  batch ? many(model, quantity, n, q, v, x) : one(model, quantity, q, v, x);
}
