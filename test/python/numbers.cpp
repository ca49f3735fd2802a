// What the library itself computes, for test/python to compare to the last bit: reads numbers from a file, writes
// numbers. Usage: python_numbers ROBOT QUANTITY one|many N < inputs > outputs, all raw doubles; the state k is
// contiguous.
#include <cstdio>
#include <cstring>
#include <vector>

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
  const Quantity quantity = quantity_named(argument[2]);
  const bool batch = std::strcmp(argument[3], "many") == 0;
  const int n = std::atoi(argument[4]);
  Numbers q = read(n * model.nq()), v = read(n * model.nv()), x = read(n * model.nv());
  batch ? many(model, quantity, n, q, v, x) : one(model, quantity, q, v, x);
}
