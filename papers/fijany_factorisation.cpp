#include "papers/fijany_factorisation.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <random>

#include "papers/claim.hpp"
#include "papers/dense.hpp"
#include "papers/deviation.hpp"
#include "ulna/dynamics/constraint_force/explicit_matrices.hpp"
#include "ulna/io/robot/load.hpp"
#include "ulna/kinematics/kinematics.hpp"
#include "ulna/model/random_state.hpp"

namespace ulna::reproduction {

namespace {

using Eigen::MatrixXd, Eigen::VectorXd, Eigen::Vector3d, Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

Vector3d to_eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

/// (2.1) with [angular; linear].
Matrix6 hat(const Vector3d& v) {
  Matrix6 m = Matrix6::Identity();
  m.topRightCorner<3, 3>() = cross_matrix(v);
  return m;
}

enum class Misprint { none, inertia_of_nomenclature, block_diagonal_A, A_without_base };

/// A free-floating base with an arm of revolute joints at rest, in world axes: the matrices of sections III and IV,
/// bodies from the base outwards (the paper counts them inwards).
class SpaceRobot {
 public:
  SpaceRobot(const Model& model, std::span<const double> q, Misprint misprint) : misprint_(misprint) {
    Kinematics<double> kinematics(model);
    kinematics.update_positions(q);
    const auto bodies = static_cast<std::size_t>(model.body_count());
    N_ = static_cast<int>(bodies) - 1;
    P_ = MatrixXd::Identity(6 * N_, 6 * N_);
    inverse_ = MatrixXd::Zero(6 * N_, 6 * N_);
    W_ = MatrixXd::Zero(6 * N_, 5 * N_);
    H_ = MatrixXd::Zero(6 * N_, N_);
    Vector3d before = Vector3d::Zero();
    for (std::size_t k = 0; k < bodies; ++k) {
      const Pose<double> pose = kinematics.pose({"", static_cast<int>(k), Pose<double>::identity()});
      const Vector3d origin = to_eigen(pose.p);
      const Matrix3d R = rotation(pose);
      const Matrix6 inertia = spatial_inertia(model.bodies()[k].inertia, R);
      if (k == 0) {
        base_inverse_ = inertia.inverse();
      } else {
        const int i = static_cast<int>(k) - 1;
        if (i == 0) P0_ = hat(origin - before);
        if (i > 0) P_.block<6, 6>(6 * (i - 1), 6 * i) = -hat(origin - before);
        inverse_.block<6, 6>(6 * i, 6 * i) = inertia.inverse();
        H_.block<3, 1>(6 * i, i) = R.col(2);
        W_.block<3, 2>(6 * i, 5 * i) = R.leftCols<2>();
        W_.block<3, 3>(6 * i + 3, 5 * i + 2) = R;
      }
      before = origin;
    }
  }

  /// Steps 2 to 5 of section IV.B: [Q̈₀; Q̈] of [F₀; F_T].
  VectorXd solve(const VectorXd& F0, const VectorXd& F_T) const {
    const MatrixXd PIP = P_.transpose() * inverse_ * P_;
    MatrixXd A = W_.transpose() * PIP * W_;                                       // (3.14)
    const MatrixXd B = W_.transpose() * PIP * H_, C = H_.transpose() * PIP * H_;  // (3.15), (3.16)
    const MatrixXd W1 = W_.topLeftCorner(6, 5), H1 = H_.topLeftCorner(6, 1);
    const MatrixXd base = P0_.transpose() * base_inverse_;
    if (misprint_ == Misprint::block_diagonal_A) keep_diagonal_blocks(A);
    if (misprint_ != Misprint::A_without_base) A.topLeftCorner(5, 5) += W1.transpose() * base * P0_ * W1;  // (4.13)
    VectorXd right = -B * F_T;
    right.head(5) += W1.transpose() * base * (F0 - P0_ * H1 * F_T.head(1));  // (4.10)
    const VectorXd F_S = A.ldlt().solve(right);                              // (4.12)
    const VectorXd F1 = H1 * F_T.head(1) + W1 * F_S.head(5);                 // (3.1)
    VectorXd out(6 + N_);
    out.head(6) = base_inverse_ * (F0 - P0_ * F1);  // (4.3)
    out.tail(N_) = B.transpose() * F_S + C * F_T;
    out.segment(6, 1) -= H1.transpose() * base * (F0 - P0_ * F1);  // (4.7), (4.11)
    return out;
  }

  const MatrixXd& constraint_axes() const { return W_; }
  /// WᵗI_b⁻¹W.
  MatrixXd base_term() const {
    MatrixXd inverse = MatrixXd::Zero(6 * N_, 6 * N_);
    inverse.topLeftCorner(6, 6) = P0_.transpose() * base_inverse_ * P0_;
    return W_.transpose() * inverse * W_;
  }

 private:
  static void keep_diagonal_blocks(MatrixXd& A) {
    const MatrixXd whole = A;
    A.setZero();
    for (Eigen::Index k = 0; k < A.rows(); k += 5) A.block<5, 5>(k, k) = whole.block<5, 5>(k, k);
  }

