// The matrices of wolinski2015 as they are printed: H, Ḣ, B, Ḃ, Φ, M, Ω of size 6n, by steps
// 1–5 of section 3, and D, C, G, Q by the matrix products (24)–(27). For reading and teaching, and
// the check of the recursions in spatial_operator.hpp: allocates, and costs O(n³).
#pragma once

#include "ulna/dynamics/method.hpp"
#include "ulna/dynamics/spatial_operator/spatial_operator.hpp"

namespace ulna::spatial_operator {

/// A dense matrix with just what the equations need; Eigen does not take packs and traces.
template <Real T>
struct Dense {
  int rows, cols;
  std::vector<T> data;  // column by column

  Dense(int r, int c) : rows(r), cols(c), data(static_cast<std::size_t>(r) * static_cast<std::size_t>(c), T(0.0)) {}
  static Dense identity(int n) {
    Dense I(n, n);
    for (int i = 0; i < n; ++i) I(i, i) = T(1.0);
    return I;
  }
  T& operator()(int i, int j) { return data[static_cast<std::size_t>(j * rows + i)]; }
  const T& operator()(int i, int j) const { return data[static_cast<std::size_t>(j * rows + i)]; }

  void put(int i, int j, const Vec3<T>& a) {
    (*this)(i, j) = a.x;
    (*this)(i + 1, j) = a.y;
    (*this)(i + 2, j) = a.z;
  }
  void put(int i, int j, const Mat3<T>& a) {
    put(i, j, a.column_x());
    put(i, j + 1, a.column_y());
    put(i, j + 2, a.column_z());
  }
  void put(int i, int j, const Dense& a) {
    for (int c = 0; c < a.cols; ++c)
      for (int r = 0; r < a.rows; ++r) (*this)(i + r, j + c) = a(r, c);
  }
  Dense block(int i, int j, int r, int c) const {
    Dense a(r, c);
    for (int n = 0; n < c; ++n)
      for (int m = 0; m < r; ++m) a(m, n) = (*this)(i + m, j + n);
    return a;
  }
  Dense transposed() const {
    Dense a(cols, rows);
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) a(j, i) = (*this)(i, j);
    return a;
  }

  friend Dense operator+(Dense a, const Dense& b) {
    for (std::size_t k = 0; k < a.data.size(); ++k) a.data[k] += b.data[k];
    return a;
  }
  friend Dense operator-(Dense a, const Dense& b) {
    for (std::size_t k = 0; k < a.data.size(); ++k) a.data[k] -= b.data[k];
    return a;
  }
  friend Dense operator-(const Dense& a) { return Dense(a.rows, a.cols) - a; }
  friend Dense operator*(const Dense& a, const Dense& b) {
    Dense c(a.rows, b.cols);
    for (int j = 0; j < b.cols; ++j)
      for (int k = 0; k < a.cols; ++k)
        for (int i = 0; i < a.rows; ++i) c(i, j) += a(i, k) * b(k, j);
    return c;
  }
};

/// The paper's matrices, eqs (36)–(50). H and Ḣ are 6n × n: (44) and step 1 print 6n × 6n and 6n × 6
/// (erratum 3.5).
template <Real T>
struct ExplicitMatrices {
  Dense<T> H, H_dot, B, B_dot, Phi, M, Omega, F_G, F_Q;

  explicit ExplicitMatrices(int n)  // step 1
      : H(6 * n, n),
        H_dot(6 * n, n),
        B(6 * n, 6 * n),
        B_dot(6 * n, 6 * n),
        Phi(Dense<T>::identity(6 * n)),
        M(6 * n, 6 * n),
        Omega(6 * n, 6 * n),
        F_G(6 * n, 1),
        F_Q(6 * n, 1) {}

  // Step 5. D is of the links alone; the joints' armature belongs on its diagonal.
  // NOLINTBEGIN(readability-identifier-naming): the paper's letters
  Dense<T> project() const { return H.transposed() * Phi.transposed(); }                              // HᵀΦᵀ
  Dense<T> D() const { return project() * M * Phi * H; }                                              // (24)
  Dense<T> C() const { return project() * (M * Phi * (B_dot * Phi * H + H_dot) - Omega * Phi * H); }  // (25)
  Dense<T> G() const { return project() * -F_G; }                                                     // (26)
  Dense<T> Q() const { return project() * -F_Q; }                                                     // (27)
  // NOLINTEND(readability-identifier-naming)
};

/// One link and its joint as eqs (2)–(7) and (48) have them, in world axes.
template <Real T>
struct JointGeometry {
  Mat3<T> A_j;
  Vec3<T> s_ji, r_ij, h_ij, omega_i, omega_j;
};

