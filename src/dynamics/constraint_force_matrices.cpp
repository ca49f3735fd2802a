#include <Eigen/Dense>

#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"
#include "ulna/dynamics/constraint_force/mobility.hpp"
#include "ulna/dynamics/constraint_force/projection.hpp"
#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/physical.hpp"
#include "ulna/model/link_poses.hpp"

namespace ulna::constraint_force {

namespace {

using Matrix = Eigen::MatrixXd;

Force<double> unit_force(int k) {
  Six<double> f{};
  f[static_cast<std::size_t>(k)] = 1.0;
  return {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
}

/// P: unit blocks, and −P̂_{i−1} where the force on body i reacts on body i−1.
Matrix propagation_of(const Model& model, const LinkPoses<double>& poses) {
  const int N = model.body_count();
  Matrix P = Matrix::Identity(6 * N, 6 * N);
  for (int i = 1; i < N; ++i) {
    for (int k = 0; k < 6; ++k) {
      const Force<double> f = poses[static_cast<std::size_t>(i)].to_parent(unit_force(k));
      const double rows[] = {f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z};
      for (int r = 0; r < 6; ++r) P(6 * (i - 1) + r, 6 * i + k) = -rows[r];
    }
  }
  return P;
}

Matrix inverse_inertia_of(const Model& model) {
  const int N = model.body_count();
  Matrix I = Matrix::Zero(6 * N, 6 * N);
  for (int i = 0; i < N; ++i) {
    const Mobility<double> m = mobility_of(model.bodies()[static_cast<std::size_t>(i)].inertia);
    for (int k = 0; k < 6; ++k) {
      const Six<double> column = six(m * unit_force(k));
      for (int r = 0; r < 6; ++r) I(6 * i + r, 6 * i + k) = column[static_cast<std::size_t>(r)];
    }
  }
  return I;
}

/// Columns of W or of H, joint by joint.
Matrix columns_of(const Model& model, const LinkPoses<double>& poses, int first_body, bool constrained) {
  std::vector<Eigen::VectorXd> columns;
  for (int i = first_body; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < 6; ++k) {
      if ((k < locked_count(body.kind)) != constrained) continue;
      Six<double> s{};
      s[k] = 1.0;
      const Force<double> f = combine(body, poses[static_cast<std::size_t>(i)], s);
      Eigen::VectorXd column = Eigen::VectorXd::Zero(6 * model.body_count());
      column.segment(6 * i, 6) << f.moment.x, f.moment.y, f.moment.z, f.force.x, f.force.y, f.force.z;
      columns.push_back(column);
    }
  }
  Matrix out(6 * model.body_count(), std::ssize(columns));
  for (std::size_t c = 0; c < columns.size(); ++c) out.col(static_cast<Eigen::Index>(c)) = columns[c];
  return out;
}

std::vector<double> flat(const Matrix& m) { return {m.data(), m.data() + m.size()}; }

}  // namespace

ExplicitMatrices explicit_matrices(const Model& model, VectorIn<double> q) {
  expect_scope("constraint_force", model);
  LinkPoses<double> poses(model);
  poses.update(model, q);
  const int first = model.has_free_base() ? 1 : 0;
  const Matrix P = propagation_of(model, poses);
  const Matrix PIP = P.transpose() * inverse_inertia_of(model) * P;
  const Matrix W = columns_of(model, poses, first, true), H = columns_of(model, poses, first, false);
  const Matrix A = W.transpose() * PIP * W;
  ExplicitMatrices out;
  out.constraints = static_cast<int>(W.cols());
  out.freedoms = static_cast<int>(H.cols());
  for (int i = first; i < model.body_count(); ++i)
    out.block_sizes.push_back(static_cast<int>(locked_count(model.bodies()[static_cast<std::size_t>(i)].kind)));
  out.A = flat(A);
  out.B = flat(W.transpose() * PIP * H);
  out.C = flat(H.transpose() * PIP * H);
  out.condition_of_A = out.constraints > 0 ? symmetric_condition(out.A, out.constraints) : 1.0;
  return out;
}

}  // namespace ulna::constraint_force