  static Matrix3d rotation(const Pose<double>& pose) {
    Matrix3d R;
    for (int c = 0; c < 3; ++c)
      R.col(c) = to_eigen(pose.R * Vec3<double>{c == 0 ? 1.0 : 0.0, c == 1 ? 1.0 : 0.0, c == 2 ? 1.0 : 0.0});
    return R;
  }

  /// (2.6) in world axes.
  Matrix6 spatial_inertia(const RigidInertia<double>& body, const Matrix3d& R) const {
    const Sym3<double>& s = body.about_origin;
    Matrix3d k;
    k << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
    const Matrix3d h = R * cross_matrix(to_eigen(body.h)) * R.transpose();
    Matrix6 inertia;
    inertia << R * k * R.transpose(), h, h.transpose(), body.mass * Matrix3d::Identity();
    if (misprint_ == Misprint::inertia_of_nomenclature) {
      inertia.topRightCorner<3, 3>() = h.transpose();
      inertia.bottomLeftCorner<3, 3>() = h;
    }
    return inertia;
  }

  Misprint misprint_;
  int N_ = 0;
  Matrix6 P0_, base_inverse_;
  MatrixXd P_, inverse_, W_, H_;
};

/// The worst relative error over ten random positions and loads, and what the condition of A allows.
Accuracy accuracy(const Model& model, Misprint misprint) {
  std::mt19937 generator(1);
  Accuracy worst;
  const auto method = make_method<double>("articulated_body", Quantity::forward_dynamics, model);
  for (int k = 0; k < 10; ++k) {
    std::vector<double> q = model.neutral();
    const std::vector<double> angles = random_position(model, generator), v(static_cast<std::size_t>(model.nv()), 0.0);
    std::copy(angles.begin() + 7, angles.end(), q.begin() + 7);  // the base in world axes, at rest
    const std::vector<double> tau = random_velocity(model, generator, 10.0);
    VectorXd a(model.nv());
    method->forward_dynamics(q, v, tau, a);
    const VectorXd load = Eigen::Map<const VectorXd>(tau.data(), model.nv());
    const VectorXd found = SpaceRobot(model, q, misprint).solve(load.head(6), load.tail(model.nv() - 6));
    worst.add((found - a).norm() / a.norm(),
              rounding(1.0, constraint_force::explicit_matrices(model, q).condition_of_A));
  }
  return worst;
}

Claim misprinted(const Model& model, const Quote& quote, Misprint misprint, const Erratum& erratum) {
  const Accuracy printed = accuracy(model, misprint), right = accuracy(model, Misprint::none);
  return misprint_claim(quote, fmt::format("wrong by {:.2g}, relatively", printed.error), printed.holds(), erratum,
                        right.holds());
}

/// How far M·(C − BᵗA⁻¹B) is from 1, over robots and random positions, and what is seen of A and C on the way.
struct FactorisationCheck {
  double identity = 0.0, allowed = 0.0, smallest_A = 1e300, smallest_C = 1e300;
  // Of A, B and C, the largest element beyond the first off-diagonal of blocks, and on it.
  double outside = 0.0, beside = 0.0;
};

FactorisationCheck check_factorisation() {
  FactorisationCheck found;
  for (const char* robot : {"puma560", "kuka_lwr4", "panda_like", "stanford", "ur5_like"}) {
    const Model model = load(robot);
    const int n = model.nv();
    std::mt19937 generator(2);
    for (int k = 0; k < 20; ++k) {
      const std::vector<double> q = random_position(model, generator);
      const constraint_force::ExplicitMatrices e = constraint_force::explicit_matrices(model, q);
      const MatrixXd A = Eigen::Map<const MatrixXd>(e.A.data(), e.constraints, e.constraints),
                     B = Eigen::Map<const MatrixXd>(e.B.data(), e.constraints, e.freedoms),
                     C = Eigen::Map<const MatrixXd>(e.C.data(), e.freedoms, e.freedoms), M = mass_matrix(model, q);
      const MatrixXd inverse = C - B.transpose() * A.ldlt().solve(B);
      found.identity = worse(found.identity, (inverse * M - MatrixXd::Identity(n, n)).norm());
      // C and BᵗA⁻¹B nearly cancel: their size over that of the difference comes on top of the condition of M.
      found.allowed = std::max(found.allowed, 4.0 * n * epsilon * C.norm() / inverse.norm() * condition(M));
      found.smallest_A = lesser(found.smallest_A, smallest_eigenvalue(A));
      found.smallest_C = lesser(found.smallest_C, smallest_eigenvalue(C));
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const double size = std::max({A.block<5, 5>(5 * i, 5 * j).cwiseAbs().maxCoeff() / A.cwiseAbs().maxCoeff(),
                                        B.block<5, 1>(5 * i, j).cwiseAbs().maxCoeff() / B.cwiseAbs().maxCoeff(),
                                        std::abs(C(i, j)) / C.cwiseAbs().maxCoeff()});
          if (std::abs(i - j) > 1) found.outside = worse(found.outside, size);
          if (std::abs(i - j) == 1) found.beside = worse(found.beside, size);
        }
      }
    }
  }
  return found;
}

}  // namespace