/// H_j and Ḣ_j, eqs (37) and (39), into the column given. In (39) the tilde belongs over the vector
/// ω̃_i h_ij (erratum 3.4). The paper's joints are revolute: the slide along h_ij is ours.
template <Real T>
void put_joint(const Body& body, const JointGeometry<T>& g, const T& v, int row, int col, ExplicitMatrices<T>& X) {
  const T slide = T(one_degree_column(body.kind, body.joint).linear.z);
  const Mat3<T> h = skew(g.h_ij), omega_i = skew(g.omega_i);
  Vec3<T> linear = slide * g.h_ij, linear_dot = slide * (omega_i * g.h_ij);
  if (turns(body.kind)) {
    linear -= h * g.s_ji;
    linear_dot -= skew(omega_i * g.h_ij) * g.s_ji + h * (omega_i * g.s_ji + v * (h * g.s_ji));
    X.H.put(row + 3, col, g.h_ij);
    X.H_dot.put(row + 3, col, omega_i * g.h_ij);
  }
  X.H.put(row, col, linear);
  X.H_dot.put(row, col, linear_dot);
}

/// B_ij, Ḃ_ij, eqs (36) and (38), and the rows of Φ. In (38) the tilde is over all of ṙ_ij (erratum
/// 3.3); in step 3 the rows of Φ_i are those of link i, not of j, with which Φ stayed 1 (erratum 3.6).
template <Real T>
void put_shift(const JointGeometry<T>& g, const T& v, int row, int col, ExplicitMatrices<T>& X) {
  const auto H_j = [&](int k) { return X.H(row + k, col); };
  const Vec3<T> from_joint = v * Vec3<T>{H_j(0), H_j(1), H_j(2)};  // −h̃_ij s_ji q̇_j, and the slide
  Dense<T> B_ij = Dense<T>::identity(6);
  B_ij.put(0, 3, skew(-g.r_ij));
  X.B.put(row, row - 6, B_ij);
  X.B_dot.put(row, row - 3, skew(-(skew(g.omega_i) * g.r_ij + from_joint)));
  X.Phi.put(row, 0, B_ij * X.Phi.block(row - 6, 0, 6, row));
}

/// M_j, Ω_j, F_G and F_Q, eqs (45)–(50).
template <Real T>
void put_body(const Model& model, int j, const JointGeometry<T>& g, Wrenches<T> external, ExplicitMatrices<T>& X) {
  const RigidInertia<double>& inertia = model.bodies()[static_cast<std::size_t>(j)].inertia;
  const T m = T(inertia.mass);
  const Mat3<T> J_j = g.A_j * full(cast<T>(inertia.about_centre(model.com(j)))) * transpose(g.A_j);
  X.M.put(6 * j, 6 * j, m * Mat3<T>::identity());
  X.M.put(6 * j + 3, 6 * j + 3, J_j);
  X.Omega.put(6 * j + 3, 6 * j + 3, skew(-g.omega_j) * J_j);
  X.F_G.put(6 * j, 0, m * cast<T>(model.gravity()));
  if (external.empty()) return;
  X.F_Q.put(6 * j, 0, external[static_cast<std::size_t>(j)].force);
  X.F_Q.put(6 * j + 3, 0, external[static_cast<std::size_t>(j)].moment);
}

/// Steps 1–4 of section 3. For serial arms of revolute, prismatic and screw joints on a fixed base.
template <Real T = double>
ExplicitMatrices<T> explicit_matrices(const Model& model, VectorIn<T> q, VectorIn<T> v, Wrenches<T> external = {}) {
  expect_size("q", q.size(), model.nq());
  expect_size("v", v.size(), model.nv());
  expect_wrenches(model, external);
  expect_scope("spatial_operator", model);
  LinkPoses<T> poses(model);
  poses.update(model, q);
  ExplicitMatrices<T> X(model.nv());
  Mat3<T> A_i = Mat3<T>::identity();
  JointGeometry<T> g;
  g.omega_j = Vec3<T>::zero();
  for (int j = 0; j < model.nv(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const Body& body = model.bodies()[at];
    const Vec3<double> centre_i = j > 0 ? model.com(j - 1) : Vec3<double>::zero();
    g.A_j = A_i * poses[at].rotation();                          // (6)
    g.s_ji = g.A_j * cast<T>(-model.com(j));                     // (5)
    g.r_ij = A_i * (poses[at].p - cast<T>(centre_i)) - g.s_ji;   // (3), (4)
    g.h_ij = A_i * cast<T>(body.placement.rotation.column_z());  // (7)
    g.omega_i = g.omega_j;
    if (turns(body.kind)) g.omega_j += v[at] * g.h_ij;  // (48)
    put_joint(body, g, v[at], 6 * j, j, X);             // step 2
    put_body(model, j, g, external, X);
    if (j > 0) put_shift(g, v[at], 6 * j, j, X);  // step 3
    A_i = g.A_j;                                  // step 4
  }
  return X;
}

}  // namespace ulna::spatial_operator