Section fijany_factorisation() {
  Section section{"Section III: M⁻¹ as a Schur complement", {}, {}, {}, {}};
  section.text = {
      "A, B and C are formed in full for the PUMA, the KUKA LWR, a Panda-like, the Stanford and a UR5-like "
      "arm at 20 random positions each; M comes from composite bodies."};
  const FactorisationCheck found = check_factorisation();
  section.claims.push_back(sentence_claim(
      {"(3.20)", "factorisation of the inverse", "M⁻¹ = C − BᵗA⁻¹B"}, fmt::format("M⁻¹M − 1: {:.1e}", found.identity),
      found.identity <= found.allowed, "C and BᵗA⁻¹B nearly cancel, which costs digits."));
  section.claims.push_back(
      sentence_claim({"Appendix A", "A and C are positive definite", "positive definite"},
                     fmt::format("smallest eigenvalues {:.2g} and {:.2g}", found.smallest_A, found.smallest_C),
                     found.smallest_A > 0.0 && found.smallest_C > 0.0));
  section.claims.push_back(
      misprint_claim({"after (3.15)", "shape of A and B", "block diagonal"},
                     fmt::format("beside the diagonal blocks up to {:.2g} of the largest element, further off {:.0e}",
                                 found.beside, found.outside),
                     found.beside < 1e-12, {"1.2", "block tridiagonal, as C is", "neighbouring bodies share a joint"},
                     found.outside < 1e-12 && found.beside > 1e-12));
  return section;
}

Section fijany_floating_base() {
  Section section{"Section IV: a floating base", {}, {}, {}, {}};
  section.text = {
      "The steps of section IV.B as dense matrices in world axes, for a satellite of 200 kg with an arm of seven "
      "joints "
      "(the paper gives no numbers), held against the articulated-body algorithm at ten random positions. Misprints "
      "that leave something to compute are left in alone; of others the sizes are compared."};
  const Model model = load("satellite_arm");
  const Accuracy right = accuracy(model, Misprint::none);
  section.claims.push_back(sentence_claim({"(4.1)–(4.13)", "accelerations of base and arm", "Steps 1 to 5"},
                                          fmt::format("to {:.1e}, relatively", right.error), right.holds(),
                                          "With the corrections below."));
  section.claims.push_back(misprinted(model, {"Nomenclature", "spatial inertia", "[[k, h̃ᵗ], [h̃, mU]]"},
                                      Misprint::inertia_of_nomenclature, {"1.1", "[[k, h̃], [h̃ᵗ, mU]]", "as in (2.6)"}));
  section.claims.push_back(misprinted(model, {"after (3.15)", "A in (4.12)", "block diagonal"},
                                      Misprint::block_diagonal_A,
                                      {"1.2", "block tridiagonal", "without its coupling blocks nothing is right"}));
  const Accuracy without = accuracy(model, Misprint::A_without_base);
  section.claims.push_back(sentence_claim({"(4.12), (4.13)", "the base changes A in one block", "A′ = A + WᵗI_b⁻¹W"},
                                          fmt::format("A in place of A′ is wrong by {:.2g}, relatively", without.error),
                                          right.holds() && !without.holds()));
  const SpaceRobot robot(model, model.neutral(), Misprint::none);
  const MatrixXd& W = robot.constraint_axes();
  const int rank_of_W = rank(W);
  const int N = model.body_count() - 1;
  section.claims.push_back(misprint_claim(
      {"Appendix A", "size and rank of W", "5N × N, rank N"},
      fmt::format("{} × {} with rank {} for N = {}", W.rows(), W.cols(), rank_of_W, N),
      W.rows() == 5 * N && W.cols() == N && rank_of_W == N, {"1.11", "6N × 5N, rank 5N", "five constraints per joint"},
      W.rows() == 6 * N && W.cols() == 5 * N && rank_of_W == 5 * N));
  section.claims.push_back(misprint_claim(
      {"(4.6)", "right-hand side", "W V̇_b"}, fmt::format("W is {} × {}, V̇_b has {} rows", W.rows(), W.cols(), 6 * N),
      W.cols() == 6 * N, {"1.3", "Wᵗ V̇_b", "otherwise the product does not exist; ℋᵗ in (4.7) likewise (erratum 1.4)"},
      W.rows() == 6 * N));
  const MatrixXd term = robot.base_term();
  VectorXd X = VectorXd::Zero(term.rows());
  X.tail(term.rows() - 5).setOnes();  // X₁ = 0
  const double form = X.dot(term * X), smallest = smallest_eigenvalue(term);
  section.claims.push_back(misprint_claim(
      {"Appendix B", "XᵗWᵗI_b⁻¹WX for X ≠ 0", "> 0"},
      fmt::format("{:g} for an X with X₁ = 0; the smallest eigenvalue is {:.0e}", form, std::abs(smallest)), form > 0.0,
      {"1.12", "≥ 0", "which is enough for A′ to be positive definite"}, smallest >= -rounding(5.0 * N, term.norm())));
  return section;
}

}  // namespace ulna::reproduction
